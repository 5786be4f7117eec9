import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { BloomFilter } from '../../commands/stream-index.js';

describe('a filter of keys', () => {
  const key = (n: number): string => createHmac('sha256', 'spec').update(String(n)).digest('base64url');

  it('has what was put in, and hardly anything else', () => {
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
