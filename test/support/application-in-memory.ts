import { rateLimits } from '../../api/http/access/rate-limits.js';
import { createAccount } from '../../commands/accounts/create-account.js';
import { MemoryRateLimits, openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { createApplication } from '../../ops/app/application.js';
import { loadConfig } from '../../ops/app/config/config.js';
import { createHttpServer } from '../../ops/app/serve/http-server.js';
import { createMetrics } from '../../ops/monitoring/metrics.js';
import { ManualClock } from './manual-clock.js';
import { SeededEntropy } from './seeded-entropy.js';

/**
 * The service over stores in memory, with an account: its commands, and its HTTP server, which does not listen. The time passes only
 * as a spec wants, and no projection or process runs by itself.
 */
export async function applicationInMemory(seed: string) {
  const clock = new ManualClock();
  const { events, keys } = openMemoryLog();
  const { views, leases, snapshots } = openMemoryViews({ clock });
  const limits = new MemoryRateLimits(rateLimits, clock);
  const parts = { rateLimits: async () => limits, sharedRates: null, tryWrite: async () => {}, close: async () => {} };
  const engine = { events, keys, views, leases, snapshots, ...parts };
  const config = loadConfig({ HELIOGRAPH_OPERATOR_TOKEN: 'operator-token-of-this-spec', HELIOGRAPH_PUBLIC_URL: 'https://heliograph.example' });
  const passwords = { hash: async () => 'none', verify: async () => false };
  const application = createApplication(config, Buffer.alloc(32, 7), engine, { clock, entropy: new SeededEntropy(seed), passwords });
  const { dispatcher } = application;
  let runs = 0;
  const causeIn = (account: string) => {
    const id = `req_${++runs}`;
    return { account, actor: { kind: 'operator', id: 'spec' }, invocation: id, correlation: id } as const;
  };
  const owner = { name: 'Shop', email: 'owner@example.com', password: 'correct horse' };
  const { account_id } = (await dispatcher.execute(createAccount, owner, causeIn('acc_01000000000000000000000000'))).output;
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const server = await createHttpServer(config, application, createMetrics({ processMetrics: false }), logger, { url: 'http://heliograph' });
  return { clock, events, views, application, dispatcher, server, account_id, cause: () => causeIn(account_id) };
}
