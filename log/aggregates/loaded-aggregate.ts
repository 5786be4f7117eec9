import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../runtime/log-event.js';

/** Upper bound of a read, inclusive: a time (RFC 3339 in UTC with milliseconds) or a position in the log. */
export type ReadBound = string | { readonly position: Position };

/** Whether an event recorded `at` a time and position lies within the bound. */
export const isWithinBound = (until: ReadBound | undefined, at: string, position: Position): boolean =>
  until === undefined || (typeof until === 'string' ? at <= until : position <= until.position);

/** When an event says that it was recorded. */
export const recordedAt = ({ event, meta }: LogEvent): string => (event.data as { readonly at?: string }).at ?? meta.occurredAt;

/** An aggregate folded from its stream. */
export interface LoadedAggregate<S, E extends AnyEvent> {
  readonly state: S;
  /** Revision of the last event that was folded; -1 if there is none. */
  readonly revision: number;
  /** Account of the stream's first event; null if the stream does not exist. Not limited by `until` and `where`. */
  readonly account: string | null;
  /** Revision of the last folded event that was appended with this idempotency key, or undefined. */
  readonly runOf: (key: string) => number | undefined;
  /** The events that were folded, with personal fields opened. Read only where this load has not read them. */
  readonly events: () => Promise<readonly LogEvent<E>[]>;
}

/** The same with its events loaded. */
export type AggregateHistory<S, E extends AnyEvent> = Omit<LoadedAggregate<S, E>, 'events'> & { readonly events: readonly LogEvent<E>[] };

export interface LoadOptions<E extends AnyEvent> {
  /** Folds only events recorded up to this time or position, and reads the whole stream. */
  readonly until?: ReadBound | undefined;
  /** Leaves personal fields sealed, for callers that do not read them. Saves the decryption. */
  readonly sealed?: boolean | undefined;
  /** Folds only events that match, by `evolve`, and reads the whole stream. */
  readonly where?: ((stored: LogEvent<E>) => boolean) | undefined;
}
