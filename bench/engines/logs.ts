import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, type EventStore, isAfter } from '../../domain/kernel/ports.js';
import { openEventStoreLog } from '../../engines/eventstoredb/index.js';
import { openSqliteLog, startWriter } from '../../engines/sqlite/index.js';
import { newId } from '../../log/runtime/ids.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { type Figure, figure, medianOf } from '../figures.js';
import type { BenchContext, Measurement } from '../part.js';
import type { ExternalServer } from './external-servers.js';
import { type AppendCall, appendsOf, readMessageEvents, sizeOf } from './workload.js';

const CONCURRENCY = 64;
/** The page size of the subscription that all projections of a process share. */
const PAGE = 1_000;

/** A measured log with the figures of each round: appends and events a second, microseconds of CPU time per event. */
interface Subject {
  readonly name: string;
  readonly store: EventStore;
  /** The head of the log before the first append. */
  readonly from: Checkpoint;
  readonly taken: Record<Measure, number[]>;
}
const measures = ['one', 'many', 'cpu', 'read', 'follow'] as const;
type Measure = (typeof measures)[number];

/** The log in EventStoreDB, compared with the embedded one, which its own thread writes to a file. */
export async function measureLogs({ quick, parent, store, say }: BenchContext, server: ExternalServer): Promise<Measurement> {
  const [rounds, one, many] = quick ? [3, 200, 2_000] : [5, 500, 4_000];
  const round = one + many;
  const wanted = round * (rounds + 1);
  const messages = Math.ceil(wanted / 3);
  const recorded = await readMessageEvents(await store(messages, false), Math.ceil(wanted * 1.05));
  const appends = appendsOf(recorded, newId(systemEntropy, 'job', Date.now()), CONCURRENCY * 2).slice(0, wanted);
  const ends: Closers = [];
  try {
    const subjects = [await embedded(parent, ends), await outside(server, ends)] as const;
    // The first round warms up and is not counted.
    for (let n = -1; n < rounds; n++) {
      const work = appends.slice((n + 1) * round, (n + 2) * round);
      for (const subject of alternate(subjects, n)) {
        const taken = await writing(subject.store, work.slice(0, one), work.slice(one));
        if (n < 0) continue;
        note(subject, taken);
        say(`  round ${n + 1}, ${subject.name}: ${text(taken)}`);
      }
    }
    for (let n = -1; n < rounds; n++) {
      for (const subject of alternate(subjects, n)) {
        const taken = await reading(subject, appends.length);
        if (n < 0) continue;
        note(subject, taken);
        say(`  round ${n + 1}, ${subject.name}: ${text(taken)}`);
      }
    }
    const dataset = `single events of messages, ${Math.round(sizeOf(appends))} bytes with metadata, ${one} in a row and ${many.toLocaleString('en-US')} at ${CONCURRENCY} a round; ${appends.length.toLocaleString('en-US')} read in pages of ${PAGE.toLocaleString('en-US')}; medians of ${rounds} rounds in turns`;
    return { dataset, figures: figuresOf(...subjects) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Run at the end, in reverse order. */
export type Closers = (() => Promise<void>)[];

/** Alternates the order, so that a machine that slows down favors neither. */
export const alternate = <T>(subjects: readonly [T, T], round: number): readonly T[] => (round % 2 === 0 ? subjects : [...subjects].reverse());

const none = (): Subject['taken'] => ({ one: [], many: [], cpu: [], read: [], follow: [] });

async function embedded(parent: string, ends: Closers): Promise<Subject> {
  const dir = mkdtempSync(join(parent, 'log-'));
  const writer = await startWriter(dir);
  ends.push(() => writer.close());
  const { events: store } = openSqliteLog({ dir, writer: writer.connect() });
  ends.push(() => store.close());
  return { name: 'embedded', store, from: 'start', taken: none() };
}

async function outside({ url, name }: ExternalServer, ends: Closers): Promise<Subject> {
  const store = openEventStoreLog({ url });
  ends.push(() => store.close());
  return { name, store, from: await store.head(), taken: none() };
}

type Timings = Partial<Record<Measure, number>>;

function note({ taken }: Subject, round: Timings): void {
  for (const measure of measures) if (round[measure] !== undefined) taken[measure].push(round[measure]);
}

const text = (taken: Timings): string =>
  Object.entries(taken)
    .map(([measure, value]) => `${measure} ${Math.round(value)}`)
    .join(', ');

async function writing(store: EventStore, sequential: readonly AppendCall[], concurrent: readonly AppendCall[]): Promise<Timings> {
  const one = await appended(store, sequential, 1);
  const cpu = process.cpuUsage();
  const many = await appended(store, concurrent, CONCURRENCY);
  const { user, system } = process.cpuUsage(cpu);
  return { one, many, cpu: (user + system) / concurrent.length };
}

/** Appends a second, with this number in flight. */
async function appended(store: EventStore, appends: readonly AppendCall[], atOnce: number): Promise<number> {
  const rest = appends.values();
  const startedAt = performance.now();
  const some = async () => {
    for (const { stream, expected, event } of rest) await store.append(stream, expected, [event]);
  };
  await Promise.all(Array.from({ length: atOnce }, some));
  return perSecond(appends.length, startedAt);
}

/** Events a second, read page by page and by a subscription, from the first appended to the last. */
async function reading({ store, from }: Subject, events: number): Promise<Timings> {
  const until = await store.head();
  let startedAt = performance.now();
  let seen = 0;
  for (let after = from; isAfter(until, after); ) {
    const page = await store.readAll(after, PAGE);
    seen += page.events.length;
    after = page.upTo;
  }
  const read = perSecond(seen, startedAt);
  const stop = new AbortController();
  startedAt = performance.now();
  let received = 0;
  for await (const page of store.subscribe(from, stop.signal, PAGE)) {
    received += page.events.length;
    if (!isAfter(until, page.upTo)) break;
  }
  const follow = perSecond(received, startedAt);
  stop.abort();
  // Other processes may have written to the server.
  if (seen < events || received < seen) throw new Error(`${seen} events were read and ${received} received where ${events} were appended`);
  return { read, follow };
}

const perSecond = (count: number, startedAt: number): number => (count / (performance.now() - startedAt)) * 1_000;

const NAMES: Readonly<Record<Measure, readonly [string, string]>> = {
  one: ['append, one at a time', '/s'],
  many: [`append, ${CONCURRENCY} at once`, '/s'],
  cpu: [`processor time in our process, ${CONCURRENCY} at once`, 'µs an event'],
  read: ['read the whole log', 'events/s'],
  follow: ['subscribe from its start', 'events/s'],
};

const figuresOf = (own: Subject, other: Subject): Figure[] =>
  measures.map((measure) => {
    const [what, unit] = NAMES[measure];
    const reference = { name: own.name, value: medianOf(own.taken[measure]) };
    return figure(`${what}, EventStoreDB engine on ${other.name}`, medianOf(other.taken[measure]), unit, { reference });
  });
