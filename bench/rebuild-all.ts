import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { VIEWS_FOLDER } from '../engines/sqlite/files.js';
import { type Figure, figure, medianOf } from './figures.js';
import { copyOf, type DataFolder, environmentOf } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Environment, runJob, startService } from './processes.js';
import type { ReadJob, ReadResult } from './read-log.js';

const MESSAGES = 20_000;
const OPERATOR_TOKEN = 'operator-token-of-the-benchmark-0123456789';
const POLL_MS = 250;
const BOUND = { of: 'value', at: 'most', is: 6 } as const;

/** A start after all read models were deleted, compared with reading the log alone. */
export const rebuildingAll: PartDefinition = { title: 'all read models and to-do lists from nothing', measure };

async function measure(context: BenchContext): Promise<Measurement> {
  const messages = context.quick ? MESSAGES / 4 : MESSAGES;
  const folder = await context.store(messages, false);
  const figures = await ratio(folder, context);
  return { dataset: `${messages.toLocaleString('en-US')} messages of four events each`, figures };
}

async function ratio(folder: DataFolder, { quick, parent, say }: BenchContext): Promise<Figure[]> {
  const times = { read: [] as number[], rebuilt: [] as number[] };
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const copy = copyOf(folder, parent);
    rmSync(join(copy.dir, VIEWS_FOLDER), { recursive: true, force: true });
    const read = await runJob<ReadJob, ReadResult>('./read-log.js', { dir: copy.dir });
    const rebuilt = await rebuild(environmentOf(copy, 'projections'));
    times.read.push(read.ms);
    times.rebuilt.push(rebuilt);
    say(`  round ${round + 1}: ${read.events} events read in ${Math.round(read.ms)} ms, all rebuilt in ${Math.round(rebuilt)} ms`);
    rmSync(copy.dir, { recursive: true, force: true });
  }
  return [
    figure('reading the log alone', medianOf(times.read), 'ms'),
    figure('rebuild of everything', medianOf(times.rebuilt), 'ms'),
    figure('rebuild of everything, in times of reading', medianOf(times.rebuilt) / medianOf(times.read), '×', { bound: BOUND }),
  ];
}

/** Milliseconds from the moment a service answers until all of its projections are at the end of the log. */
async function rebuild(own: Environment): Promise<number> {
  const service = await startService({ ...own, HELIOGRAPH_OPERATOR_TOKEN: OPERATOR_TOKEN });
  const began = performance.now();
  try {
    for (;;) {
      const answer = await fetch(`${service.url}/v1/system/projections`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
      if (!answer.ok) throw new Error(`the projections were answered with ${answer.status}: ${await answer.text()}`);
      const statuses = (await answer.json()) as readonly { position: string; head: string }[];
      if (statuses.every(({ position, head }) => position === head)) return performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await service.kill();
  }
}
