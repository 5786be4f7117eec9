import { expect } from 'chai';
import { RATES } from '../../engines/mongodb/names.js';
import { withMongo } from '../support/mongodb.js';
import { Nodes } from './nodes.js';

const LIMIT = 1_000;
const REQUESTS = 1_300;
const CALLERS = 40;

interface Window {
  readonly _id: string;
  readonly taken: readonly { readonly n: number }[];
}

describe('a rate limit shared by two nodes', () => {
  let nodes: Nodes;
  before(async function () {
    // A window that is longer than the whole test.
    nodes = await Nodes.startIn(this, { workers: 1, env: { HELIOGRAPH_RATE_LIMITS: JSON.stringify({ send: { limit: LIMIT, window: '1h' } }) } });
  });
  after(() => nodes?.close());

  async function slotsTaken(): Promise<number> {
    const windows = await withMongo((client) =>
      client
        .db(nodes.servers.database ?? '')
        .collection<Window>(RATES)
        .find()
        .toArray(),
    );
    const taken = windows.find(({ _id }) => _id === `send:${nodes.a.accountId}`)?.taken ?? [];
    return taken.reduce((sum, { n }) => sum + n, 0);
  }

  it(`accepts exactly ${LIMIT} of ${REQUESTS} requests, each with its own slot`, async () => {
    const statuses: number[] = [];
    const remaining: number[] = [];
    let sent = 0;
    const caller = async (node: Nodes['a']): Promise<void> => {
      while (sent < REQUESTS) {
        sent += 1;
        const { status, headers } = await nodes.send(node, { to: '+15005550004' });
        statuses.push(status);
        if (status === 202) remaining.push(Number(headers.get('ratelimit-remaining')));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n % 2 ? nodes.a : nodes.b)));
    const count = (status: number) => statuses.filter((s) => s === status).length;
    // A slow database may count a request that is then answered with 503: it takes a slot too.
    const [passed, refused, failed] = [count(202), count(429), count(503)];
    if (failed > 0) console.log(`      ${failed} of ${REQUESTS} were answered with 503`);
    expect(passed + refused + failed).to.equal(REQUESTS);
    expect(passed).to.be.within(LIMIT - failed, LIMIT);
    expect(await slotsTaken()).to.equal(LIMIT);
    expect(new Set(remaining).size, 'two requests took the same slot').to.equal(passed);
    for (const node of nodes.apis) expect((await nodes.send(node)).status).to.equal(429);
  });
});
