import { readFileSync, writeFileSync } from 'node:fs';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import { TIMEOUT_FACTOR } from '../../support/eventually.js';
import { counterNames, isExact, type Numbers, numbersBy } from './counts.js';
import { Installation } from './installation.js';

/** The table, by the names of the specs. */
const FILE = 'test/slow/budget/budget.json';
const RECORD = 'RECORD_BUDGET';
const SEEDS = [1, 2, 3] as const;
/** Of what depends on timing: by how much the table is above the median, at least, so that a change elsewhere does not exceed it by chance. */
const ROOM = { share: 0.1, count: 10 };
/** Far more than a run takes: a machine with much other work gives a spec little of its cores. */
const TIMEOUT_MS = 600_000;

/** Prepares what is to be done, and returns what is counted. */
export type Scenario = (installation: Installation) => Promise<() => Promise<void>>;

/** A spec that holds the numbers of a scenario to the table, or, with RECORD_BUDGET=1, writes them into it. */
export function holdsBudget(name: string, scenario: Scenario): void {
  it(name, async function () {
    this.timeout(TIMEOUT_MS * TIMEOUT_FACTOR);
    if (process.env[RECORD] === '1') return record(name, await allRuns(scenario));
    const allowed = ownField(table(), name);
    // A run repeats itself exactly, so others are needed only where the first one exceeds the table.
    const first = await counted(SEEDS[0], scenario);
    if (differences(allowed, first) === null) return;
    const problems = differences(allowed, medians(await allRuns(scenario, first)));
    if (problems !== null) throw new Error(`${name}:\n${problems}\nWhere it is meant to be so: ${RECORD}=1 npm run spec -- test/slow/budget`);
  });
}

async function allRuns(scenario: Scenario, first?: Numbers): Promise<Numbers[]> {
  const runs = first ? [first] : [];
  for (const seed of SEEDS.slice(runs.length)) runs.push(await counted(seed, scenario));
  return runs;
}

async function counted(seed: number, scenario: Scenario): Promise<Numbers> {
  const installation = await Installation.start(seed);
  try {
    const work = await scenario(installation);
    await installation.until('all that was prepared is in the read models', () => true);
    installation.counts.reset();
    await work();
    return installation.counts.numbers;
  } finally {
    installation.end();
  }
}

/** The number in the middle of each counter. */
export const medians = (runs: readonly Numbers[]): Numbers =>
  numbersBy((counter) => [...runs].map((run) => run[counter]).sort((a, b) => a - b)[Math.floor(runs.length / 2)] as number);

/** What was allowed beside what was found, or null where all numbers are held. */
export function differences(allowed: Numbers | undefined, found: Numbers): string | null {
  const rows = counterNames.map((name) => {
    const limit = allowed?.[name];
    const isHeld = limit !== undefined && (isExact(name) ? found[name] === limit : found[name] <= limit);
    return { isHeld, cells: [name, limit === undefined ? 'no entry' : `${isExact(name) ? '=' : '≤'} ${limit}`, `${found[name]}`] };
  });
  if (rows.every(({ isHeld }) => isHeld)) return null;
  const line = (cells: readonly string[], mark: string) =>
    `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(18) : cell.padStart(10))).join(' ')}  ${mark}`.trimEnd();
  return [line(['', 'allowed', 'found'], ''), ...rows.map(({ cells, isHeld }) => line(cells, isHeld ? '' : '← not held'))].join('\n');
}

/** Throws where an exact number differs between the runs: then it is not exact. */
function record(name: string, runs: readonly Numbers[]): void {
  const found = medians(runs);
  for (const counter of counterNames) {
    const all = runs.map((run) => run[counter]);
    if (isExact(counter) && new Set(all).size > 1) throw new Error(`${name}: ${counter} depends on timing: ${all.join(', ')}`);
  }
  const entries: Record<string, Numbers> = { ...table() };
  setOwnField(
    entries,
    name,
    numbersBy((counter) => (isExact(counter) ? found[counter] : found[counter] + Math.max(ROOM.count, Math.ceil(found[counter] * ROOM.share)))),
  );
  writeFileSync(FILE, `${JSON.stringify(entries, null, 2)}\n`);
}

const table = (): Readonly<Record<string, Numbers>> => JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Numbers>>;
