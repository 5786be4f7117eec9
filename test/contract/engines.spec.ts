import { keyStores, type LogUnderTest, logs, type ViewsUnderTest, views } from './engines.js';
import { eventStoreContract } from './event-store.contract.js';
import { keysContract } from './keys.contract.js';
import { leasesContract } from './leases.contract.js';
import { readModelsContract } from './read-models.contract.js';

/** Runs contracts over each engine. One that cannot be reached is left out with a line that says so. */
function overEach<E extends LogUnderTest | ViewsUnderTest>(engines: readonly E[], contracts: Readonly<Record<string, (engine: E) => void>>): void {
  for (const engine of engines) {
    for (const [subject, contract] of Object.entries(contracts)) {
      describe(`${subject} (${engine.name})`, function () {
        if (engine.patience) this.timeout(engine.patience);
        before(async function () {
          const reason = await engine.unreachable?.();
          if (!reason) return;
          console.warn(`      left out: ${subject} (${engine.name}): ${reason}`);
          this.skip();
        });
        contract(engine);
      });
    }
  }
}

overEach(logs, { 'the event store': eventStoreContract });
overEach(keyStores, { 'the key store': keysContract });
overEach(views, { 'read models': readModelsContract, leases: leasesContract });
