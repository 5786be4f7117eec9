import type { RuleUse, SegmentReferences } from '../../domain/segments/validate.js';

/** A resource that depends on a segment, as an error names it. */
export interface SegmentUse {
  readonly resource: 'segment' | 'campaign' | 'journey';
  readonly id: string;
}

/** What other capabilities do with a segment, which then cannot be deleted. */
export type SegmentUses = (account: string, segmentId: string) => Promise<readonly SegmentUse[]>;

/** Resources whose rules name a list or custom field (see `namedBy`), which then cannot be removed. */
export type RuleUses = (account: string, name: string) => Promise<readonly RuleUse[]>;

/** What the commands of segments need from outside. */
export interface SegmentPorts {
  /** The segments of an account that refer to others, with those, as of all that is in the log now. */
  readonly references: (account: string) => Promise<SegmentReferences>;
  readonly uses: readonly SegmentUses[];
  readonly ruleUses: readonly RuleUses[];
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly segments: SegmentPorts;
  }
}
