import { readNow } from '../../domain/segments/earlier-reading.js';
import { segment, segmentStream } from '../../domain/segments/segment.js';
import { normalized } from '../../domain/segments/validate.js';
import { loadSegmentAt } from '../../log/aggregates/segments/load-segment.js';
import { internalCommand } from '../runtime/command.js';
import { valueText } from './field-values.js';
import { loadFieldTypes, readsOf } from './rule-input.js';

/** Records the rules of a segment as rules are read now. Nothing happens where they mean what they say already, and to deleted segments. */
export const rereadSegment = internalCommand({
  name: 'RereadSegment',

  async handle({ segment_id }: { readonly segment_id: string }, context): Promise<void> {
    const known = await loadSegmentAt(context.log, context.cause.account, segment_id);
    if (known.status !== 'active') return;
    const rules = normalized(readNow(known.rules), await loadFieldTypes(readsOf(context)), valueText);
    await context.decide(segment, segmentStream(segment_id), { type: 'Reread', segment_id, rules, now: context.now });
  },
});
