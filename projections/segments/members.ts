/** Who is in which segment, and who was: the documents, and how events change them. */

import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { LiveSegmentEvent, MembershipsChanged } from '../../domain/segments/live/recorded.js';
import type { SegmentEvent } from '../../domain/segments/segment.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';

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
type PastSpan = readonly [since: string, until: string, entered: number, left: number];

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

type HandledEvent = LiveSegmentEvent | SegmentEvent | Extract<ErasureEvent, { type: 'ErasureCompleted' }>;
type Change = MembershipsChanged['data']['changes'][number];

const MEMBERS = 'members';
const PAST = 'past';
const CONTACTS = 'contacts';
const STATES = 'states';
const BUILDS = 'builds';

const ref = (collection: string, id: string): DocumentRef => ({ collection, id });
const memberRefs = (segment: string, contact: string): DocumentRef[] => [
  ref(MEMBERS, memberId(segment, contact)),
  ref(PAST, memberId(segment, contact)),
  ref(STATES, segment),
];

/**
 * Who is in which segment, as it is recorded, and who was. What new rules change is kept beside until every contact is decided by
 * them: readers see the members by the old rules or by the new ones. A contact that is erased is in none.
 */
export const segmentMembers: Projection<HandledEvent> = {
  name: 'segment-members',
  version: 2,
  handles: [
    ...(['SegmentMembershipsChanged', 'SegmentBuildStarted', 'SegmentHistoryScanned', 'SegmentBuildCompleted'] as const),
    ...(['SegmentCreated', 'SegmentUpdated', 'SegmentDeleted', 'ErasureCompleted'] as const),
  ],
  collections: {
    [MEMBERS]: { indexes: [['segment_id', 'contact_id']] },
    [PAST]: { indexes: [['segment_id', 'contact_id']] },
    [CONTACTS]: { indexes: [] },
    [STATES]: { indexes: [] },
    [BUILDS]: { indexes: [] },
  },
  reads: ({ event }) => {
    switch (event.type) {
      case 'SegmentMembershipsChanged': {
        const { contact_id, changes } = event.data;
        const segments = [...new Set(changes.map(({ segment_id }) => segment_id))];
        return [ref(CONTACTS, contact_id), ...segments.flatMap((id) => memberRefs(id, contact_id))];
      }
      case 'SegmentCreated':
      case 'SegmentUpdated':
      case 'SegmentDeleted':
        return [ref(STATES, event.data.segment_id)];
      case 'SegmentBuildStarted':
        return [ref(BUILDS, event.data.build_id), ...event.data.segments.map(({ segment_id }) => ref(STATES, segment_id))];
      case 'SegmentHistoryScanned':
      case 'SegmentBuildCompleted':
        return [ref(BUILDS, event.data.build_id)];
      case 'ErasureCompleted':
        return event.data.contact_ids.map((id) => ref(CONTACTS, id));
      default:
        return [];
    }
  },
  readsMore: ({ event }, view) => {
    if (event.type === 'SegmentBuildCompleted')
      return (view.get<BuildDoc>(BUILDS, event.data.build_id)?.segments ?? []).map(({ segment_id }) => ref(STATES, segment_id));
    if (event.type !== 'ErasureCompleted') return [];
    return event.data.contact_ids.flatMap((contact) => {
      const { segment_ids = [], was_in = [] } = view.get<ContactSegmentsDoc>(CONTACTS, contact) ?? {};
      return [...segment_ids, ...was_in].flatMap((segment) => memberRefs(segment, contact));
    });
  },
  apply: (stored, view) => apply(stored, view),
};

function apply({ event, position }: LogEvent<HandledEvent>, view: View) {
  switch (event.type) {
    case 'SegmentMembershipsChanged':
      return change(event, view);
    case 'SegmentCreated':
      return view.put(STATES, newState(event.data.segment_id));
    case 'SegmentUpdated':
      if (event.data.rules_version !== undefined) changeState(view, event.data.segment_id, { rules_version: event.data.rules_version });
      return;
    case 'SegmentDeleted':
      return changeState(view, event.data.segment_id, { deleted: true, count: 0 });
    case 'SegmentBuildStarted': {
      const { build_id: id, segments, scan } = event.data;
      for (const { segment_id } of segments) changeState(view, segment_id, { build_id: id });
      return view.put(BUILDS, { id, segments, until: position, read: scan === 'log' ? '' : position } satisfies BuildDoc);
    }
    case 'SegmentHistoryScanned': {
      const build = view.get<BuildDoc>(BUILDS, event.data.build_id);
      return build && view.put(BUILDS, { ...build, read: event.data.to });
    }
    case 'SegmentBuildCompleted':
      return complete(view, event.data.build_id, event.data.at);
    case 'ErasureCompleted':
      for (const contact of event.data.contact_ids) erase(view, contact);
      return;
    default:
      return event satisfies never;
  }
}

const newState = (id: string): SegmentStateDoc => ({ id, count: 0, next_count: 0, rules_version: 1, live_version: 0, lives: [], build_id: null });

