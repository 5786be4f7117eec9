import type { Decider } from '../../domain/kernel/decider.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { SealedState } from '../../domain/kernel/sealed-state.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import { loadSnapshotted } from './load-snapshotted.js';
import { type AggregateHistory, isWithinBound, type LoadedAggregate, type LoadOptions, recordedAt } from './loaded-aggregate.js';

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
