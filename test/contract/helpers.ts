import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Checkpoint,
  type EventStore,
  type ExpectedRevision,
  isWrongRevision,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../../domain/kernel/ports.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';

/** A temporary folder for a suite. It is removed afterward, and `clear` removes what the engine stored elsewhere. */
export function ownFolder(clear?: (dir: string) => Promise<void>): () => string {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'heliograph-contract-'));
  });
  after(async () => {
    if (!dir) return;
    await clear?.(dir);
    await rm(dir, { recursive: true, force: true });
  });
  return () => dir;
}

export const newEvent = (given: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'Tested',
  data: '{"n":1}',
  metadata: '{}',
  ...given,
});
export const newEvents = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => newEvent({ data: `{"n":${n}}` }));

/** A new stream name, unique even if the engine was used before. */
export const newStream = (): string => `test-${randomUUID()}`;

export const positionAt = (place: number): Position => String(place).padStart(20, '0');

/** The error of a rejected promise. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([promise]);
  if (outcome.status === 'rejected') return outcome.reason;
  return expect.fail(`expected a failure, got ${JSON.stringify(outcome.value)}`);
}

export async function expectConflict(
  promise: Promise<unknown>,
  { stream, expected, actual }: { stream: string; expected: ExpectedRevision; actual: ExpectedRevision },
) {
  const error = await failureOf(promise);
  expect(isWrongRevision(error), String(error)).to.equal(true);
  expect(error).to.include({ stream, expected, actual });
}

/** The events of a stream; fails if it does not exist. */
export async function eventsOf(store: EventStore, stream: string): Promise<readonly RecordedEvent[]> {
  const events = await store.read(stream);
  return events === 'not-found' ? expect.fail(`no stream ${stream}`) : events;
}

/** All events after a position, read page by page. */
export async function everythingAfter(store: EventStore, after: Checkpoint, limit = 500): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (let at = after; ; ) {
    const page = await store.readAll(at, limit);
    all.push(...page.events);
    at = page.upTo;
    if (page.caughtUp) return all;
  }
}

/** The value of the promise, or after the time limit an error that names `what`. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms * TIMEOUT_FACTOR} ms: ${what}`)), ms * TIMEOUT_FACTOR);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
