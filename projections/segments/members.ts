import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { LiveSegmentEvent, MembershipsChanged } from '../../domain/segments/live/recorded.js';
import type { SegmentEvent } from '../../domain/segments/segment.js';
import type { Projection, View } from '../kernel.js';

/** A contact that is in a segment. */
export interface SegmentMemberDoc extends Doc {
  readonly segment_id: string;
  readonly contact_id: string;
  /** RFC 3339. */
  readonly since: string;
}

/** The segments that a contact is in. */
export interface ContactSegmentsDoc extends Doc {
  readonly segment_ids: readonly string[];
}

/** How many contacts are in a segment, and whether all of them have been decided by its rules. */
export interface SegmentStateDoc extends Doc {
  readonly count: number;
  readonly rules_version: number;
  /** The version of the rules that every contact is decided by; 0 before the first. */
  readonly live_version: number;
}

interface BuildDoc extends Doc {
  readonly segments: readonly { readonly segment_id: string; readonly rules_version: number }[];
}

type Handled = LiveSegmentEvent | SegmentEvent | Extract<ErasureEvent, { type: 'ErasureCompleted' }>;

const MEMBERS = 'members';
const CONTACTS = 'contacts';
const STATES = 'states';
const BUILDS = 'builds';

export const memberId = (segment: string, contact: string): string => `${segment}/${contact}`;

/** Who is in which segment, as it is recorded. A contact that is erased is in none. */
export const segmentMembers: Projection<Handled> = {
  name: 'segment-members',
  version: 1,
  handles: [
    ...(['SegmentMembershipsChanged', 'SegmentBuildStarted', 'SegmentBuildCompleted'] as const),
    ...(['SegmentCreated', 'SegmentUpdated', 'ErasureCompleted'] as const),
  ],
  collections: {
    [MEMBERS]: { indexes: [['segment_id', 'contact_id']] },
    [CONTACTS]: { indexes: [] },
    [STATES]: { indexes: [] },
    [BUILDS]: { indexes: [] },
  },
  reads: ({ event }) => {
    switch (event.type) {
      case 'SegmentMembershipsChanged': {
        const { contact_id, changes } = event.data;
        const segments = [...new Set(changes.map(({ segment_id }) => segment_id))];
        return [
          { collection: CONTACTS, id: contact_id },
          ...segments.flatMap((id) => [
            { collection: MEMBERS, id: memberId(id, contact_id) },
            { collection: STATES, id },
          ]),
        ];
      }
      case 'SegmentCreated':
      case 'SegmentUpdated':
        return [{ collection: STATES, id: event.data.segment_id }];
      case 'SegmentBuildStarted':
      case 'SegmentBuildCompleted':
        return [{ collection: BUILDS, id: event.data.build_id }];
      case 'ErasureCompleted':
        return event.data.contact_ids.map((id) => ({ collection: CONTACTS, id }));
      default:
        return [];
    }
  },
  readsMore: ({ event }, view) => {
    if (event.type === 'SegmentBuildCompleted')
      return (view.get<BuildDoc>(BUILDS, event.data.build_id)?.segments ?? []).map(({ segment_id: id }) => ({ collection: STATES, id }));
    if (event.type !== 'ErasureCompleted') return [];
    return event.data.contact_ids.flatMap((contact) =>
      (view.get<ContactSegmentsDoc>(CONTACTS, contact)?.segment_ids ?? []).flatMap((id) => [
        { collection: MEMBERS, id: memberId(id, contact) },
        { collection: STATES, id },
      ]),
    );
  },
  apply: ({ event }, view) => {
    switch (event.type) {
      case 'SegmentMembershipsChanged':
        return change(event, view);
      case 'SegmentCreated':
        return view.put(STATES, { id: event.data.segment_id, count: 0, rules_version: 1, live_version: 0 });
      case 'SegmentUpdated':
        return changeState(view, event.data.segment_id, {
          ...(event.data.rules_version !== undefined && { rules_version: event.data.rules_version }),
        });
      case 'SegmentBuildStarted':
        return view.put(BUILDS, { id: event.data.build_id, segments: event.data.segments });
      case 'SegmentBuildCompleted': {
        const { build_id } = event.data;
        for (const { segment_id, rules_version } of view.get<BuildDoc>(BUILDS, build_id)?.segments ?? [])
          changeState(view, segment_id, { live_version: rules_version });
        return view.remove(BUILDS, build_id);
      }
      case 'ErasureCompleted':
        for (const contact of event.data.contact_ids) erase(view, contact);
        return;
      default:
        return;
    }
  },
};

function change({ data: { contact_id, changes } }: MembershipsChanged, view: View): void {
  const segments = new Set(view.get<ContactSegmentsDoc>(CONTACTS, contact_id)?.segment_ids);
  for (const { segment_id, change: what, at } of changes) {
    const id = memberId(segment_id, contact_id);
    const isMember = view.get(MEMBERS, id) !== undefined;
    if (what === 'entered') {
      segments.add(segment_id);
      view.put(MEMBERS, { id, segment_id, contact_id, since: at } satisfies SegmentMemberDoc);
      if (!isMember) count(view, segment_id, 1);
    } else if (isMember) {
      segments.delete(segment_id);
      view.remove(MEMBERS, id);
      count(view, segment_id, -1);
    }
  }
  if (segments.size > 0) view.put(CONTACTS, { id: contact_id, segment_ids: [...segments] });
  else if (view.get(CONTACTS, contact_id)) view.remove(CONTACTS, contact_id);
}

function erase(view: View, contact: string): void {
  const known = view.get<ContactSegmentsDoc>(CONTACTS, contact);
  if (!known) return;
  for (const segment of known.segment_ids) {
    view.remove(MEMBERS, memberId(segment, contact));
    count(view, segment, -1);
  }
  view.remove(CONTACTS, contact);
}

const count = (view: View, segment: string, by: 1 | -1): void =>
  changeState(view, segment, { count: (view.get<SegmentStateDoc>(STATES, segment)?.count ?? 0) + by });

function changeState(view: View, segment: string, changed: Partial<Omit<SegmentStateDoc, 'id'>>): void {
  const known = view.get<SegmentStateDoc>(STATES, segment);
  if (known) view.put(STATES, { ...known, ...changed });
}
