import type { ReadModels } from '../../../domain/kernel/ports.js';
import type { Threshold } from '../../../domain/scores/score-changes.js';
import { leavesOf } from '../../../domain/segments/rule.js';
import { type SegmentDoc, segmentDefinitions } from '../../../projections/segments/definitions.js';

/** Of the segments of one account. */
const MAX_SEGMENTS = 10_000;

/** Numbers that the rules of an account's segments compare scores with. */
export async function scoreThresholds(views: ReadModels, account: string): Promise<Threshold[]> {
  const segments = await views
    .docs<SegmentDoc>(segmentDefinitions, 'segments')
    .find({ where: { account, deleted: false }, order: { field: 'sort' }, limit: MAX_SEGMENTS });
  return segments.flatMap(({ rules }) => leavesOf(rules).flatMap((leaf) => (leaf.type === 'score' ? [leaf] : [])));
}
