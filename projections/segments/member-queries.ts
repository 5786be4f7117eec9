import type { ReadModels } from '../../domain/kernel/ports.js';
import { type MembershipsChanged, type RecordedChange, segmentMembershipStream } from '../../domain/segments/live/recorded.js';
import type { EventLog } from '../../log/event-log.js';
import { type ContactSegmentsDoc, memberId, type SegmentMemberDoc, type SegmentStateDoc, segmentMembers } from './members.js';

/** Contacts of one page of an audience. */
export const MAX_MEMBERS = 1_000;

/** Whether every contact has been decided by the rules of a segment, and how many are in it as of now. */
export interface SegmentState {
  readonly status: 'building' | 'live';
  readonly count: number;
  /** The latest version of its rules. */
  readonly rules_version: number;
}

/** An entry of the history of a contact in a segment. */
export type MembershipChange = Omit<RecordedChange, 'segment_id'>;

/** Queries over the members of segments. Ids of segments are those of the caller's account: it has checked them. */
export function segmentMemberQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const members = views.docs<SegmentMemberDoc>(segmentMembers, 'members');
  const contacts = views.docs<ContactSegmentsDoc>(segmentMembers, 'contacts');
  const states = views.docs<SegmentStateDoc>(segmentMembers, 'states');

  return {
    /** Contacts in the order of their ids, after one of them: the whole of a large segment is read in such pages. */
    members(segment: string, after: string | null, limit = MAX_MEMBERS): Promise<SegmentMemberDoc[]> {
      const range = after === null ? {} : { range: { field: 'contact_id', gt: after } };
      return members.find({ where: { segment_id: segment }, ...range, order: { field: 'contact_id' }, limit: Math.min(limit, MAX_MEMBERS) });
    },

    /** Those of these contacts that are in a segment. */
    async among(segment: string, contactIds: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await members.getMany(contactIds.map((contact) => memberId(segment, contact)));
      return new Set(found.flatMap((doc) => (doc ? [doc.contact_id] : [])));
    },

    async isMember(segment: string, contact: string): Promise<boolean> {
      return (await members.get(memberId(segment, contact))) !== undefined;
    },

    /** The segments that a contact is in. */
    async segmentsOf(contact: string): Promise<readonly string[]> {
      return (await contacts.get(contact))?.segment_ids ?? [];
    },

    /** Null if there is no such segment. */
    async state(segment: string): Promise<SegmentState | null> {
      return stateOf(await states.get(segment));
    },

    /** In the order of the ids. */
    async states(segments: readonly string[]): Promise<(SegmentState | null)[]> {
      return (await states.getMany(segments)).map(stateOf);
    },

    /** When the contact entered the segment and left it, and why, the earliest first. */
    async history(segment: string, contact: string): Promise<MembershipChange[]> {
      const stored = (await log.readSealed(segmentMembershipStream(contact))) ?? [];
      return stored.flatMap(({ event }) =>
        (event as MembershipsChanged).data.changes.flatMap(({ segment_id, ...change }) => (segment_id === segment ? [change] : [])),
      );
    },
  };
}

const stateOf = (known: SegmentStateDoc | undefined): SegmentState | null =>
  known ? { status: known.live_version === known.rules_version ? 'live' : 'building', count: known.count, rules_version: known.rules_version } : null;
