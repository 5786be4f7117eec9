import { expect } from 'chai';
import { rateLimits } from '../../api/kernel/rate-limits.js';
import { createAccount } from '../../commands/accounts/create-account.js';
import { createForm } from '../../commands/forms/create-form.js';
import { MemoryRateLimits, openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { createApplication } from '../../ops/application.js';
import { loadConfig } from '../../ops/config.js';
import { createMetrics } from '../../ops/metrics.js';
import { createHttpServer } from '../../ops/serve/http-server.js';
import { exchange } from '../simulation/world/http.js';
import { ManualClock } from '../support/manual-clock.js';
import { SeededEntropy } from '../support/seeded-entropy.js';

const LIMIT = 120;

describe('submissions of a form from one address', () => {
  it('are at most 120 in a minute; the next one is refused until the minute is over', async () => {
    const clock = new ManualClock();
    const { events, keys } = openMemoryLog();
    const { views, leases, snapshots } = openMemoryViews({ clock });
    const limits = new MemoryRateLimits(rateLimits, clock);
    const engine = {
      events,
      keys,
      views,
      leases,
      snapshots,
      rateLimits: async () => limits,
      sharedRates: null,
      tryWrite: async () => {},
      close: async () => {},
    };
    const config = loadConfig({ HELIOGRAPH_OPERATOR_TOKEN: 'operator-token-of-this-spec', HELIOGRAPH_PUBLIC_URL: 'https://heliograph.example' });
    const passwords = { hash: async () => 'none', verify: async () => false };
    const application = createApplication(config, Buffer.alloc(32, 7), engine, { clock, entropy: new SeededEntropy('limits'), passwords });
    const { dispatcher } = application;
    const cause = (account: string, invocation: string) =>
      ({ account, actor: { kind: 'operator', id: 'spec' }, invocation, correlation: invocation }) as const;
    const owner = { name: 'Shop', email: 'owner@example.com', password: 'correct horse' };
    const { output: account } = await dispatcher.execute(createAccount, owner, cause('acc_01000000000000000000000000', 'req_01'));
    const email = { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' } as const;
    const made = await dispatcher.execute(
      createForm,
      { name: 'News', slug: 'news', fields: [email], status: 'live' },
      cause(account.account_id, 'req_02'),
    );
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const server = await createHttpServer(config, application, createMetrics({ processMetrics: false }), logger, { url: 'http://heliograph' });
    const path = `/v1/public/forms/${made.output.id}/submit`;
    let nth = 0;
    const submit = (from: string) =>
      exchange(server, { method: 'POST', path, headers: {}, body: { fields: { email: `person${++nth}@example.com` } }, from }, new Set());
    for (let n = 0; n < LIMIT; n++) expect((await submit('198.51.100.1')).status, `submission ${n + 1}`).to.equal(200);
    clock.advance(20_000);
    const refused = await submit('198.51.100.1');
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).to.deep.equal([429, 'rate_limit_exceeded', '40']);
    expect((await submit('198.51.100.2')).status, 'from another address').to.equal(200);
    clock.advance(40_000);
    expect((await submit('198.51.100.1')).status, 'a minute later').to.equal(200);
  });
});
