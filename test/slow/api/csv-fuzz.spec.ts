import { expect } from 'chai';
import { fuzzCsv } from '../../api/csv/fuzz.js';

describe('the reader of CSV', () => {
  it('reads 10,000 random files as csv-parse does, or has an error of one row', function () {
    this.timeout(120_000);
    expect(fuzzCsv(10_000).withErrors).to.be.greaterThan(1_000);
  });
});
