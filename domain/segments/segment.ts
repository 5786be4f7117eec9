/** A segment: a name and a rule that says who is in it. Its rule has versions; who was in it when is worked out of them. */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, flag, optional, rawSchema, record, text, time } from '../kernel/schema.js';
import { canonicalText } from './canonical.js';
import { isReadEarlier } from './earlier-reading.js';
import type { Rule } from './rule.js';

// Events

/** A valid rule: it was checked before it was recorded. */
const rules = rawSchema<Rule>({ type: 'object' });

/** Up to version 1 rules were read as `earlier-reading.ts` has it. */
export const SegmentCreated = eventType('SegmentCreated', record({ segment_id: text, name: text, rules, at: time }), { version: 2 });
/**
 * Contains only what changed. `rules_version` counts the rules of the segment, the first being 1; it comes with `rules`. `reread`: the
 * same rules as rules are read now; nobody changed them.
 */
export const SegmentUpdated = eventType(
  'SegmentUpdated',
  record({ segment_id: text, name: optional(text), rules: optional(rules), rules_version: optional(count), reread: optional(flag), at: time }),
  { version: 2 },
);
/** Ends all memberships of the segment. Their history stays in the log. */
export const SegmentDeleted = eventType('SegmentDeleted', record({ segment_id: text, at: time }));

export const segmentEvents = [SegmentCreated, SegmentUpdated, SegmentDeleted] as const;
export type SegmentEvent = EventOf<(typeof segmentEvents)[number]>;

// State

interface SegmentBase {
  readonly id: string;
  readonly name: string;
  readonly rules: Rule;
  readonly rules_version: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Number of events, starting at 1. */
  readonly version: number;
}
export type ActiveSegment = SegmentBase & { readonly status: 'active' };
export type Segment = { readonly status: 'new' } | ActiveSegment | (SegmentBase & { readonly status: 'deleted' });

export function evolve(segment: Segment, event: SegmentEvent): Segment {
  if (event.type === 'SegmentCreated') {
    const { segment_id: id, name, rules, at } = event.data;
    return { status: 'active', id, name, rules, rules_version: 1, created_at: at, updated_at: at, version: 1 };
  }
  if (segment.status === 'new') return segment;
  const next = { ...segment, updated_at: event.data.at, version: segment.version + 1 };
  switch (event.type) {
    case 'SegmentUpdated': {
      const { name = segment.name, rules = segment.rules, rules_version = segment.rules_version } = event.data;
      return { ...next, name, rules, rules_version };
    }
    case 'SegmentDeleted':
      return { ...next, status: 'deleted' };
    default:
      return event satisfies never;
  }
}

/** A segment as the API shows it, without what is worked out. */
export type SegmentDetails = Omit<ActiveSegment, 'status'>;

/** Throws if the segment was never created. */
export function toSegmentDetails(state: Segment): SegmentDetails {
  if (state.status === 'new') throw new Error('The segment was never created.');
  const { id, name, rules, rules_version, created_at, updated_at, version } = state;
  return { id, name, rules, rules_version, created_at, updated_at, version };
}

// Commands

export interface SegmentChange {
  readonly name?: string;
  readonly rules?: Rule;
}

export type SegmentCommand =
  | { type: 'Create'; segment_id: string; name: string; rules: Rule; now: string }
  /** `expected`: the version that the caller has read, or null to skip the check. */
  | { type: 'Update'; segment_id: string; change: SegmentChange; expected: number | null; now: string }
  /** `rules`: those that the segment has, as rules are read now. */
  | { type: 'Reread'; segment_id: string; rules: Rule; now: string }
  | { type: 'Delete'; segment_id: string; now: string };

/** Throws `version_conflict`, and `not_found` also if the segment is deleted. A rule that says the same is no change. */
export function decide(command: SegmentCommand, segment: Segment): readonly SegmentEvent[] {
  const { segment_id, now: at } = command;
  if (command.type === 'Create') {
    const { name, rules } = command;
    return segment.status === 'new' ? [{ type: 'SegmentCreated', data: { segment_id, name, rules, at } }] : [];
  }
  if (segment.status === 'new') throw notFound('segment', segment_id);
  switch (command.type) {
    case 'Update': {
      if (segment.status === 'deleted') throw notFound('segment', segment_id);
      const { expected } = command;
      if (expected !== null && expected !== segment.version) {
        const message = `The segment is at version ${segment.version}, not ${expected}. Read it again, then change it.`;
        throw new DomainError('version_conflict', message, { expected, actual: segment.version });
      }
      const changes = changed(command.change, segment);
      return Object.keys(changes).length > 0 ? [{ type: 'SegmentUpdated', data: { segment_id, ...changes, at } }] : [];
    }
    case 'Reread': {
      if (segment.status === 'deleted' || !isReadEarlier(segment.rules)) return [];
      const { rules } = command;
      return [{ type: 'SegmentUpdated', data: { segment_id, rules, rules_version: segment.rules_version + 1, reread: true, at } }];
    }
    case 'Delete':
      return segment.status === 'deleted' ? [] : [{ type: 'SegmentDeleted', data: { segment_id, at } }];
    default:
      return command satisfies never;
  }
}

const changed = ({ name, rules }: SegmentChange, segment: SegmentBase) => ({
  ...(name !== undefined && name !== segment.name && { name }),
  ...(rules !== undefined && canonicalText(rules) !== canonicalText(segment.rules) && { rules, rules_version: segment.rules_version + 1 }),
});

// Stream

export const segmentStream = (id: string): string => `segment-${id}`;

export const segment: OwnedAggregate<Segment, SegmentCommand, SegmentEvent> = {
  resource: 'segment',
  stream: segmentStream,
  events: segmentEvents,
  snapshots: { name: 'segment', version: 2 },
  initial: { status: 'new' },
  evolve,
  decide,
};
