import { expect } from 'chai';
import type { RunOptions } from './run.js';
import { flagsOf } from './shortest.js';
import { simulate } from './simulate.js';

/** A smaller run than the default one. */
export const SMALL = { commands: 40, hours: 0.5, crashes: 3 } as const;

/** Runs these seeds, and fails with what was violated and how to repeat it. */
export async function expectAllToHold(seeds: Iterable<number>, options: Omit<RunOptions, 'seed'> = SMALL): Promise<void> {
  const found: string[] = [];
  for (const seed of seeds) {
    const { failures } = await simulate({ ...options, seed });
    if (failures.length > 0) found.push(`npm run simulate -- ${flagsOf({ ...options, seed })}\n  ${failures.slice(0, 5).join('\n  ')}`);
  }
  expect(found, `${found.length} seeds failed:\n${found.join('\n')}\n`).to.have.lengthOf(0);
}

/** So many seeds from one on. */
export function* seedsFrom(first: number, count: number): Iterable<number> {
  for (let i = 0; i < count; i++) yield first + i;
}
