/** How aggregates are loaded: folded from their streams or, where they have snapshots, from the last state that is kept. */

import type { Decider, SnapshotFold } from '../../domain/kernel/decider.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { GrowingMap } from '../../domain/kernel/growing-map.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { SealedState } from '../../domain/kernel/sealed-state.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import type { CachedAggregate } from '../snapshots/aggregate-snapshots.js';

type Foldable<S, E> = Pick<Decider<S, never, E>, 'initial' | 'evolve' | 'snapshots'>;

/**
 * The state of a stream; a stream that does not exist gives the initial one. Where the aggregate has snapshots, it reads only the events
 * after the last state that is kept.
 */
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  aggregate: Foldable<S, E>,
  stream: string,
  options: LoadOptions<E> & { readonly sealed: boolean },
): Promise<LoadedAggregate<SealedState<S, E>, E>>;
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  aggregate: Foldable<S, E>,
  stream: string,
  options?: LoadOptions<E> & { readonly sealed?: false },
): Promise<LoadedAggregate<S, E>>;
export async function loadAggregate<S, E extends AnyEvent>(
  log: EventLog,
  aggregate: Foldable<S, E>,
  stream: string,
  options: LoadOptions<E> = {},
): Promise<LoadedAggregate<S, E>> {
  const { snapshots } = aggregate;
  return snapshots && !options.where
    ? loadSnapshotted(log, { ...aggregate, snapshots }, stream, options)
    : loadWhole(log, aggregate, stream, options);
}

async function loadWhole<S, E extends AnyEvent>(
  log: EventLog,
  { initial, evolve }: Foldable<S, E>,
  stream: string,
  { until, sealed = false, where }: LoadOptions<E>,
): Promise<LoadedAggregate<S, E>> {
  const all = ((await (sealed ? log.readSealed(stream) : log.read(stream))) ?? []) as LogEvent<E>[];
  const inRange = until === undefined ? all : all.filter((stored) => isWithinBound(until, recordedAt(stored), stored.position));
  const events = where ? inRange.filter(where) : inRange;
  let state = initial;
  for (const { event } of events) state = evolve(state, event);
  return {
    state,
    revision: events.at(-1)?.revision ?? -1,
    account: all[0]?.meta.account ?? null,
    runOf: (key) => events.findLast(({ meta }) => meta.key === key)?.revision,
    events: async () => (sealed ? log.open(events) : events),
  };
}

/** An aggregate with the events that it was folded from. */
export async function loadHistory<S, E extends AnyEvent>(
  log: EventLog,
  aggregate: Foldable<S, E>,
  stream: string,
  options: Omit<LoadOptions<E>, 'sealed'> = {},
): Promise<AggregateHistory<S, E>> {
  const loaded = await loadAggregate(log, aggregate, stream, options);
  return { ...loaded, events: await loaded.events() };
}

/** The rule of ownership: a stream belongs to the account of its first event. To any other account it does not exist. */
export const isOwn = <T extends { readonly account: string | null }>(found: T | null | undefined, account: string): found is T =>
  found?.account === account;

interface OwnOptions {
  /** Deleted ones, too. */
  readonly includeDeleted?: boolean | undefined;
}

type ExistingState<S> = Exclude<S, { readonly status: 'new' }>;

/** What was loaded, where the account has it; null where it has never had it by then, or it is deleted. */
export function ownOf<L extends { readonly account: string | null; readonly state: { readonly status: string } }>(
  loaded: L,
  account: string,
  { includeDeleted = false }: OwnOptions = {},
): (L & { readonly state: ExistingState<L['state']> }) | null {
  const { status } = loaded.state;
  const isThere = isOwn(loaded, account) && status !== 'new' && (status !== 'deleted' || includeDeleted);
  return isThere ? (loaded as L & { readonly state: ExistingState<L['state']> }) : null;
}

type OwnAggregate<S, E> = Foldable<S, E> & { readonly stream: (id: string) => string };
type FindOptions<E extends AnyEvent> = OwnOptions & Omit<LoadOptions<E>, 'sealed'>;
type FoundAggregate<S, E extends AnyEvent> = LoadedAggregate<S, E> & { readonly state: ExistingState<S> };

