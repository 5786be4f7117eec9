import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Nodes } from './nodes.js';

/** The longest takeover of a killed worker's leases. */
const TAKEOVER_MS = 10_000 * TIMEOUT_FACTOR;

describe('a worker that is killed', () => {
  let nodes: Nodes;
  before(async function () {
    nodes = await Nodes.startIn(this);
  });
  after(() => nodes?.close());

  it('is replaced by the other within ten seconds, and no accepted message is lost', async () => {
    const [first, second] = nodes.workers;
    if (!first || !second) throw new Error('two workers are needed');
    const ids: string[] = [];
    const send = async () => {
      const { status, body } = await nodes.send(ids.length % 2 ? nodes.a : nodes.b);
      expect(status).to.equal(202);
      ids.push(body.id);
      return body.id as string;
    };
    for (let n = 0; n < 30; n++) await send();
    await first.kill9();
    const startedAt = performance.now();
    const late = await send();
    await eventually('a message sent after the kill is delivered', async () => (await nodes.statusOf(nodes.a, late)) === 'delivered', {
      within: 3 * TAKEOVER_MS,
    });
    const took = performance.now() - startedAt;
    console.log(`      the other worker had delivered after ${Math.round(took)} ms`);
    expect(took).to.be.below(TAKEOVER_MS);
    expect(await nodes.holdsAll(second)).to.equal(true);
    for (const id of ids) await eventually(`${id} is delivered`, async () => (await nodes.statusOf(nodes.b, id)) === 'delivered');
  });

  it('works again beside the other after a restart', async () => {
    const [first] = nodes.workers;
    await first?.restart();
    const { body } = await nodes.send(nodes.a);
    await eventually('delivered', async () => (await nodes.statusOf(nodes.b, body.id)) === 'delivered');
    expect(first?.running).to.equal(true);
  });
});
