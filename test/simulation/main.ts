/**
 * `npm run simulate -- --seed 42 [--trace]` repeats one run. `npm run simulate -- --minutes 60` tries new seeds and prints those
 * that fail, each with the shortest run that still fails. Further options: --nodes, --commands, --hours, --crashes, --from,
 * --count, --without KIND,KIND (kinds of faults). With `--json` each run is one line of numbers, and `--sum FILE` adds such lines up.
 * `--planted NAME` looks for the first seed that finds a planted defect, or tries `--seed`; `--pin` keeps it for the spec.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { add, NOTHING, sumOf, sumOfLines, textOf } from './report.js';
import type { RunOptions } from './run.js';
import { searchPlanted } from './search.js';
import { flagsOf, shortest } from './shortest.js';
import { type RunResult, simulate } from './simulate.js';
import type { TraceLine } from './world/world.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string' },
    minutes: { type: 'string' },
    count: { type: 'string' },
    json: { type: 'boolean', default: false },
    sum: { type: 'string', multiple: true },
    nodes: { type: 'string' },
    commands: { type: 'string' },
    hours: { type: 'string' },
    crashes: { type: 'string' },
    without: { type: 'string' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'string' },
    pin: { type: 'boolean', default: false },
  },
});
const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
const sizes = {
  ...Object.fromEntries(
    (['nodes', 'commands', 'hours', 'crashes'] as const).flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])]])),
  ),
  ...(values.without && { faults: Object.fromEntries(values.without.split(',').map((kind) => [kind, 0])) }),
};

/** Hours, minutes, seconds and milliseconds since the start. */
const timeOf = (ms: number): string => String(Math.floor(ms / 3_600_000)).padStart(2, '0') + new Date(ms).toISOString().slice(13, 23);
const printTrace = ({ at, actor, text }: TraceLine): void => console.log(`${timeOf(at)}  ${actor.padEnd(22)} ${text}`);

let sum = NOTHING;

async function timed(options: RunOptions): Promise<RunResult> {
  const began = process.cpuUsage();
  const result = await simulate(options);
  const { user, system } = process.cpuUsage(began);
  const run = { ...result, cpuMs: (user + system) / 1_000 };
  sum = add(sum, sumOf(run));
  console.log(values.json ? JSON.stringify(add(NOTHING, sumOf(run))) : textOf(run));
  if (values.json && run.failures.length > 0) console.log(textOf(run));
  return result;
}

const seed = numberOf(values.seed);
let failed = 0;
if (values.sum) {
  console.log(JSON.stringify(sumOfLines((await Promise.all(values.sum.map((file) => readFile(file, 'utf8')))).flatMap((text) => text.split('\n')))));
} else if (values.planted !== undefined) {
  failed = await searchPlanted(values.planted, seed === undefined ? null : { from: seed, count: 1 }, values.pin);
} else if (seed !== undefined) {
  const { failures } = await timed({ seed, ...sizes, ...(values.trace && { onTrace: printTrace }) });
  failed = failures.length > 0 ? 1 : 0;
} else {
  const count = numberOf(values.count) ?? Number.POSITIVE_INFINITY;
  const end = performance.now() + (numberOf(values.minutes) ?? (values.count === undefined ? 1 : Number.POSITIVE_INFINITY)) * 60_000;
  const from = numberOf(values.from) ?? Math.floor(Math.random() * 1_000_000);
  for (let next = from; next < from + count && performance.now() < end; next++) {
    const { failures } = await timed({ seed: next, ...sizes });
    if (failures.length === 0) continue;
    failed += 1;
    console.log(`  repeat it: npm run simulate -- ${flagsOf(await shortest({ seed: next, ...sizes }))} --trace`);
  }
  console.log(values.json ? JSON.stringify({ sum }) : failed === 0 ? 'no seed failed' : `${failed} seeds failed`);
}
process.exit(failed > 0 ? 1 : 0);
