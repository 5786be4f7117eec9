import { expectAllToHold, seedsFrom } from './holds.js';

describe('a simulated installation: ten further seeds', function () {
  this.timeout(120_000);
  for (const seed of seedsFrom(11, 10)) it(`holds its invariants through crashes and faults (seed ${seed})`, () => expectAllToHold([seed]));
});
