import type { EventStore } from '../../domain/kernel/ports.js';
import { type CopyContext, withRetries } from './copy-context.js';
import { firstDifference, type LogDifference, readRange } from './event-comparison.js';
import { CHECKPOINT_INTERVAL, type CheckpointedFingerprint, Fingerprint, type LogPoint } from './fingerprint.js';
import { fractionOf, readPagesUpTo } from './read-pages.js';

export interface VerifiedLog {
  readonly events: number;
  /** In hex, over stream, revision, id, type, data and metadata of all events in their order. */
  readonly sha256: string;
  /** Whether it is what was read of the source. */
  readonly equal: boolean;
  /** Where it is not; null also where what was not the same is so by now. */
  readonly parting: LogDifference | null;
}

/** Reads the target from its first event to its last and compares it with what was read of the source. */
export async function verifyLog(source: EventStore, target: EventStore, trail: CheckpointedFingerprint, work: CopyContext): Promise<VerifiedLog> {
  const read = new Fingerprint();
  const head = await withRetries(work, () => target.head());
  let same: LogPoint = { count: 0, position: 'start' };
  for await (const page of readPagesUpTo(target, head, work)) {
    for (const event of page) {
      read.addEvent(event);
      const next = read.count === same.count + CHECKPOINT_INTERVAL && read.digest === trail.digestAt(read.count);
      if (next) same = { count: read.count, position: event.position };
    }
    const last = page.at(-1);
    if (last) work.report({ phase: 'verifying', done: read.count, fraction: fractionOf(last.position, head) });
  }
  const equal = read.count === trail.count && read.digest === trail.digest;
  const parting = equal ? null : await findDifference(source, target, trail, same, work);
  return { events: read.count, sha256: read.digest, equal, parting };
}

/** Reads both again from the last place that is known to be the same; after so many events at most there is a difference. */
async function findDifference(
  source: EventStore,
  target: EventStore,
  trail: CheckpointedFingerprint,
  same: LogPoint,
  work: CopyContext,
): Promise<LogDifference | null> {
  // Not further than the copy goes: a source that runs has more by now.
  const expected = { store: source, after: trail.positionAt(same.count), count: Math.min(CHECKPOINT_INTERVAL, trail.count - same.count) };
  const [here, there] = await withRetries(work, () =>
    Promise.all([readRange(expected), readRange({ store: target, after: same.position, count: CHECKPOINT_INTERVAL })]),
  );
  return firstDifference(here, there, same.count + 1);
}
