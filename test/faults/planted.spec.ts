import { expect } from 'chai';
import { defects } from '../simulation/planted.js';
import { PINNED } from '../simulation/planted-seeds.js';
import { searchSeed } from '../simulation/search.js';

describe('a planted defect is found', function () {
  this.timeout(120_000);

  for (const [name, defect] of Object.entries(defects)) {
    it(`${name} (seed ${PINNED[name]})`, async () => {
      const found = await searchSeed(defect, { from: PINNED[name] ?? 1, count: 1 });
      expect(found, `this seed finds it no longer: npm run simulate -- --planted '${name}' --pin`).not.to.equal(null);
    });
  }

  it('by a search through at most 20 seeds that were not tried before', async () => {
    const defect = defects['a suppression that is answered and not stored'];
    expect(defect && (await searchSeed(defect, { from: 1_008, count: 20 }))).not.to.equal(null);
  });
});
