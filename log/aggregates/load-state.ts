import type { AnyEvent } from '../../domain/kernel/event.js';
import { GrowingMap } from '../../domain/kernel/growing-map.js';
import type { SealedState } from '../../domain/kernel/sealed-state.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import type { CachedAggregate } from '../snapshots/aggregate-cache.js';
import { isWithinBound, type ReadBound, recordedAt } from './load-aggregate.js';

/**
 * How a state is folded from a stream. `apply` passes personal fields on without looking into them: each is a `SealedField` in
 * place of its value, or the value itself where the event is not sealed.
 */
export interface StreamFold<S, E extends AnyEvent = AnyEvent> {
  /** No two folds have the same name. */
  readonly name: string;
  /** Raised when `apply` or the state changes: stored states of another version are not used. */
  readonly version: number;
  readonly initial: S;
  /** Kept from the first event on: few streams that much work reads, with large events. */
  readonly keepsShort?: true;
  readonly apply: (state: S, stored: LogEvent<E>) => S;
}

export interface LoadedStream<S, E extends AnyEvent> {
  readonly state: S;
  /** Revision of the last event that was folded; -1 if there is none. */
  readonly revision: number;
  /** Account of the stream's first event; null if the stream does not exist. Not limited by `until`. */
  readonly account: string | null;
  /** Revision of the last event up to `until` that was appended with this idempotency key, or undefined. */
  readonly runOf: (key: string) => number | undefined;
  /** All events of the stream up to `until`, with personal fields opened. Read only where this load has not read them. */
  readonly events: () => Promise<readonly LogEvent<E>[]>;
}

interface LoadStateOptions {
  /** Folds only events recorded up to this time or position, and reads the whole stream. */
  readonly until?: ReadBound | undefined;
  /** Leaves a `SealedField` in place of each personal field, for callers that do not read them. */
  readonly sealed?: boolean | undefined;
}

/** Events that are read before a snapshot is looked for: most streams have fewer. */
const EVENTS_BEFORE_SNAPSHOT = 64;
/** 96 bits of a hash. */
const RUN_KEY_LENGTH = 16;

/** The state of a stream. Reads only the events after the cached aggregate that is kept or, after a start, after the last snapshot. */
export async function loadState<S, E extends AnyEvent>(
  log: EventLog,
  fold: StreamFold<S, E>,
  stream: string,
  options: LoadStateOptions & { readonly sealed: boolean },
): Promise<LoadedStream<SealedState<S, E>, E>>;
export async function loadState<S, E extends AnyEvent>(
  log: EventLog,
  fold: StreamFold<S, E>,
  stream: string,
  options?: LoadStateOptions & { readonly sealed?: false },
): Promise<LoadedStream<S, E>>;
export async function loadState<S, E extends AnyEvent>(
  log: EventLog,
  fold: StreamFold<S, E>,
  stream: string,
  { until, sealed = false }: LoadStateOptions = {},
): Promise<LoadedStream<S, E>> {
  const isNow = until === undefined;
  const { kept, read } = isNow ? await readNow<E>(log, fold, stream) : { kept: undefined, read: await readFrom<E>(log, stream, 0) };
  const inRange = isNow ? read : read.filter((stored) => isWithinBound(until, recordedAt(stored), stored.position));
  const state = inRange.reduce((before, stored) => fold.apply(before, log.withSealedFields(stored)), (kept?.state ?? fold.initial) as S);
  const runs = inRange.reduce(
    (known, { meta, revision }) => (meta.key === undefined ? known : known.with(runKey(meta.key), revision)),
    kept?.runs ?? NO_RUNS,
  );
  const last = inRange.at(-1);
  const revision = last?.revision ?? kept?.revision ?? -1;
  const account = kept?.account ?? read[0]?.meta.account ?? null;
  if (isNow && account !== null && last)
    keep(log, fold, stream, { state, revision, account, runs, ...(kept?.savedAt !== undefined && { savedAt: kept.savedAt }) }, last.id);
  return {
    state: sealed ? state : await log.openSealedFields(state),
    revision,
    account,
    runOf: (key) => runs.get(runKey(key)),
    events: async () => (kept ? await log.read<E>(stream, { limit: revision + 1 }) : await log.open(inRange)) ?? [],
  };
}

const NO_RUNS: GrowingMap<number> = GrowingMap.empty;
const runKey = (key: string): string => key.slice(0, RUN_KEY_LENGTH);

/** A state from before, and the events after it; without one all events. */
interface ReadStream<E extends AnyEvent> {
  readonly kept: CachedAggregate | undefined;
  readonly read: readonly LogEvent<E>[];
}

async function readNow<E extends AnyEvent>(log: EventLog, fold: AnyFold, stream: string): Promise<ReadStream<E>> {
  const recent = log.aggregateCache?.get(fold.name, stream);
  if (recent) return { kept: recent, read: await readFrom(log, stream, recent.revision + 1) };
  if (!log.snapshots) return { kept: undefined, read: await readFrom(log, stream, 0) };
  const first = await readFrom<E>(log, stream, 0, EVENTS_BEFORE_SNAPSHOT);
  if (first.length < EVENTS_BEFORE_SNAPSHOT) return { kept: undefined, read: first };
  const snapshot = await log.snapshots.find(fold, stream);
  if (snapshot) {
    const [same, ...after] = await readFrom<E>(log, stream, snapshot.revision);
    const { eventId, ...kept } = snapshot;
    if (same?.revision === snapshot.revision && same.id === eventId) {
      const recent = { ...kept, savedAt: snapshot.revision };
      log.aggregateCache?.set(fold.name, stream, recent);
      return { kept: recent, read: after };
    }
  }
  return { kept: undefined, read: [...first, ...(await readFrom<E>(log, stream, first.length))] };
}

type AnyFold = Pick<StreamFold<unknown>, 'name' | 'version' | 'keepsShort'>;

const readFrom = async <E extends AnyEvent>(log: EventLog, stream: string, from: number, limit?: number): Promise<LogEvent<E>[]> =>
  ((await log.readSealed(stream, { ...(from > 0 && { from }), ...(limit && { limit }) })) ?? []) as LogEvent<E>[];

function keep(log: EventLog, fold: AnyFold, stream: string, state: CachedAggregate, eventId: string): void {
  const isDue = log.snapshots?.isDue(state) ?? false;
  if (isDue) log.snapshots?.save(fold, stream, { ...state, eventId });
  log.aggregateCache?.set(fold.name, stream, isDue ? { ...state, savedAt: state.revision } : state, fold.keepsShort);
}
