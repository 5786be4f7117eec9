import { figure, medianOf } from './figures.js';
import { environmentOf } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { commandLine, runJob } from './processes.js';
import type { ReadJob, ReadResult } from './read-log.js';

const MESSAGES = 200_000;
const BOUND = { of: 'value', at: 'least', is: 50_000, aim: 100_000 } as const;

/** A rebuild of the history projection by the operator's command. */
export const rebuilding: PartDefinition = { title: 'heliograph projections rebuild messages', measure };

async function measure({ quick, store, say }: BenchContext): Promise<Measurement> {
  const messages = quick ? MESSAGES / 10 : MESSAGES;
  const rounds = quick ? 1 : 3;
  const folder = await store(messages, false);
  const rates = { rebuilt: [] as number[], read: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const read = await runJob<ReadJob, ReadResult>('./read-log.js', { dir: folder.dir });
    const rebuilt = await commandLine<{ events: number; duration_ms: number }>(environmentOf(folder), 'projections', 'rebuild', 'messages');
    rates.read.push((read.events / read.ms) * 1_000);
    rates.rebuilt.push((rebuilt.events / rebuilt.duration_ms) * 1_000);
    say(`  round ${round + 1}: ${rebuilt.events} events in ${Math.round(rebuilt.duration_ms)} ms, only reading them ${Math.round(read.ms)} ms`);
  }
  const reference = { name: 'reading and parsing alone', value: medianOf(rates.read) };
  return {
    dataset: `${messages.toLocaleString('en-US')} messages of four events each, events of a thousand messages interleaved, medians of ${rounds}`,
    figures: [
      figure('reading the log and parsing its events, nothing else', reference.value, 'events/s'),
      figure('rebuild of the message history', medianOf(rates.rebuilt), 'events/s', { reference, bound: BOUND }),
    ],
  };
}
