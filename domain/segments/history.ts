/** What is known of a contact and decides its rules: its facts, and everything that happened, however long ago. */
import type { Consents } from '../consent/consent.js';
import type { ChannelName } from '../kernel/channels.js';
import type { MembershipStatus } from '../lists/membership.js';
import type { ClocksOf } from './dates.js';
import type { MessageAction, Rule } from './rule.js';

/** A value, and the ids of the events that made it so: none if the contact never had one. */
export interface SourcedValue<V> {
  readonly value: V;
  readonly events: readonly string[];
}

/** A custom event. */
export interface PastCustomEvent {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly properties: unknown;
}

/** What became of a message to the contact. */
export interface PastMessageEvent {
  readonly id: string;
  readonly action: MessageAction;
  readonly time: number;
  readonly channel: ChannelName;
  readonly campaign_id: string | null;
  readonly journey_id: string | null;
  readonly node_id: string | null;
  readonly template_id: string | null;
  /** A program opened or clicked it, not the person. */
  readonly machine: boolean;
}

/** A contact unified with all that is merged into it. */
export interface SegmentHistory {
  readonly contact_id: string;
  /** By full name: `email`, `tags` (a list of texts), `custom_fields.plan`. */
  readonly fields: ReadonlyMap<string, SourcedValue<unknown>>;
  /** By list id. */
  readonly lists: ReadonlyMap<string, SourcedValue<MembershipStatus>>;
  readonly consents: Consents;
  /** The contact has an address of the channel and nothing is suppressed on it. */
  readonly reachable: ReadonlyMap<ChannelName, SourcedValue<boolean>>;
  readonly events: readonly PastCustomEvent[];
  readonly messages: readonly PastMessageEvent[];
  /** By name. Scores that the contact does not have are missing. */
  readonly scores: ReadonlyMap<string, number>;
}

/** What rules refer to outside the contact. */
export interface RuleSurroundings {
  /** The rule of another segment; undefined if there is none (any more). */
  readonly ruleOf: (segmentId: string) => Rule | undefined;
  /** Where a contact falls among 10,000 equal parts, from 0, by a salt: always the same. */
  readonly bucketOf: (contactId: string, salt: string) => number;
  readonly clocksOf: ClocksOf;
}
