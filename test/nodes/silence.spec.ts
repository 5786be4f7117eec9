import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { PASSWORD, type Reply, type Service } from '../support/service.js';
import { Nodes } from './nodes.js';

/** The longest answer of any request, whatever the servers do. */
const LIMIT_MS = 10_000;
/** Number of slowest answers in the output. */
const SHOWN = 5;

interface NamedRequest {
  readonly name: string;
  readonly ask: () => Promise<Reply>;
}

describe('requests while a server is silent', () => {
  let nodes: Nodes;
  let messageId: string;
  let batchId: string;
  before(async function () {
    nodes = await Nodes.startIn(this);
    messageId = (await nodes.send(nodes.a)).body.id;
    batchId = (await nodes.a.api('POST', '/v1/messages/bulk', [{ to: '+14155550101', channel: 'sms', message: 'Hello' }])).body.batch_id;
    for (const node of nodes.apis)
      await eventually('all is delivered', async () => (await nodes.statusOf(node, messageId)) === 'delivered', { within: 30_000 });
  });
  after(() => nodes?.close());

  /** One request for each combination of log and database access. */
  function requests(node: Service, round: string): NamedRequest[] {
    const get = (path: string, headers = {}): NamedRequest => ({
      name: `GET ${path.replace(/_[0-9A-Z]{26}/g, '_…')}`,
      ask: () => node.ask('GET', path, undefined, headers),
    });
    const post = (name: string, path: string, body: unknown, headers = {}): NamedRequest => ({
      name,
      ask: () => node.ask('POST', path, body, headers),
    });
    const message = { to: '+14155550102', channel: 'sms', message: 'Hello' };
    return [
      get('/healthz'),
      get('/readyz'),
      get('/v1/messages'),
      get(`/v1/messages/${messageId}`),
      get(`/v1/messages/${messageId}/events`),
      get(`/v1/messages/${messageId}/why`),
      get(`/v1/messages/${messageId}/webhook-deliveries`),
      get(`/v1/messages/bulk/${batchId}`),
      get('/v1/api-keys'),
      get('/v1/account/settings'),
      get('/v1/account/users'),
      get('/v1/system/projections', { 'X-API-Key': '', Authorization: `Bearer ${nodes.env.HELIOGRAPH_OPERATOR_TOKEN}` }),
      post('send', '/v1/messages/send', message),
      post('send under a key', '/v1/messages/send', message, { 'Idempotency-Key': `send-${round}` }),
      post('send to an address that may be suppressed', '/v1/messages/send', { ...message, to: '+15005550006' }),
      post('bulk', '/v1/messages/bulk', Array(600).fill(message)),
      post('bulk under a key', '/v1/messages/bulk', [message], { 'Idempotency-Key': `bulk-${round}` }),
      post('cancel', `/v1/messages/${messageId}/cancel`, undefined),
      post('sign in', '/v1/auth/login', { email: node.account.email, password: PASSWORD }),
      post('sign in with a wrong password', '/v1/auth/login', { email: node.account.email, password: 'wrong password' }),
      post('issue a key', '/v1/api-keys', { name: 'Shop' }),
      { name: 'with an unknown key', ask: () => node.api('GET', '/v1/messages', undefined, { 'X-API-Key': `hg_${'x'.repeat(40)}` }) },
    ];
  }

  /** Sends all requests to both nodes, concurrently or in sequence, and prints the slowest. Each answer must be allowed and in time. */
  async function expectAnswers(rounds: number, allowed: (name: string, reply: Reply) => boolean, atOnce = true): Promise<void> {
    const seen = new Map<string, { ms: number; statuses: Set<number> }>();
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const all = nodes.apis.flatMap((node, n) => requests(node, `${performance.now()}-${n}`));
      const answered = async ({ name, ask }: NamedRequest) => {
        const startedAt = performance.now();
        const reply = await ask();
        const ms = Math.round(performance.now() - startedAt);
        const known = seen.get(name) ?? { ms: 0, statuses: new Set() };
        seen.set(name, { ms: Math.max(ms, known.ms), statuses: known.statuses.add(reply.status) });
        const retry = reply.status !== 503 || Number(reply.headers.get('retry-after')) > 0;
        if (!allowed(name, reply) || !retry || ms > LIMIT_MS) wrong.push(`${name}: after ${ms} ms ${reply.status} ${reply.text.slice(0, 200)}`);
      };
      if (atOnce) await Promise.all(all.map(answered));
      else for (const one of all) await answered(one);
    }
    const slowest = [...seen].sort(([, { ms: x }], [, { ms: y }]) => y - x);
    for (const [name, { ms, statuses }] of slowest.slice(0, SHOWN)) console.log(`      ${ms} ms: ${name} (${[...statuses].join(', ')})`);
    expect(wrong).to.deep.equal([]);
  }

  /** Expects all nodes to work again without a restart: messages are accepted and delivered. */
  async function expectRecovered(): Promise<void> {
    const startedAt = performance.now();
    const report = (what: string) => console.log(`      ${what} after ${Math.round(performance.now() - startedAt)} ms`);
    for (const node of nodes.apis) {
      const { body } = await eventually('a message is accepted', async () => {
        const reply = await nodes.send(node);
        return reply.status === 202 && reply;
      });
      report('a message was accepted');
      await eventually('it is delivered', async () => (await nodes.statusOf(node, body.id)) === 'delivered', { within: 30_000 });
      report('it was delivered');
      await eventually('it is ready', async () => (await node.api('GET', '/readyz')).status === 200, { within: 30_000 });
      report('the node was ready');
    }
    for (const node of nodes.all) {
      expect(node.running).to.equal(true);
      expect(node.loggedProblems('error')).to.deep.equal([]);
    }
  }

  const succeeded = ({ status }: Reply) => status < 400;
  const refused = (name: string, { status }: Reply) => ['with an unknown key', 'sign in with a wrong password'].includes(name) && status === 401;
  const tooLate = (name: string, { status }: Reply) => name === 'cancel' && status === 409;
  const unavailable = ({ status, body }: Reply) => status === 503 && ['unavailable', 'projection_behind'].includes(body.code);
  const asUsual = (name: string, reply: Reply) => succeeded(reply) || refused(name, reply) || tooLate(name, reply);

  it('are answered normally before the silence', async () => {
    await expectAnswers(1, asUsual, false);
  });

  it('are answered in time, normally or with 503, while the log is silent, and all nodes recover', async function () {
    const faults = nodes.servers.fake?.faults;
    // A real server has no such switch.
    if (!faults) return this.skip();
    faults.silent = true;
    try {
      await expectAnswers(3, (name, reply) => unavailable(reply) || asUsual(name, reply));
      const { status } = await nodes.a.api('GET', '/readyz');
      expect(status).to.equal(503);
    } finally {
      faults.silent = false;
    }
    await expectRecovered();
  });

  it('are answered in time, normally or with 503, while the database is silent, and all nodes recover', async () => {
    nodes.mongo.silent = true;
    try {
      await expectAnswers(2, (name, reply) => unavailable(reply) || asUsual(name, reply));
      expect((await nodes.a.api('GET', '/healthz')).status).to.equal(200);
      expect((await nodes.a.api('GET', '/readyz')).status).to.equal(503);
    } finally {
      nodes.mongo.silent = false;
    }
    await expectRecovered();
  });
});
