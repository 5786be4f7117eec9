import type { RunOptions } from './run.js';
import { simulate } from './simulate.js';
import { type FaultRates, NO_FAULTS } from './world/faults.js';

/** Kinds of faults by their rates. A run without one of them draws the same other faults. */
const KINDS = (Object.keys(NO_FAULTS) as (keyof FaultRates)[]).filter((kind) => NO_FAULTS[kind] === 0 && kind !== 'crashesPerHour');

/** The run with fewer commands, crashes and kinds of faults that still fails: halves numbers, then leaves out kinds one by one. */
export async function shortest(options: RunOptions): Promise<RunOptions> {
  const fails = async (smaller: RunOptions) => (await simulate(smaller)).failures.length > 0;
  let found: Required<Pick<RunOptions, 'commands' | 'crashes'>> & RunOptions = { commands: 200, crashes: 5, ...options };
  for (let before = null as RunOptions | null; before !== found; ) {
    before = found;
    for (const size of ['crashes', 'commands'] as const) {
      const smaller = { ...found, [size]: Math.floor(found[size] / 2) };
      if (found[size] > 0 && (await fails(smaller))) found = smaller;
    }
  }
  for (const kind of KINDS) {
    const smaller = { ...found, faults: { ...found.faults, [kind]: 0 } };
    if (await fails(smaller)) found = smaller;
  }
  return found;
}

/** The flags of the command line that repeat a run. */
export function flagsOf({ seed, nodes, commands, hours, crashes, faults = {} }: RunOptions): string {
  const sizes = Object.entries({ seed, nodes, commands, hours, crashes }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  const without = Object.keys(faults);
  return [...sizes, ...(without.length > 0 ? [`--without ${without.join(',')}`] : [])].join(' ');
}
