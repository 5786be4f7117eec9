import { expect } from 'chai';
import { type Counter, type Numbers, numbersBy } from './counts.js';
import { differences, medians } from './holds-budget.js';

const allowed = numbersBy(() => 100);
const found = (changed: Partial<Record<Counter, number>>): Numbers => ({ ...allowed, ...changed });

describe('a budget', () => {
  it('holds the same exact numbers, and fewer of what depends on timing', () => {
    expect(differences(allowed, allowed)).to.equal(null);
    expect(differences(allowed, found({ queries: 1 }))).to.equal(null);
  });

  it('is exceeded by one append more, and not held by one less', () => {
    expect(differences(allowed, found({ appends: 101 }))).to.match(/appends += 100 +101 {2}← not held/);
    expect(differences(allowed, found({ appends: 99 }))).to.include('← not held');
  });

  it('is exceeded by one query more', () => {
    expect(differences(allowed, found({ queries: 101 }))).to.match(/queries +≤ 100 +101 {2}← not held/);
  });

  it('names what has no entry', () => {
    expect(differences(undefined, allowed)).to.include('no entry');
  });

  it('takes the number in the middle of three runs', () => {
    expect(medians([found({ notices: 7 }), found({ notices: 3 }), found({ notices: 90 })]).notices).to.equal(7);
  });
});
