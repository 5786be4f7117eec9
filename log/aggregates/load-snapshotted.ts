import type { Decider, SnapshotFold } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { GrowingMap } from '../../domain/kernel/growing-map.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import type { CachedAggregate } from '../snapshots/aggregate-cache.js';
import { isWithinBound, type LoadedAggregate, type LoadOptions, recordedAt } from './loaded-aggregate.js';

/** Events that are read before a snapshot is looked for: most streams have fewer. */
const EVENTS_BEFORE_SNAPSHOT = 64;
/** 96 bits of a hash. */
const RUN_KEY_LENGTH = 16;

type SnapshottedAggregate<S, E> = Pick<Decider<S, never, E>, 'initial' | 'evolve'> & { readonly snapshots: SnapshotFold<S, E> };

/** The state of an aggregate with snapshots. Reads only the events after the state that is cached or, after a start, after the last snapshot. */
export async function loadSnapshotted<S, E extends AnyEvent>(
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
