import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { BloomFilter } from '../../projections/contacts/contact-key-index.js';

describe('a Bloom filter', () => {
  const key = (n: number): string => createHmac('sha256', 'spec').update(String(n)).digest('base64url');

  it('has no false negatives and at most 0.1 % false positives with 100,000 keys', () => {
    const filter = new BloomFilter();
    const count = 100_000;
    for (let n = 0; n < count; n++) filter.add(key(n));
    let [missing, mistaken] = [0, 0];
    for (let n = 0; n < count; n++) {
      if (!filter.has(key(n))) missing += 1;
      if (filter.has(key(count + n))) mistaken += 1;
    }
    expect(missing).to.equal(0);
    expect(mistaken).to.be.below(count / 1_000);
  });
});
