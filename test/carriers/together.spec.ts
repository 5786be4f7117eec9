import { expect } from 'chai';
import { eachByKey } from '../../api/webhooks/together.js';

describe('the reports of one request', () => {
  const items = ['a1', 'b1', 'a2', 'c1', 'b2', 'a3'];
  const keyOf = (item: string): string => item.charAt(0);

  it('are recorded at the same time, but those about one message in their order', async () => {
    const [begun, ended]: [string[], string[]] = [[], []];
    let most = 0;
    await eachByKey(items, keyOf, 2, async (item) => {
      begun.push(item);
      most = Math.max(most, begun.length - ended.length);
      const others = begun.filter((one) => keyOf(one) === keyOf(item) && one !== item);
      expect(others.filter((one) => !ended.includes(one))).to.deep.equal([]);
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    });
    expect([...ended].sort()).to.deep.equal([...items].sort());
    expect(ended.filter((item) => keyOf(item) === 'a')).to.deep.equal(['a1', 'a2', 'a3']);
    expect(most).to.equal(2);
  });

  it('fail with the first error, once all that had begun has ended', async () => {
    const ended: string[] = [];
    const failed = await eachByKey(items, keyOf, 2, async (item) => {
      if (item === 'a1') throw new Error('away');
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    }).catch((e: Error) => e.message);
    expect(failed).to.equal('away');
    expect(ended).to.deep.equal(['b1']);
  });
});
