import { record, text } from '../../domain/kernel/schema.js';
import type { Rule } from '../../domain/segments/rule.js';
import { type SegmentDetails, segment, segmentStream, toSegmentDetails } from '../../domain/segments/segment.js';
import { type Context, command } from '../runtime/command.js';
import { readsOf, requireOrder, requireRule, storedRule } from './rule-input.js';

/** Creates a segment. Throws `validation_error` with every problem of the rule, and `conflict` for too long chains of segments. */
export const createSegment = command({
  name: 'CreateSegment',
  input: record({ name: text, rules: storedRule }),

  async handle({ name, rules: given }, context): Promise<SegmentDetails> {
    const segment_id = context.newId('seg');
    const rules = await validRule(context, segment_id, given);
    const create = { type: 'Create', segment_id, name, rules, now: context.now } as const;
    const { state } = await context.decide(segment, segmentStream(segment_id), create, { assumeNew: true });
    return toSegmentDetails(state);
  },
});

/** A repeat under the same idempotency key gives the segment of the first run, whatever has changed since. */
async function validRule(context: Context, segmentId: string, given: Rule): Promise<Rule> {
  if (context.cause.key !== undefined && (await context.log.read(segmentStream(segmentId), { limit: 1 }))) return given;
  const rules = await requireRule(readsOf(context), given);
  await requireOrder(context, segmentId, rules);
  return rules;
}
