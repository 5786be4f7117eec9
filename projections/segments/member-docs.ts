/** The documents of who is in which segment. */
import type { Doc } from '../../domain/kernel/ports.js';

/**
 * A contact that is in a segment by the rules in force, or will be by those that are built. `v`: the version of the rules by which it
 * entered. `left`: it is not in it any more as of this version.
 */
export interface SegmentMemberDoc extends Doc {
  readonly segment_id: string;
  readonly contact_id: string;
  /** RFC 3339. */
  readonly since: string;
  readonly v: number;
  readonly left?: { readonly v: number; readonly at: string };
}

/** When a contact entered and left, RFC 3339, and by which versions of the rules. */
export type PastSpan = readonly [since: string, until: string, entered: number, left: number];

/** A contact that was in a segment, the earliest time first. */
export interface PastMemberDoc extends Doc {
  readonly segment_id: string;
  readonly contact_id: string;
  readonly spans: readonly PastSpan[];
}

/** The segments for which a contact has documents. */
export interface ContactSegmentsDoc extends Doc {
  readonly segment_ids: readonly string[];
  readonly was_in?: readonly string[];
}

/** How many contacts are in a segment, and which of its rules every contact is decided by. */
export interface SegmentStateDoc extends Doc {
  readonly count: number;
  /** By the rules that are built. */
  readonly next_count: number;
  readonly rules_version: number;
  /** The version of the rules that every contact is decided by, which readers see; 0 before the first. */
  readonly live_version: number;
  /** When each version took effect for readers. */
  readonly lives: readonly { readonly v: number; readonly at: string }[];
  readonly build_id: string | null;
  readonly deleted?: true;
}

/** A running build. */
export interface BuildDoc extends Doc {
  readonly segments: readonly { readonly segment_id: string; readonly rules_version: number }[];
  /** The end of what is read of the log, and up to where it is read. */
  readonly until: string;
  readonly read: string;
}

export const memberId = (segment: string, contact: string): string => `${segment}/${contact}`;

/** Whether readers of a version see the member. */
export const isSeen = ({ v, left }: Pick<SegmentMemberDoc, 'v' | 'left'>, version: number): boolean => v <= version && !(left && left.v <= version);

/** Whether the contact was in the segment at a time (RFC 3339), to readers of the version of that time. */
export const wasSeen = ([since, until, entered, left]: PastSpan, at: string, version: number): boolean =>
  since <= at && entered <= version && !(until <= at && left <= version);
