import { randomUUID } from 'node:crypto';
import { createClock } from '../../ops/system/clock.js';
import { writeNow } from '../support/write-now.js';
import { logs, views } from './engines.js';
import { newEvents, positionAt } from './helpers.js';
import { countingView } from './read-models/views.js';

/** Writes synchronously, so that a kill -9 right afterward does not lose the line. */
const report = (step: unknown): void => writeNow(1, `${JSON.stringify(step)}\n`);

export interface Acknowledged {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly ids: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Eight writers, each with its own stream: `rounds` appends each, or without end. */
async function append(engine: string, dir: string, rounds = 'Infinity'): Promise<void> {
  const log = await named(logs, engine).open(dir);
  const writer = async () => {
    const stream = `test-${randomUUID()}`;
    let revision = -1;
    for (let round = 0; round < Number(rounds); round++) {
      const events = newEvents(1 + (round % 3));
      const answer = await log.events.append(stream, revision < 0 ? 'no-stream' : revision, events);
      revision = answer.revision;
      report({ stream, ...answer, ids: events.map(({ id }) => id), at: Date.now() } satisfies Acknowledged);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  await log.events.close();
}

/** Increments a counter document with each commit. Its value equals the checkpoint unless a commit is partial. */
async function project(engine: string, dir: string): Promise<void> {
  const { views: models } = await named(views, engine).open(dir, createClock());
  const writer = await models.writer(countingView);
  const begun = await writer.checkpoint();
  for (let n = begun === 'start' ? 0 : Number(begun); ; n++) {
    const op = { collection: 'counters', id: 'counter', before: n === 0 ? undefined : { id: 'counter', n }, after: { id: 'counter', n: n + 1 } };
    const outcome = await writer.commit(n === 0 ? 'start' : positionAt(n), positionAt(n + 1), [op]);
    if (outcome !== 'ok') throw new Error(outcome);
    report(n + 1);
  }
}

/** Acquires a lease and holds it until the process ends. */
async function hold(engine: string, dir: string, lease: string, ttlMs: string): Promise<void> {
  const { leases } = await named(views, engine).open(dir, createClock());
  report((await leases.acquire(lease, Number(ttlMs)))?.epoch ?? null);
  process.stdin.resume();
}

function named<E extends { readonly name: string }>(engines: readonly E[], name: string): E {
  const engine = engines.find((e) => e.name === name);
  if (!engine) throw new Error(`unknown engine ${name}`);
  return engine;
}

const jobs: Readonly<Record<string, (...args: [string, string, ...string[]]) => Promise<void>>> = {
  append,
  project,
  hold: (engine, dir, lease = '', ttlMs = '') => hold(engine, dir, lease, ttlMs),
};
const [job = '', engine = '', dir = '', ...args] = process.argv.slice(2);
await jobs[job]?.(engine, dir, ...args);
