import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { simulate } from '../../simulation/simulate.js';

const SIZE = { commands: 10, hours: 0.1, crashes: 2 } as const;
const WARM_UP = 3;
const RUNS = 5;
/** A run whose connections stay open holds some 9. The compiled code and the caches of the process grow, too. */
const MAX_MB_A_RUN = 4;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function heapAfter(seeds: readonly number[]): Promise<number> {
  for (const seed of seeds) await simulate({ ...SIZE, seed });
  // What is closed lets go of its memory in a later turn of the event loop.
  await new Promise(setImmediate);
  collect();
  return process.memoryUsage().heapUsed / 1_000_000;
}

describe('the memory of simulations', function () {
  this.timeout(120_000);

  it('is free after each run', async () => {
    const seeds = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
    const before = await heapAfter(seeds(1, WARM_UP));
    const after = await heapAfter(seeds(1 + WARM_UP, RUNS));
    expect((after - before) / RUNS, 'MB a run').to.be.below(MAX_MB_A_RUN);
  });
});
