import { TIMEOUT_FACTOR } from '../support/eventually.js';
import { keyStores, logs, rateLimits, type UnderTest, views } from './engines.js';
import { eventStoreContract } from './event-store.contract.js';
import { keysContract } from './keys.contract.js';
import { leasesContract } from './leases.contract.js';
import { rateLimitsContract } from './rate-limits.contract.js';
import { readModelsContract } from './read-models.contract.js';
import { snapshotsContract } from './snapshots.contract.js';

/** Runs contracts over each engine. An unavailable engine is skipped with a line that gives the reason. */
function overEach<E extends UnderTest>(engines: readonly E[], contracts: Readonly<Record<string, (engine: E) => void>>): void {
  for (const engine of engines) {
    for (const [subject, contract] of Object.entries(contracts)) {
      describe(`${subject} (${engine.name})`, function () {
        if (engine.timeoutMs) this.timeout(engine.timeoutMs * TIMEOUT_FACTOR);
        before(async function () {
          const reason = await engine.skipReason?.();
          if (!reason) return;
          console.warn(`      skipped: ${subject} (${engine.name}): ${reason}`);
          this.skip();
        });
        contract(engine);
      });
    }
  }
}

overEach(logs, { 'the event store': eventStoreContract });
overEach(keyStores, { 'the key store': keysContract });
overEach(views, { 'read models': readModelsContract, leases: leasesContract, snapshots: snapshotsContract });
overEach(rateLimits, { 'rate limits': rateLimitsContract });