/** What an account has under an id; null where it has never had it by then, or it is deleted. */
export const findOwn = async <S extends { readonly status: string }, E extends AnyEvent>(
  log: EventLog,
  aggregate: OwnAggregate<S, E>,
  account: string,
  id: string,
  { includeDeleted, ...options }: FindOptions<E> = {},
): Promise<FoundAggregate<S, E> | null> =>
  ownOf(await loadAggregate<S, E>(log, aggregate, aggregate.stream(id), options), account, { includeDeleted });

/** The same. Throws `not_found`. */
export async function loadOwn<S extends { readonly status: string }, E extends AnyEvent>(
  log: EventLog,
  aggregate: OwnAggregate<S, E> & { readonly resource: string },
  account: string,
  id: string,
  options?: FindOptions<E>,
): Promise<FoundAggregate<S, E>> {
  const found = await findOwn(log, aggregate, account, id, options);
  if (!found) throw notFound(aggregate.resource, id);
  return found;
}

/** Events that are read before a snapshot is looked for: most streams have fewer. */
const EVENTS_BEFORE_SNAPSHOT = 64;
/** 96 bits of a hash. */
const RUN_KEY_LENGTH = 16;

type SnapshottedAggregate<S, E> = Pick<Decider<S, never, E>, 'initial' | 'evolve'> & { readonly snapshots: SnapshotFold<S, E> };

/** The state of an aggregate with snapshots. Reads only the events after the state that is cached or, after a start, after the last snapshot. */
async function loadSnapshotted<S, E extends AnyEvent>(
  log: EventLog,
  { initial, evolve, snapshots: fold }: SnapshottedAggregate<S, E>,
  stream: string,
  { until, sealed = false }: Omit<LoadOptions<E>, 'where'>,
): Promise<LoadedAggregate<S, E>> {
  const apply = fold.apply ?? ((before: S, { event }: LogEvent<E>): S => evolve(before, event));
  const isNow = until === undefined;
  const { kept, read } = isNow ? await readNow<E>(log, fold, stream) : { kept: undefined, read: await readFrom<E>(log, stream, 0) };
  const inRange = isNow ? read : read.filter((stored) => isWithinBound(until, recordedAt(stored), stored.position));
  const state = inRange.reduce((before, stored) => apply(before, log.withSealedFields(stored)), (kept?.state ?? initial) as S);
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

async function readNow<E extends AnyEvent>(log: EventLog, fold: FoldName, stream: string): Promise<ReadStream<E>> {
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

type FoldName = Pick<SnapshotFold<unknown, unknown>, 'name' | 'version' | 'keepsShort'>;

const readFrom = async <E extends AnyEvent>(log: EventLog, stream: string, from: number, limit?: number): Promise<LogEvent<E>[]> =>
  ((await log.readSealed(stream, { ...(from > 0 && { from }), ...(limit && { limit }) })) ?? []) as LogEvent<E>[];

function keep(log: EventLog, fold: FoldName, stream: string, state: CachedAggregate, eventId: string): void {
  const isDue = log.snapshots?.isDue(state) ?? false;
  if (isDue) log.snapshots?.save(fold, stream, { ...state, eventId });
  log.aggregateCache?.set(fold.name, stream, isDue ? { ...state, savedAt: state.revision } : state, fold.keepsShort);
}

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
type AggregateHistory<S, E extends AnyEvent> = Omit<LoadedAggregate<S, E>, 'events'> & { readonly events: readonly LogEvent<E>[] };

interface LoadOptions<E extends AnyEvent> {
  /** Folds only events recorded up to this time or position, and reads the whole stream. */
  readonly until?: ReadBound | undefined;
  /** Leaves personal fields sealed, for callers that do not read them. Saves the decryption. */
  readonly sealed?: boolean | undefined;
  /** Folds only events that match, by `evolve`, and reads the whole stream. */
  readonly where?: ((stored: LogEvent<E>) => boolean) | undefined;
}
