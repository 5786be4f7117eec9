import type { EventStore } from '../../domain/kernel/ports.js';
import { type CopyContext, withRetries } from './copy-context.js';
import { firstDifference, type LogDifference, readRange } from './event-comparison.js';
import { CHECKPOINT_INTERVAL, type CheckpointedFingerprint, Fingerprint, type LogPoint } from './fingerprint.js';
import { fractionOf, readPagesUpTo } from './read-pages.js';

export interface VerifiedLog {
  readonly events: number;
  /** In hex, over stream, revision, id, type, data and metadata of all events in their order. */
  readonly sha256: string;
  /** Whether the target equals the events read from the source. */
  readonly equal: boolean;
  /** The first difference. Null also when the logs have become equal meanwhile. */
  readonly parting: LogDifference | null;
}

/** Reads the whole target and compares it with the events read from the source. */
export async function verifyLog(source: EventStore, target: EventStore, trail: CheckpointedFingerprint, context: CopyContext): Promise<VerifiedLog> {
  const read = new Fingerprint();
  const head = await withRetries(context, () => target.head());
  let same: LogPoint = { count: 0, position: 'start' };
  for await (const page of readPagesUpTo(target, head, context)) {
    for (const event of page) {
      read.addEvent(event);
      const next = read.count === same.count + CHECKPOINT_INTERVAL && read.digest === trail.digestAt(read.count);
      if (next) same = { count: read.count, position: event.position };
    }
    const last = page.at(-1);
    if (last) context.report({ phase: 'verifying', done: read.count, fraction: fractionOf(last.position, head) });
  }
  const equal = read.count === trail.count && read.digest === trail.digest;
  const parting = equal ? null : await findDifference(source, target, trail, same, context);
  return { events: read.count, sha256: read.digest, equal, parting };
}

/** Reads both logs again from the last equal checkpoint: the difference is within the next interval. */
async function findDifference(
  source: EventStore,
  target: EventStore,
  trail: CheckpointedFingerprint,
  same: LogPoint,
  context: CopyContext,
): Promise<LogDifference | null> {
  // Only up to the copied events: a running source may have more.
  const expected = { store: source, after: trail.positionAt(same.count), count: Math.min(CHECKPOINT_INTERVAL, trail.count - same.count) };
  const [here, there] = await withRetries(context, () =>
    Promise.all([readRange(expected), readRange({ store: target, after: same.position, count: CHECKPOINT_INTERVAL })]),
  );
  return firstDifference(here, there, same.count + 1);
}
