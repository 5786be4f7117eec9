import { join } from 'node:path';
import { type Figure, figure } from './figures.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob } from './processes.js';
import type { SegmentsJob, SegmentsResult } from './segments-job.js';

const SEGMENTS = 1_000;
const BOUND = { of: 'value', at: 'most', is: 400, aim: 150 } as const;

/** What it costs to keep the memberships of all contacts in all segments up to date, with the events already in the log. */
export const segmentMemberships: PartDefinition = { title: 'memberships of segments', measure };

const built = (what: string, { ms, cpuMs }: SegmentsResult['one']['known']): Figure[] => [
  figure(what, ms / 1_000, 's'),
  figure(`${what}, CPU`, cpuMs / 1_000, 's'),
];

async function measure({ quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const sizes = quick ? [1_000] : [10_000, messages];
  const events = quick ? 4_000 : 40_000;
  const figures = [];
  for (const contacts of sizes) {
    const input = { dir: join(parent, `segments-${contacts}`), contacts, segments: SEGMENTS, events };
    const result = await runJob<SegmentsJob, SegmentsResult>('./segments-job.js', input);
    const of = `${contacts.toLocaleString('en-US')} contacts`;
    say(`  ${of}: ${Math.round(result.keepUs)} and ${Math.round(result.recordUs)} µs of CPU an event, ${result.records.toFixed(2)} records an event`);
    figures.push(
      figure(`${of}: CPU to keep the documents`, result.keepUs, 'µs/event', { bound: BOUND }),
      figure(`${of}: CPU to record changes and take the records in`, result.recordUs, 'µs/event'),
      figure(`${of}: contacts with a record`, result.records, 'per event'),
      figure(`${of}: all segments built`, result.buildMs / 1_000, 's'),
      ...built(`${of}: one more segment, of leaves that others have`, result.one.known),
      ...built(`${of}: one more segment, of a new leaf over an open field`, result.one.attribute),
      ...built(`${of}: one more segment, of a new leaf over events`, result.one.event),
      figure(`${of}: document of a contact`, result.bytes, 'bytes'),
    );
  }
  return { dataset: `${SEGMENTS.toLocaleString('en-US')} segments of two leaves, ${events.toLocaleString('en-US')} events, pages of 1,000`, figures };
}
