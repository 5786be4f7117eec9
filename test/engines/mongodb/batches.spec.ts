import { expect } from 'chai';
import { batches } from '../../../engines/mongodb/batches.js';

describe('batches of documents', () => {
  const divided = (sizes: readonly number[], count: number, units: number) => [...batches(sizes, count, (size) => size, units)];

  it('end at a number of documents or with the one that reaches the size', () => {
    expect(divided([1, 1, 1, 1, 1], 2, 100)).to.deep.equal([[1, 1], [1, 1], [1]]);
    expect(divided([4, 6, 1, 50, 3], 100, 10)).to.deep.equal([[4, 6], [1, 50], [3]]);
  });

  it('hold a single document of any size', () => {
    expect(divided([99, 99], 100, 10)).to.deep.equal([[99], [99]]);
  });

  it('are none without documents', () => {
    expect(divided([], 10, 10)).to.deep.equal([]);
  });
});
