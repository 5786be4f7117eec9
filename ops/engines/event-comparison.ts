import type { Checkpoint, EventStore, NewEvent, Recorded } from '../../domain/kernel/ports.js';

/** An event as it is named to an operator: nothing of what it holds. */
export interface NamedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
}

/** Where two logs part. */
export interface LogDifference {
  /** LogPoint of the event in the whole log, from 1. */
  readonly event: number;
  /** Null where the log ends before. */
  readonly source: NamedEvent | null;
  readonly target: NamedEvent | null;
}

/** The id of an event whatever case a store writes it in: a UUID is the same in either. */
export const idOf = ({ id }: NewEvent): string => id.toLowerCase();

/** Whether two stores hold the same event: everything but the position, which each store gives. */
export const sameEvent = (a: Recorded, b: Recorded): boolean =>
  a.stream === b.stream && a.revision === b.revision && idOf(a) === idOf(b) && a.type === b.type && a.data === b.data && a.metadata === b.metadata;

export const namedEvent = ({ stream, revision, type, id }: Recorded): NamedEvent => ({ stream, revision, type, id });

/** The parting as a sentence without its end. */
export function describeDifference({ event, source, target }: LogDifference): string {
  const name = (e: NamedEvent | null) => (e === null ? 'no event' : `${e.stream}#${e.revision} ${e.type} ${e.id}`);
  const [here, there] = [name(source), name(target)];
  return here === there
    ? `event ${event} (${here}) does not hold the same in source and target`
    : `event ${event} of the source is ${here}, of the target ${there}`;
}

/** A stretch of a log: so many events after a position, or all that there are. */
export interface LogRange {
  readonly store: EventStore;
  readonly after: Checkpoint;
  readonly count: number;
}

export async function readRange({ store, after, count }: LogRange): Promise<Recorded[]> {
  const events: Recorded[] = [];
  for (let at = after; events.length < count; ) {
    const page = await store.readAll(at, count - events.length);
    events.push(...page.events);
    at = page.upTo;
    if (page.caughtUp) break;
  }
  return events;
}

/** The first difference between events that should be the same, of which the first is the log's event number `first`; or null. */
export function firstDifference(source: readonly Recorded[], target: readonly Recorded[], first: number): LogDifference | null {
  for (let i = 0; i < Math.max(source.length, target.length); i++) {
    const [a, b] = [source[i], target[i]];
    if (a && b && sameEvent(a, b)) continue;
    return { event: first + i, source: a ? namedEvent(a) : null, target: b ? namedEvent(b) : null };
  }
  return null;
}
