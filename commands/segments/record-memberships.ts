import { type RecordedChange, segmentMembershipStream } from '../../domain/segments/live/recorded.js';
import { internalCommand } from '../runtime/command.js';

/** What is recorded of one contact, after the event of its stream that the decision has seen. */
export interface MembershipRecord {
  readonly contact_id: string;
  /** -1 if there is none. */
  readonly revision: number;
  readonly changes: readonly RecordedChange[];
  /** RFC 3339. */
  readonly at: string;
}

/** Records memberships of many contacts with one call. Returns for each whether it is recorded; not if something else was meanwhile. */
export const recordMemberships = internalCommand({
  name: 'RecordSegmentMemberships',

  handle: ({ records }: { readonly records: readonly MembershipRecord[] }, context): Promise<boolean[]> =>
    context.appendParts(
      records.map(({ contact_id, revision, changes, at }) => ({
        appends: [
          {
            stream: segmentMembershipStream(contact_id),
            expected: revision < 0 ? ('no-stream' as const) : revision,
            events: [{ type: 'SegmentMembershipsChanged', data: { contact_id, changes, at } }],
          },
        ],
      })),
    ),
});
