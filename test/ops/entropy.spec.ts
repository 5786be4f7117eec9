import { expect } from 'chai';
import { createEntropy } from '../../ops/system/entropy.js';

describe('the system entropy', () => {
  const entropy = createEntropy();
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

  it('returns as many bytes as requested, also more than its pool holds', () => {
    for (const bytes of [0, 1, 12, 16_383, 16_384, 100_000, 7]) expect(entropy.bytes(bytes)).to.have.length(bytes);
  });

  it('leaves returned bytes unchanged when more are drawn', () => {
    const first = entropy.bytes(32);
    const before = hex(first);
    for (let i = 0; i < 5_000; i++) entropy.bytes(47);
    expect(hex(first)).to.equal(before);
  });

  it('returns no byte twice', () => {
    const drawn = Array.from({ length: 10_000 }, () => hex(entropy.bytes(12)));
    expect(new Set(drawn).size).to.equal(drawn.length);
  });

  it('spreads fractions evenly from 0 to below 1', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 64_000; i++) {
      const sixteenth = Math.floor(entropy.fraction() * 16);
      counts[sixteenth] = (counts[sixteenth] ?? 0) + 1;
    }
    for (const count of counts) expect(count).to.be.within(3_500, 4_500);
  });

  it('returns ULIDs that are unique and sort by time', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => entropy.ulid(1_800_000_000_000 + Math.floor(i / 7)));
    expect(new Set(ids).size).to.equal(ids.length);
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('returns UUIDs of version 4', () => {
    expect(entropy.uuid()).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
