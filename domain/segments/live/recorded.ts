/** What is recorded of the memberships of a contact, and of the building of rules. */
import { type EventOf, eventType } from '../../kernel/event.js';
import { count, flag, list, nullable, oneOf, optional, record, type Static, text, time } from '../../kernel/schema.js';
import { flipCauses } from './membership.js';

/** A contact entered a segment or left it. */
const change = record({
  segment_id: text,
  /** Of the rules that were in force. */
  rules_version: count,
  change: oneOf('entered', 'left'),
  cause: oneOf(...flipCauses),
  /** The moment itself. */
  at: time,
  /** The event that caused it; null where time did, or a change of rules. */
  event_id: nullable(text),
  /** That event was a row of an import that starts no journeys. */
  imported: optional(flag),
  /** That event was a late one, or one that it caused. */
  late: optional(flag),
  /** With the cause `rule_change`: the rules were only read anew. */
  reread: optional(flag),
});
export type RecordedChange = Static<typeof change>;

/**
 * The memberships of a contact changed, in the order of `changes`. `at`: the moment up to which the time has been taken into account.
 * Without changes, it only says that.
 */
export const SegmentMembershipsChanged = eventType('SegmentMembershipsChanged', record({ contact_id: text, changes: list(change), at: time }));

/** What a build needs of the log. */
const scanNeeds = record({
  /** Of custom events with these names; null: all. */
  events: nullable(list(text)),
  /** What became of messages. */
  messages: flag,
  /** Personal fields of contacts. */
  fields: flag,
});
export type ScanNeeds = Static<typeof scanNeeds>;

const build = { build_id: text, at: time };
/**
 * From here on, what these rules need is kept of each contact. Where `scan` is true, what happened before is read first; otherwise
 * the rules are in force from now on.
 */
export const SegmentBuildStarted = eventType(
  'SegmentBuildStarted',
  record({ ...build, segments: list(record({ segment_id: text, rules_version: count })), scan: oneOf('none', 'log') }),
);
/** What is needed of the log after `from` and up to `to` has been taken into account. Without `needs` that is everything. */
export const SegmentHistoryScanned = eventType('SegmentHistoryScanned', record({ ...build, from: text, to: text, needs: optional(scanNeeds) }));
/** Every contact has been decided by the rules in force: the segments are live. */
export const SegmentBuildCompleted = eventType('SegmentBuildCompleted', record(build));

export const liveSegmentEvents = [SegmentMembershipsChanged, SegmentBuildStarted, SegmentHistoryScanned, SegmentBuildCompleted] as const;
export type LiveSegmentEvent = EventOf<(typeof liveSegmentEvents)[number]>;
export type MembershipsChanged = EventOf<typeof SegmentMembershipsChanged>;

// Streams

/** Of one contact. */
export const segmentMembershipStream = (contactId: string): string => `segmentMembership-${contactId}`;
export const segmentBuildStream = (buildId: string): string => `segmentBuild-${buildId}`;
