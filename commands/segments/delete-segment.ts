import { DomainError } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import { segment, segmentStream } from '../../domain/segments/segment.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import { type Context, command } from '../runtime/command.js';
import type { SegmentUse } from './ports.js';

/** Uses that an error names. */
const MAX_NAMED = 20;

/** Deletes a segment. Throws `not_found`, and `in_use` if something refers to it. */
export const deleteSegment = command({
  name: 'DeleteSegment',
  input: record({ segment_id: text }),

  async handle({ segment_id }, context): Promise<void> {
    await loadSegment(context.log, context.cause.account, segment_id, { includeDeleted: true });
    const uses = await usesOf(context, segment_id);
    const [first] = uses;
    if (first) throw new DomainError('in_use', `The segment is used by the ${first.resource} ${first.id}.`, { used_by: uses.slice(0, MAX_NAMED) });
    await context.decide(segment, segmentStream(segment_id), { type: 'Delete', segment_id, now: context.now });
  },
});

async function usesOf({ ports, cause: { account } }: Context, segmentId: string): Promise<SegmentUse[]> {
  const references = await ports.segments.references(account);
  const segments = [...references].filter(([, targets]) => targets.includes(segmentId)).map(([id]) => ({ resource: 'segment' as const, id }));
  const others = await Promise.all(ports.segments.uses.map((uses) => uses(account, segmentId)));
  return [...segments, ...others.flat()];
}