function change({ data: { contact_id, changes } }: MembershipsChanged, view: View): void {
  const before = view.get<ContactSegmentsDoc>(CONTACTS, contact_id);
  const kept = new Set(before?.segment_ids);
  const was = new Set(before?.was_in);
  for (const one of changes) {
    const id = memberId(one.segment_id, contact_id);
    if (one.change === 'entered') enter(view, contact_id, one);
    else leave(view, contact_id, one);
    if (view.get(MEMBERS, id)) kept.add(one.segment_id);
    else kept.delete(one.segment_id);
    if (view.get(PAST, id)) was.add(one.segment_id);
  }
  if (kept.size + was.size > 0) view.put(CONTACTS, { id: contact_id, segment_ids: [...kept], ...(was.size > 0 && { was_in: [...was] }) });
  else if (before) view.remove(CONTACTS, contact_id);
}

/** Whether a change is by rules of which not every contact is decided yet. */
const isBeside = (state: SegmentStateDoc | undefined, { rules_version }: Change): boolean =>
  state !== undefined && rules_version > state.live_version;

function enter(view: View, contact_id: string, { segment_id, rules_version: v, at }: Change) {
  const id = memberId(segment_id, contact_id);
  const known = view.get<SegmentMemberDoc>(MEMBERS, id);
  const state = view.get<SegmentStateDoc>(STATES, segment_id);
  const beside = isBeside(state, { rules_version: v } as Change);
  if (known && !known.left) return;
  count(view, segment_id, beside ? { next: 1 } : { now: 1, next: 1 });
  if (known?.left && state && known.left.v > state.live_version) {
    const { left: _, ...again } = known;
    return view.put(MEMBERS, again);
  }
  if (known?.left) keepSpan(view, known, [known.since, known.left.at, known.v, known.left.v]);
  view.put(MEMBERS, { id, segment_id, contact_id, since: at, v } satisfies SegmentMemberDoc);
}

function leave(view: View, contact_id: string, one: Change) {
  const { segment_id, rules_version: v, at } = one;
  const known = view.get<SegmentMemberDoc>(MEMBERS, memberId(segment_id, contact_id));
  if (!known || known.left) return;
  const state = view.get<SegmentStateDoc>(STATES, segment_id);
  const beside = isBeside(state, one);
  count(view, segment_id, beside ? { next: -1 } : { now: -1, next: -1 });
  // Readers see it by the old rules.
  if (beside && known.v <= (state?.live_version ?? 0)) return view.put(MEMBERS, { ...known, left: { v, at } });
  view.remove(MEMBERS, known.id);
  if (!beside) keepSpan(view, known, [known.since, at, known.v, v]);
}

/** Older ones of a contact are forgotten. */
const MAX_SPANS = 500;

function keepSpan(view: View, { id, segment_id, contact_id }: SegmentMemberDoc, span: PastSpan): void {
  const spans = [...(view.get<PastMemberDoc>(PAST, id)?.spans ?? []), span].slice(-MAX_SPANS);
  view.put(PAST, { id, segment_id, contact_id, spans } satisfies PastMemberDoc);
}

function complete(view: View, build: string, at: string): void {
  for (const { segment_id, rules_version } of view.get<BuildDoc>(BUILDS, build)?.segments ?? []) {
    const state = view.get<SegmentStateDoc>(STATES, segment_id);
    if (!state || state.deleted) continue;
    const lives = [...state.lives, { v: rules_version, at }];
    view.put(STATES, { ...state, live_version: rules_version, lives, count: state.next_count, build_id: null });
  }
  view.remove(BUILDS, build);
}

function erase(view: View, contact: string): void {
  const known = view.get<ContactSegmentsDoc>(CONTACTS, contact);
  if (!known) return;
  for (const segment of known.segment_ids) {
    const member = view.get<SegmentMemberDoc>(MEMBERS, memberId(segment, contact));
    const live = view.get<SegmentStateDoc>(STATES, segment)?.live_version ?? 0;
    const isSeen = member !== undefined && member.v <= live && !(member.left && member.left.v <= live);
    count(view, segment, { now: isSeen ? -1 : 0, next: member?.left ? 0 : -1 });
    view.remove(MEMBERS, memberId(segment, contact));
  }
  for (const segment of known.was_in ?? []) view.remove(PAST, memberId(segment, contact));
  view.remove(CONTACTS, contact);
}

function count(view: View, segment: string, by: { readonly now?: number; readonly next: number }): void {
  const known = view.get<SegmentStateDoc>(STATES, segment);
  if (known && !known.deleted) view.put(STATES, { ...known, count: known.count + (by.now ?? 0), next_count: known.next_count + by.next });
}

function changeState(view: View, segment: string, changed: Partial<Omit<SegmentStateDoc, 'id'>>): void {
  const known = view.get<SegmentStateDoc>(STATES, segment);
  if (known) view.put(STATES, { ...known, ...changed });
}
