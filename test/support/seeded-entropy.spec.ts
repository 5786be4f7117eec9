import { expect } from 'chai';
import { SeededEntropy } from './seeded-entropy.js';

const draw = (entropy: SeededEntropy) => [
  entropy.bytes(7).toString('hex'),
  entropy.bytes(100).toString('hex'),
  entropy.uuid(),
  entropy.fraction(),
  entropy.ulid(1_800_000_000_000),
  entropy.ulid(1_800_000_000_000),
];

describe('seeded entropy', () => {
  it('gives the same values for the same seed', () => expect(draw(new SeededEntropy('a'))).to.deep.equal(draw(new SeededEntropy('a'))));

  it('gives other values for another seed', () => {
    const other = draw(new SeededEntropy('b'));
    draw(new SeededEntropy('a')).forEach((value, i) => {
      expect(value).not.to.equal(other[i]);
    });
  });

  it('gives each value once', () => {
    const entropy = new SeededEntropy();
    const ids = Array.from({ length: 1_000 }, () => entropy.uuid());
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
