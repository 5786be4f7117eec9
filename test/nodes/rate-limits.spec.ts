import { expect } from 'chai';
import { RATES } from '../../engines/mongodb/names.js';
import { withMongo } from '../support/mongodb.js';
import { Nodes } from './nodes.js';

const LIMIT = 1_000;
const TRIED = 1_300;
const TOGETHER = 40;

interface Window {
  readonly _id: string;
  readonly taken: readonly { readonly n: number }[];
}

describe('a rate limit through two nodes at once', () => {
  let nodes: Nodes;
  before(async function () {
    // A window that is longer than any machine needs for all of it.
    nodes = await Nodes.startIn(this, { workers: 1, env: { HELIOGRAPH_RATE_LIMITS: JSON.stringify({ send: { limit: LIMIT, window: '1h' } }) } });
  });
  after(() => nodes?.close());

  async function placesTaken(): Promise<number> {
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

  it(`lets exactly ${LIMIT} of ${TRIED} pass, each of which took another place`, async () => {
    const statuses: number[] = [];
    const remaining: number[] = [];
    let asked = 0;
    const caller = async (node: Nodes['a']): Promise<void> => {
      while (asked < TRIED) {
        asked += 1;
        const { status, headers } = await nodes.send(node, { to: '+15005550004' });
        statuses.push(status);
        if (status === 202) remaining.push(Number(headers.get('ratelimit-remaining')));
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, (_, n) => caller(n % 2 ? nodes.a : nodes.b)));
    const count = (status: number) => statuses.filter((s) => s === status).length;
    // A database that is too slow for a time limit may have counted what was then answered with 503: that takes a place too.
    const [passed, refused, failed] = [count(202), count(429), count(503)];
    if (failed > 0) console.log(`      ${failed} of ${TRIED} were answered with 503`);
    expect(passed + refused + failed).to.equal(TRIED);
    expect(passed).to.be.within(LIMIT - failed, LIMIT);
    expect(await placesTaken()).to.equal(LIMIT);
    expect(new Set(remaining).size, 'two that took the same place').to.equal(passed);
    for (const node of nodes.apis) expect((await nodes.send(node)).status).to.equal(429);
  });
});
