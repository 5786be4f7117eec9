import { join } from 'node:path';
import { figure } from './figures.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob } from './processes.js';
import type { SearchJob, SearchResult } from './search-job.js';

const ROUNDS = 200;
/** A page is shown while somebody types. */
const BOUND = { of: 'value', at: 'most', is: 100 } as const;

/** What it costs that contacts are found by parts of names, emails and phone numbers, and how long a search takes. */
export const searchPart: PartDefinition = { title: 'search of contacts', measure };

async function measure({ quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const contacts = quick ? 20_000 : messages;
  const result = await runJob<SearchJob, SearchResult>('./search-job.js', { dir: join(parent, 'search'), contacts, rounds: ROUNDS });
  const plain = { name: 'the same read model without it', value: result.plainBytes };
  const figures = [
    figure('read model of a contact', result.bytes, 'bytes', { reference: plain }),
    figure('CPU to fold the creation of a contact', result.foldUs, 'µs', { reference: { name: 'without the search', value: result.plainFoldUs } }),
  ];
  for (const [kind, times] of Object.entries(result.times)) {
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)] ?? 0);
    say(`  ${kind}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    figures.push(figure(`${kind}: p50`, p50, 'ms', { bound: BOUND }), figure(`${kind}: p99`, p99, 'ms'));
  }
  return {
    dataset: `${contacts.toLocaleString('en-US')} contacts with names, email and phone; ${ROUNDS} searches of each kind, pages of 50`,
    figures,
  };
}
