import { expect } from 'chai';
import fc from 'fast-check';
import { concerns, hasReached, highestOf, lowestOf, partitionAt, partitionIndexOf } from '../../domain/kernel/partitions.js';

const COUNT = 16;
const all = Array.from({ length: COUNT }, (_, i) => partitionAt(i, COUNT));

describe('partitions', () => {
  it('have the keys that they had in every release', () => {
    const keys = ['', 'a', 'msg_01J8ZQ4W3D0000000000000000', 'é😀', 'acc_1/2'];
    expect(keys.map((key) => partitionIndexOf(key, 2 ** 32))).to.deep.equal([2872998923, 2448022055, 2519308750, 1843520620, 460307993]);
    expect(keys.map((key) => partitionIndexOf(key, 16))).to.deep.equal([11, 7, 14, 12, 9]);
  });

  it('own each key exactly once', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (key) => all.filter(({ owns }) => owns(key)).length === 1));
  });

  it('share similar keys evenly', () => {
    const counts = all.map(() => 0);
    for (let i = 0; i < 16_000; i++) counts[partitionIndexOf(`msg_${i}`, COUNT)] = (counts[partitionIndexOf(`msg_${i}`, COUNT)] ?? 0) + 1;
    for (const n of counts) expect(n).to.be.within(850, 1_150);
  });

  it('are concerned by an event for all, or for one of their keys', () => {
    const own = all[partitionIndexOf('a', COUNT)] ?? expect.fail('no partition');
    const other = all.find((partition) => partition !== own && !partition.owns('b')) ?? expect.fail('no other');
    expect([concerns(own, 'all'), concerns(other, 'all')]).to.deep.equal([true, true]);
    expect([concerns(own, ['b', 'a']), concerns(other, ['b', 'a']), concerns(own, [])]).to.deep.equal([true, false, false]);
    expect(concerns(partitionAt(0, 1), ['anything'])).to.equal(true);
  });

  it('reach another generation where none of them is behind it', () => {
    expect([lowestOf(['2', 'start', '1']), highestOf(['start', '2', '1'])]).to.deep.equal(['start', '2']);
    expect(hasReached(['2', '1'], ['2', '1'])).to.equal(true);
    expect(hasReached(['2', '1'], ['1', '2'])).to.equal(false);
    expect(hasReached(['2', '3'], ['2'])).to.equal(true);
    expect(hasReached(['2'], ['1', '3'])).to.equal(false);
  });
});
