import { isDomainError, notFound } from '../../../domain/kernel/errors.js';
import { type Segment, type SegmentDetails, segment, segmentStream, toSegmentDetails } from '../../../domain/segments/segment.js';
import type { EventLog } from '../../runtime/event-log.js';
import { isOwn, loadAggregate, loadOwn, type ReadBound } from '../load-aggregate.js';

/** A segment of an account. Throws `not_found` if there is none or, unless `includeDeleted`, if it is deleted. */
export async function loadSegment(log: EventLog, account: string, id: string, { includeDeleted = false } = {}): Promise<SegmentDetails> {
  return toSegmentDetails((await loadOwn(log, segment, account, id, { includeDeleted })).state);
}

/** A segment as of `until`: `new` before it existed. Throws `not_found` if the account never had it. */
export async function loadSegmentAt(log: EventLog, account: string, id: string, until?: ReadBound): Promise<Segment> {
  const loaded = await loadAggregate(log, segment, segmentStream(id), { until });
  if (!isOwn(loaded, account)) throw notFound(segment.resource, id);
  return loaded.state;
}

/** The segment, or null where the account has none of this id, or none any more. */
export async function findSegment(log: EventLog, account: string, id: string): Promise<SegmentDetails | null> {
  try {
    return await loadSegment(log, account, id);
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}

/** The indexes of the ids that are no segments of the account. */
export async function unknownSegments(log: EventLog, account: string, ids: readonly string[]): Promise<number[]> {
  const found = await Promise.all(ids.map((id) => findSegment(log, account, id)));
  return found.flatMap((segment, index) => (segment ? [] : [index]));
}
