import type { RuleUse, SegmentReferences } from '../../domain/segments/validate.js';
import { dependency } from '../runtime/dependency.js';

/** The segments of an account that refer to others, with those, as of all that is in the log now. */
export type LoadSegmentReferences = (account: string) => Promise<SegmentReferences>;
export const segmentReferences = dependency<LoadSegmentReferences>('references between segments');

/** A resource that depends on a segment, as an error names it. */
export interface SegmentUse {
  readonly resource: 'segment' | 'campaign' | 'journey';
  readonly id: string;
}

/** What other capabilities do with a segment, which then cannot be deleted. */
export type SegmentUses = (account: string, segmentId: string) => Promise<readonly SegmentUse[]>;
export const segmentUses = dependency<readonly SegmentUses[]>('uses of segments', { fallback: [] });

/** Resources whose rules name a list or custom field (see `namedBy`), which then cannot be removed. */
export type RuleUses = (account: string, name: string) => Promise<readonly RuleUse[]>;
export const ruleUses = dependency<readonly RuleUses[]>('uses in rules', { fallback: [] });
