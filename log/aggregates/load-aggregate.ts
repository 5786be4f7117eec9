import type { Decider } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { SealedState } from '../../domain/kernel/sealed-state.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';

/** Upper bound of a read, inclusive: a time (RFC 3339 in UTC with milliseconds) or a position in the log. */
export type ReadBound = string | { readonly position: Position };

/** Whether an event recorded `at` a time and position lies within the bound. */
export const isWithinBound = (until: ReadBound | undefined, at: string, position: Position): boolean =>
  until === undefined || (typeof until === 'string' ? at <= until : position <= until.position);

/** An aggregate folded from its stream. */
export interface LoadedAggregate<S, E extends AnyEvent> {
  readonly state: S;
  /** Revision of the last event that was folded; -1 if there is none. */
  readonly revision: number;
  /** Account of the stream's first event; null if the stream does not exist. Not limited by `until` and `where`. */
  readonly account: string | null;
  /** The events that were folded. */
  readonly events: readonly LogEvent<E>[];
  /** All events of the stream, including those that `until` and `where` leave out. */
  readonly allEvents: readonly LogEvent<E>[];
}

export interface LoadOptions<E extends AnyEvent> {
  /** Folds only events recorded up to this time or position. */
  readonly until?: ReadBound | undefined;
  /** Leaves personal fields sealed, for deciders that do not read them. Saves the decryption. */
  readonly sealed?: boolean | undefined;
  /** Folds only events that match. */
  readonly where?: (stored: LogEvent<E>) => boolean;
}

/** Reads a stream and folds its events. A stream that does not exist gives the initial state. */
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>,
  stream: string,
  options: LoadOptions<E> & { readonly sealed: boolean },
): Promise<LoadedAggregate<SealedState<S, E>, E>>;
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>,
  stream: string,
  options?: LoadOptions<E> & { readonly sealed?: false },
): Promise<LoadedAggregate<S, E>>;
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  decider: Pick<Decider<S, never, E>, 'initial' | 'evolve'>,
  stream: string,
  { until, sealed = false, where }: LoadOptions<E> = {},
): Promise<LoadedAggregate<S, E>> {
  const all = ((await (sealed ? log.readSealed(stream) : log.read(stream))) ?? []) as LogEvent<E>[];
  const inRange = until === undefined ? all : all.filter((stored) => isWithinBound(until, recordedAt(stored), stored.position));
  const events = where ? inRange.filter(where) : inRange;
  let state = decider.initial;
  for (const { event } of events) state = decider.evolve(state, event);
  return { state, revision: events.at(-1)?.revision ?? -1, account: all[0]?.meta.account ?? null, events, allEvents: all };
}

/** When an event says that it was recorded. */
export const recordedAt = ({ event, meta }: LogEvent): string => (event.data as { readonly at?: string }).at ?? meta.occurredAt;
