/** The search for the first seeds whose runs find the planted defects. */
import { writeFile } from 'node:fs/promises';
import { type Defect, defects, PLANTED_SIZE } from './planted.js';
import { PINNED } from './planted-seeds.js';
import { simulate } from './simulate.js';

export const MAX_SEEDS = 300;

export interface Seeds {
  readonly from: number;
  readonly count: number;
}

/** The seed and what its run says about the defect, or null where none of the seeds finds it. */
export async function searchSeed({ plant, finding }: Defect, { from, count }: Seeds): Promise<{ seed: number; text: string } | null> {
  for (let seed = from; seed < from + count; seed++) {
    const { failures } = await simulate({ ...PLANTED_SIZE, seed, plant });
    const text = failures.find((failure) => finding.test(failure));
    if (text !== undefined) return { seed, text: text.slice(0, 160) };
  }
  return null;
}

/**
 * Searches for `all` defects, or those whose names contain `wanted`. The known seed is tried first. With `pin`, the seeds are written
 * to `planted-seeds.ts`. Returns how many defects were not found.
 */
export async function searchPlanted(wanted: string, seeds: Seeds | null, pin: boolean): Promise<number> {
  const pinned: Record<string, number> = { ...PINNED };
  let missed = 0;
  for (const [name, defect] of Object.entries(defects)) {
    if (wanted !== 'all' && !name.includes(wanted)) continue;
    const known = seeds === null && PINNED[name] !== undefined ? await searchSeed(defect, { from: PINNED[name], count: 1 }) : null;
    const found = known ?? (await searchSeed(defect, seeds ?? { from: 1, count: MAX_SEEDS }));
    console.log(`${name}: ${found ? `seed ${found.seed}, ${found.text}` : 'not found'}`);
    if (found) pinned[name] = found.seed;
    else missed += 1;
  }
  if (pin) await writeFile('test/simulation/planted-seeds.ts', sourceOf(pinned));
  return missed;
}

const sourceOf = (pinned: Readonly<Record<string, number>>): string => {
  const lines = Object.keys(defects).flatMap((name) => (pinned[name] === undefined ? [] : [`  '${name}': ${pinned[name]},`]));
  return `/** The first seed that finds each planted defect, by \`npm run simulate -- --planted all --pin\`. Traffic that changes needs new ones. */
export const PINNED: Readonly<Record<string, number>> = {
${lines.join('\n')}
};
`;
};
