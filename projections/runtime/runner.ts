import type { Clock, Op, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { FeedCursor } from '../../log/feed/cursor.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import type { FeedPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { alignPartitions } from './align-partitions.js';
import { pagesToHead, rebuild } from './build.js';
import { type DividedRun, leaseOf, runDivided } from './divided.js';
import { foldPage, PoisonEvent } from './fold-page.js';
import { type LeaseDependencies, partitionCount, withLease } from './leases.js';
import type { AnyProjection } from './projection.js';
import { PROJECTION_TUNING, type ProjectionTuning } from './tuning.js';

export interface ProjectionDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
  /** Reads the log for all that runs in this thread. Without it the projections have one of their own. */
  readonly feed?: LogFeed;
  readonly tuning?: ProjectionTuning;
  /** A projection stopped: until a rebuild at a PoisonEvent, otherwise until the next retry. */
  readonly onHalt?: (name: string, error: unknown) => void;
  readonly onCommit?: (name: string, position: Position, ops: readonly Op[]) => void;
}

/** A newer version of the projection is in force, from a newer release. A rebuild goes back to this version. */
export class NewerRelease extends Error {
  override readonly name = 'NewerRelease';
  constructor({ name, version }: AnyProjection, inForce: number) {
    super(
      `${name}@${inForce} is in force, this program has version ${version}: a newer release runs, or 'heliograph projections rebuild ${name}' goes back`,
    );
  }
}

/**
 * Keeps projections up to date until the signal aborts. A lease for each projection and version: one node runs it at a time. Those
 * that are divided are run by all nodes, each with its share of the partitions.
 */
export async function runProjections(
  projections: readonly AnyProjection[],
  given: ProjectionDependencies & LeaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const parts = { ...given, tuning: given.tuning ?? PROJECTION_TUNING };
  const feed = parts.feed ?? new LogFeed(parts.log, parts.clock, signal, parts.tuning.feed);
  feed.expect(projections.length);
  const count = projections.some(({ partitionsOf }) => partitionsOf) ? await partitionCount(parts, signal) : 1;
  const divided = count === 1 ? [] : projections.filter(({ partitionsOf }) => partitionsOf);
  const undivided = projections.filter((projection) => !divided.includes(projection));
  const rebuildIn = (projection: AnyProjection, held: AbortSignal) => rebuildFrom(projection, parts, feed, held);
  const runs = undivided.map((projection) =>
    withLease(leaseOf(projection), parts, signal, (held) =>
      runProjection({ projection, count: projection.partitionsOf ? count : 1, rebuild: () => rebuildIn(projection, held) }, parts, feed, held),
    ),
  );
  const runPartitions = (run: DividedRun, held: AbortSignal) => runProjection({ ...run, count }, parts, feed, held);
  await Promise.all([parts.feed ? null : feed.run(), ...runs, runDivided(divided, count, parts, signal, { rebuild: rebuildIn, run: runPartitions })]);
}

type TunedDependencies = ProjectionDependencies & { readonly tuning: ProjectionTuning };

async function rebuildFrom(projection: AnyProjection, parts: TunedDependencies, feed: LogFeed, signal: AbortSignal): Promise<void> {
  const cursor = feed.open();
  try {
    await rebuild(projection, parts, signal, undefined, pagesToHead(parts.log, cursor, signal));
  } finally {
    cursor.close();
  }
}

/** A projection, or some of its partitions, that this node keeps up to date. */
interface ProjectionRun extends DividedRun {
  /** How many partitions the generation in force must have. */
  readonly count: number;
}

async function runProjection(run: ProjectionRun, parts: TunedDependencies, feed: LogFeed, signal: AbortSignal): Promise<void> {
  const { projection, partitions } = run;
  const { views } = parts;
  while (!signal.aborted) {
    const cursor = feed.open();
    try {
      await waitWhileNewerVersion(projection, parts, signal);
      const { version, positions } = await views.status(projection);
      if (version !== projection.version || positions.length !== run.count) await run.rebuild();
      await views.halt(projection, null, partitions);
      while (!signal.aborted) await applyPages(run, parts, cursor, signal);
    } catch (e) {
      cursor.close();
      if (signal.aborted) return;
      parts.onHalt?.(projection.name, e);
      // A store failure is transient; a poison event is not.
      if (e instanceof PoisonEvent) await waitUntilRebuilt(run, e.message, parts, signal);
      else await parts.clock.sleep(parts.tuning.retryMs, signal);
    } finally {
      cursor.close();
    }
  }
}

/** Waits until the operator has rebuilt a halted projection. A restart of the program retries it, too. */
async function waitUntilRebuilt(
  { projection, partitions }: ProjectionRun,
  reason: string,
  { views, clock, onHalt, tuning }: TunedDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let reported = false; !signal.aborted; await clock.sleep(tuning.retryMs, signal)) {
    try {
      if (!reported) await views.halt(projection, reason, partitions);
      reported = true;
      if ((await views.status(projection)).halted === null) return;
    } catch (e) {
      onHalt?.(projection.name, e);
    }
  }
}

/** While nodes of two releases run side by side, the newer read model stays in force and the older node waits. */
async function waitWhileNewerVersion(
  projection: AnyProjection,
  { views, clock, onHalt, tuning }: TunedDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let reported = false; !signal.aborted; reported = true) {
    const { version } = await views.status(projection);
    if (version <= projection.version) return;
    if (!reported) onHalt?.(projection.name, new NewerRelease(projection, version));
    await clock.sleep(tuning.retryMs, signal);
  }
}

/** Applies pages to the generation in force, until another one is put in force or the signal aborts. */
async function applyPages(
  { projection, partitions }: ProjectionRun,
  parts: TunedDependencies,
  cursor: FeedCursor,
  signal: AbortSignal,
): Promise<void> {
  const { views, clock, tuning } = parts;
  const writer = await views.writer(projection, partitions);
  const handled = new Set<string>(projection.handles);
  try {
    if (!(await alignPartitions(projection, writer, parts.log, cursor, signal))) return;
    let saved = await writer.checkpoint();
    let at = saved;
    const pass = ({ events, upTo }: FeedPage): boolean => {
      if (!writer.skipTo || events.some(({ type }) => handled.has(type))) return false;
      at = upTo;
      writer.skipTo(upTo as Position);
      return true;
    };
    const skip = { pass, ms: tuning.checkpointMs };
    for (let savedAt = 0; ; ) {
      const page = await cursor.next(at, signal, {
        gather: true,
        skip,
        isUrgent: projection.isUrgent ?? false,
        ...(at !== saved && { waitMs: tuning.checkpointMs }),
      });
      if (signal.aborted) return;
      const ops = page ? await foldPage(projection, writer, page, parts.log) : [];
      at = page?.upTo ?? at;
      if (page && ops.length === 0 && writer.skipTo && clock.monotonic() - savedAt < tuning.checkpointMs) {
        writer.skipTo(at as Position);
        continue;
      }
      if ((await writer.commit(saved, at as Position, ops)) === 'mismatch') return;
      saved = at;
      savedAt = clock.monotonic();
      parts.onCommit?.(projection.name, at as Position, ops);
    }
  } finally {
    await writer.close();
  }
}
