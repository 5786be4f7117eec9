import { expect } from 'chai';
import { Nodes } from './nodes.js';

const LIMIT = 1_000;
const TRIED = 1_300;
const TOGETHER = 40;

describe('a rate limit through two nodes at once', () => {
  let nodes: Nodes;
  before(async function () {
    // A window that is longer than any machine needs for all of it.
    nodes = await Nodes.startIn(this, { workers: 1, env: { HELIOGRAPH_RATE_LIMITS: JSON.stringify({ send: { limit: LIMIT, window: '1h' } }) } });
  });
  after(() => nodes?.close());

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
    expect({ 202: count(202), 429: count(429), all: statuses.length }).to.deep.equal({ 202: LIMIT, 429: TRIED - LIMIT, all: TRIED });
    expect(remaining.sort((x, y) => x - y)).to.deep.equal(Array.from({ length: LIMIT }, (_, n) => n));
  });
});
