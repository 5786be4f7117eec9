import { randomInt } from 'node:crypto';
import { expectAllToHold, SMALL, seedsFrom } from '../simulation/holds.js';

const COUNT = Number(process.env.SIMULATION_SEEDS) || 500;
/** New seeds each time, unless SIMULATION_FROM names the first; a failure prints those that fail. */
const FIRST = Number(process.env.SIMULATION_FROM) || randomInt(1_000, 1_000_000_000);
const GROUP = 20;
/** No group begins after this time. */
const TIME_LIMIT_MS = Number(process.env.SIMULATION_SECONDS ?? 'Infinity') * 1_000;
/** Of ten runs, one has the default size, and of the small ones one has many crashes, one has one node and one has two. */
const SHAPES = [
  { commands: 200, hours: 2, crashes: 5 },
  { ...SMALL, crashes: 15 },
  { ...SMALL, nodes: 1 },
  { ...SMALL, nodes: 2 },
] as const;
const CYCLE = 10;

describe(`a simulated installation: ${COUNT} seeds from ${FIRST}`, function () {
  this.timeout(0);
  const startedAt = performance.now();
  for (let first = FIRST; first < FIRST + COUNT; first += GROUP) {
    const seeds = [...seedsFrom(first, Math.min(GROUP, FIRST + COUNT - first))];
    it(`holds its invariants with ${seeds.length} seeds from ${first}`, async function () {
      if (performance.now() - startedAt > TIME_LIMIT_MS) {
        console.log(`      skipped: seeds from ${first}: the time limit of SIMULATION_SECONDS is over`);
        this.skip();
      }
      for (const [i, shape] of SHAPES.entries())
        await expectAllToHold(
          seeds.filter((_, nth) => nth % CYCLE === i),
          shape,
        );
      await expectAllToHold(seeds.filter((_, nth) => nth % CYCLE >= SHAPES.length));
    });
  }
});
