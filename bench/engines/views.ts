import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint, ViewWriter } from '../../domain/kernel/ports.js';
import { openMongoViews } from '../../engines/mongodb/index.js';
import { openSqliteViews } from '../../engines/sqlite/index.js';
import { messages } from '../../projections/messages/projection.js';
import { type Figure, figure, medianOf } from '../figures.js';
import type { BenchContext, Measurement } from '../part.js';
import { dropDatabase, type ExternalServer } from './external-servers.js';
import { alternate, type Closers } from './logs.js';
import { readMessageEvents, type ViewPage, viewPages } from './workload.js';

const LARGE = 500;
const SMALL = 10;

/** A measured store of read models with the figures of each round: rates a second, and microseconds of CPU time per document. */
interface Subject {
  readonly name: string;
  readonly writer: ViewWriter;
  at: Checkpoint;
  readonly taken: Record<Measure, number[]>;
}
const measures = ['small', 'large', 'documents', 'cpu'] as const;
type Measure = (typeof measures)[number];

/** Read models in MongoDB, compared with the embedded ones: the message history with all its indexes, from pages of a real log. */
export async function measureViews(context: BenchContext, server: ExternalServer): Promise<Measurement> {
  const { quick, parent, store, say } = context;
  const [rounds, small, large] = quick ? [3, 20, 4] : [5, 40, 8];
  const round = [...Array<number>(small).fill(SMALL), ...Array<number>(large).fill(LARGE)];
  const sizes = Array.from({ length: rounds + 1 }, () => round).flat();
  const wanted = sizes.reduce((sum, size) => sum + size, 0);
  const pages = await viewPages(await readMessageEvents(await store(Math.ceil(wanted / 3), false), wanted), sizes);
  const ends: Closers = [];
  try {
    const subjects = [await embedded(parent, ends), await outside(server, ends)] as const;
    // The first round warms up and is not counted.
    for (let n = -1; n < rounds; n++) {
      const work = pages.slice((n + 1) * round.length, (n + 2) * round.length);
      for (const subject of alternate(subjects, n)) {
        const taken = await writing(subject, work.slice(0, small), work.slice(small));
        if (n < 0) continue;
        for (const measure of measures) subject.taken[measure].push(taken[measure]);
        say(`  round ${n + 1}, ${subject.name}: ${measures.map((measure) => `${measure} ${Math.round(taken[measure])}`).join(', ')}`);
      }
    }
    const dataset = `the message history, ${small} pages of ${SMALL} events and ${large} of ${LARGE} a round from a log, each loaded and committed, medians of ${rounds} alternating rounds`;
    return { dataset, figures: figuresOf(...subjects) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const none = (): Subject['taken'] => ({ small: [], large: [], documents: [], cpu: [] });

async function embedded(parent: string, ends: Closers): Promise<Subject> {
  const { views } = openSqliteViews({ dir: mkdtempSync(join(parent, 'views-')), instance: randomUUID() });
  ends.push(() => views.close());
  const writer = await views.writer(messages);
  ends.push(() => writer.close());
  return { name: 'embedded', writer, at: 'start', taken: none() };
}

/** In a temporary database, which is dropped at the end. */
async function outside(server: ExternalServer, ends: Closers): Promise<Subject> {
  const instance = randomUUID();
  const database = `heliograph-bench-${instance.slice(0, 8)}`;
  const engine = await openMongoViews({ url: server.url, database, instance });
  ends.push(
    () => dropDatabase(server, database),
    () => engine.close(),
  );
  const writer = await engine.views.writer(messages);
  ends.push(() => writer.close());
  return { name: server.name, writer, at: 'start', taken: none() };
}

async function writing(subject: Subject, small: readonly ViewPage[], large: readonly ViewPage[]): Promise<Record<Measure, number>> {
  const ofSmall = await written(subject, small);
  const cpu = process.cpuUsage();
  const ofLarge = await written(subject, large);
  const { user, system } = process.cpuUsage(cpu);
  const documents = large.reduce((sum, { ops }) => sum + ops.length, 0);
  return { small: small.length / ofSmall, large: large.length / ofLarge, documents: documents / ofLarge, cpu: (user + system) / documents };
}

/** Seconds. */
async function written(subject: Subject, pages: readonly ViewPage[]): Promise<number> {
  const { writer, name } = subject;
  const began = performance.now();
  for (const { to, refs, ops } of pages) {
    await writer.load(refs);
    if ((await writer.commit(subject.at, to, ops)) !== 'ok') throw new Error(`another process writes the read models of ${name}`);
    subject.at = to;
  }
  return (performance.now() - began) / 1_000;
}

const NAMES: Readonly<Record<Measure, readonly [string, string]>> = {
  small: [`commit, pages of ${SMALL} events`, 'pages/s'],
  large: [`commit, pages of ${LARGE} events`, 'pages/s'],
  documents: [`documents written, pages of ${LARGE} events`, '/s'],
  cpu: ['processor time in our process', 'µs a document'],
};

const figuresOf = (own: Subject, other: Subject): Figure[] =>
  measures.map((measure) => {
    const [what, unit] = NAMES[measure];
    const reference = { name: own.name, value: medianOf(own.taken[measure]) };
    return figure(`${what}, MongoDB engine on ${other.name}`, medianOf(other.taken[measure]), unit, { reference });
  });
