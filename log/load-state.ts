import type { AnyEvent } from '../domain/kernel/event.js';
import type { EventLog } from './event-log.js';
import { isWithin, recordedAt, type Until } from './load-aggregate.js';
import type { LogEvent } from './log-event.js';

/**
 * How a state is folded from a stream. `apply` passes personal fields on without looking into them: each is a `SealedField` in
 * place of its value, or the value itself where the event is not sealed.
 */
export interface StreamFold<S, E extends AnyEvent = AnyEvent> {
  /** No two folds have the same name. */
  readonly name: string;
  readonly initial: S;
  readonly apply: (state: S, stored: LogEvent<E>) => S;
}

export interface LoadedState<S, E extends AnyEvent> {
  readonly state: S;
  /** Revision of the last event that was folded; -1 if there is none. */
  readonly revision: number;
  /** Account of the stream's first event; null if the stream does not exist. Not limited by `until`. */
  readonly account: string | null;
  /** All events of the stream up to `until`, with personal fields opened. Read only where this load has not read them. */
  readonly events: () => Promise<readonly LogEvent<E>[]>;
}

interface LoadStateOptions {
  /** Folds only events recorded up to this time or position, and reads the whole stream. */
  readonly until?: Until | undefined;
  /** Leaves a `SealedField` in place of each personal field, for callers that do not read them. */
  readonly sealed?: boolean | undefined;
}

/** The state of a stream. Reads only the events after the recent state that is kept, if there is one. */
export async function loadState<S, E extends AnyEvent>(
  log: EventLog,
  fold: StreamFold<S, E>,
  stream: string,
  { until, sealed = false }: LoadStateOptions = {},
): Promise<LoadedState<S, E>> {
  const kept = until === undefined ? log.recentStates?.get(fold.name, stream) : undefined;
  const from = kept ? kept.revision + 1 : 0;
  const read = ((await log.readSealed(stream, kept && { from })) ?? []) as LogEvent<E>[];
  const inRange = until === undefined ? read : read.filter((stored) => isWithin(until, recordedAt(stored), stored.position));
  const state = inRange.reduce((before, stored) => fold.apply(before, log.withSealedFields(stored)), (kept?.state ?? fold.initial) as S);
  const revision = inRange.at(-1)?.revision ?? kept?.revision ?? -1;
  const account = kept?.account ?? read[0]?.meta.account ?? null;
  if (until === undefined && account !== null && revision >= from) log.recentStates?.set(fold.name, stream, { state, revision, account });
  return {
    state: sealed ? state : await log.openSealedFields(state),
    revision,
    account,
    events: async () => (kept ? await log.read<E>(stream, { limit: revision + 1 }) : await log.open(inRange)) ?? [],
  };
}
