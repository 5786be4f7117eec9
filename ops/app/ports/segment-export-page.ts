import type { Clock, ReadModels } from '../../../domain/kernel/ports.js';
import { findSegment } from '../../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { ContactFilter, ListedContact } from '../../../projections/contacts/queries.js';
import { membersOfSegment } from '../../../projections/segments/listed-members.js';

/** Contacts of a page of a segment: each has at most some kilobytes. */
const SEGMENT_CONTACTS = 100;
/** How long a page looks for members. */
const SEARCH_MS = 200;

/** Loads the members of a segment in a stretch of the contacts, for exports; a segment that is deleted meanwhile has none. */
export const segmentPageLoader =
  (stores: { readonly log: EventLog; readonly views: ReadModels; readonly clock: Clock }) =>
  async (segmentId: string, filter: ContactFilter): Promise<{ readonly items: readonly ListedContact[]; readonly next: string | null }> => {
    const segment = await findSegment(stores.log, filter.account, segmentId);
    if (!segment) return { items: [], next: null };
    const limit = Math.min(filter.limit, SEGMENT_CONTACTS);
    const { found, searchedTo } = await membersOfSegment(stores, segment, { ...filter, limit }, SEARCH_MS);
    const full = found.length === limit ? (found.at(-1)?.cursor ?? null) : null;
    return { items: found.map(({ item }) => item), next: full ?? searchedTo };
  };
