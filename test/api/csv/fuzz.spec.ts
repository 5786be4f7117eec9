import { expect } from 'chai';
import { fuzzCsv } from './fuzz.js';

describe('the reader of CSV', () => {
  it('reads random files as csv-parse does, or has an error of one row', function () {
    this.timeout(20_000);
    expect(fuzzCsv(Number(process.env.PROPERTY_RUNS ?? 500)).withErrors).to.be.greaterThan(20);
  });
});
