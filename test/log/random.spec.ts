import { expect } from 'chai';
import { randomFraction, randomOf } from '../../log/random.js';

describe('random bytes from a pool', () => {
  it('are as many as asked for, also more than a pool holds', () => {
    for (const bytes of [0, 1, 12, 16_383, 16_384, 100_000, 7]) expect(randomOf(bytes)).to.have.length(bytes);
  });

  it('stay what they are when more are drawn', () => {
    const first = randomOf(32);
    const before = first.toString('hex');
    for (let i = 0; i < 5_000; i++) randomOf(47);
    expect(first.toString('hex')).to.equal(before);
  });

  it('are given out once', () => {
    const drawn = Array.from({ length: 10_000 }, () => randomOf(12).toString('hex'));
    expect(new Set(drawn).size).to.equal(drawn.length);
  });

  it('are spread evenly as fractions below 1', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 64_000; i++) {
      const sixteenth = Math.floor(randomFraction() * 16);
      counts[sixteenth] = (counts[sixteenth] ?? 0) + 1;
    }
    for (const count of counts) expect(count).to.be.within(3_500, 4_500);
  });
});
