import { expectAllToHold, seedsFrom } from './holds.js';

// Two files, so that two jobs share the seeds.
describe('a simulated installation: the first ten seeds', function () {
  this.timeout(120_000);
  for (const seed of seedsFrom(1, 10)) it(`holds its invariants through crashes and faults (seed ${seed})`, () => expectAllToHold([seed]));
});
