import { count, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { type SegmentDetails, segment, segmentStream, toSegmentDetails } from '../../domain/segments/segment.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import { command } from '../runtime/command.js';
import { readsOf, requireOrder, requireRule, storedRule } from './rule-input.js';

/** Changes a segment. Throws `not_found`, `version_conflict`, `validation_error`, and `conflict` for circles and too long chains of segments. */
export const updateSegment = command({
  name: 'UpdateSegment',
  input: record({ segment_id: text, change: record({ name: optional(text), rules: optional(storedRule) }), expected: nullable(count) }),

  async handle({ segment_id, change: { name, rules: given }, expected }, context): Promise<SegmentDetails> {
    await loadSegment(context.log, context.cause.account, segment_id);
    const rules = given === undefined ? undefined : await requireRule(readsOf(context), given);
    if (rules) await requireOrder(context, segment_id, rules);
    const change = { ...(name !== undefined && { name }), ...(rules && { rules }) };
    const update = { type: 'Update', segment_id, change, expected, now: context.now } as const;
    const { state } = await context.decide(segment, segmentStream(segment_id), update);
    return toSegmentDetails(state);
  },
});
