import { expectAllToHold, seedsFrom } from '../../simulation/holds.js';

describe('a simulated installation: sixteen further seeds', function () {
  this.timeout(120_000);
  for (const seed of seedsFrom(5, 16)) it(`holds its invariants through crashes and faults (seed ${seed})`, () => expectAllToHold([seed]));
});
