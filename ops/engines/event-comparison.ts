import type { Checkpoint, EventStore, NewEvent, RecordedEvent } from '../../domain/kernel/ports.js';

/** Identifies an event to an operator, without its contents. */
export interface EventIdentity {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
}

/** The first difference of two logs. */
export interface LogDifference {
  /** Number of the event in the log, from 1. */
  readonly event: number;
  /** Null if the log ends before it. */
  readonly source: EventIdentity | null;
  readonly target: EventIdentity | null;
}

/** The event's UUID in lower case: stores differ in case. */
export const idOf = ({ id }: NewEvent): string => id.toLowerCase();

/** Whether two events are equal in everything but the position, which differs between stores. */
export const sameEvent = (a: RecordedEvent, b: RecordedEvent): boolean =>
  a.stream === b.stream && a.revision === b.revision && idOf(a) === idOf(b) && a.type === b.type && a.data === b.data && a.metadata === b.metadata;

export const namedEvent = ({ stream, revision, type, id }: RecordedEvent): EventIdentity => ({ stream, revision, type, id });

/** The difference as a clause. */
export function describeDifference({ event, source, target }: LogDifference): string {
  const name = (e: EventIdentity | null) => (e === null ? 'no event' : `${e.stream}#${e.revision} ${e.type} ${e.id}`);
  const [here, there] = [name(source), name(target)];
  return here === there
    ? `event ${event} (${here}) has different contents in source and target`
    : `event ${event} is ${here} in the source and ${there} in the target`;
}

/** Up to `count` events after a position. */
export interface LogRange {
  readonly store: EventStore;
  readonly after: Checkpoint;
  readonly count: number;
}

export async function readRange({ store, after, count }: LogRange): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let at = after; events.length < count; ) {
    const page = await store.readAll(at, count - events.length);
    events.push(...page.events);
    at = page.upTo;
    if (page.caughtUp) break;
  }
  return events;
}

/** The first difference of two lists of events that begin with event number `first` of their logs, or null. */
export function firstDifference(source: readonly RecordedEvent[], target: readonly RecordedEvent[], first: number): LogDifference | null {
  for (let i = 0; i < Math.max(source.length, target.length); i++) {
    const [a, b] = [source[i], target[i]];
    if (a && b && sameEvent(a, b)) continue;
    return { event: first + i, source: a ? namedEvent(a) : null, target: b ? namedEvent(b) : null };
  }
  return null;
}
