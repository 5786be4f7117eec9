import { expectAllToHold, seedsFrom } from './holds.js';

describe('a simulated installation: the first two seeds', function () {
  this.timeout(120_000);
  for (const seed of seedsFrom(1, 2)) it(`holds its invariants through crashes and faults (seed ${seed})`, () => expectAllToHold([seed]));
});
