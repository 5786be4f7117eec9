import { expect } from 'chai';
import { GrowingMap } from '../../domain/kernel/growing-map.js';

describe('a growing map', () => {
  it('holds what was added, in any number, and leaves the map before as it was', () => {
    let map: GrowingMap<number> = GrowingMap.empty;
    for (let nth = 0; nth < 1_000; nth++) map = map.with(`k${nth}`, nth);
    const before = map;
    const after = map.with('k7', -7);
    expect([before.size, before.get('k7'), after.get('k7'), after.has('k999'), after.has('k1000')]).to.deep.equal([1_000, 7, -7, true, false]);
    expect(after.get('k1000')).to.equal(undefined);
  });
});
