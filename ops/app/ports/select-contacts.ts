import type { SelectedContacts, SelectedPage } from '../../../commands/contacts/ports.js';
import type { Clock, Position, ReadModels } from '../../../domain/kernel/ports.js';
import { findSegment } from '../../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { AddressKeys } from '../../../log/vault/vault.js';
import { contacts } from '../../../projections/contacts/projection.js';
import { contactQueries, type SearchedPage } from '../../../projections/contacts/queries.js';
import { contactSearch } from '../../../projections/contacts/search.js';
import { membersOfSegment } from '../../../projections/segments/listed-members.js';

const PAGE_CONTACTS = 500;
const CATCH_UP_MS = 2_000;
/** How long a page looks for members of a segment. */
const SEARCH_MS = 200;
const NOBODY: SearchedPage = { found: [], searchedTo: null };

export interface SelectionParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
  readonly addresses: AddressKeys;
}

/** Pages of the ids of contacts, in the order of their creation. Null if the read model has not reached `since` within two seconds. */
export const selectPageLoader =
  (parts: SelectionParts, limit = PAGE_CONTACTS) =>
  async (
    account: string,
    { q, possible_duplicates: duplicates, segment_id, ...which }: SelectedContacts,
    { after, since }: { readonly after: string | null; readonly since: Position },
  ): Promise<SelectedPage | null> => {
    if (!(await parts.views.waitUntilReached(contacts, since, CATCH_UP_MS))) return null;
    const search = q === undefined ? undefined : contactSearch(q, (text) => parts.addresses.key(account, text));
    // Too short to be found by.
    if (search === null) return { ids: [], next: null };
    const filter = { account, ...which, search, duplicates, after, descending: false, limit };
    const segment = segment_id === undefined ? undefined : await findSegment(parts.log, account, segment_id);
    const page =
      segment === null ? NOBODY : segment ? await membersOfSegment(parts, segment, filter, SEARCH_MS) : await contactQueries(parts).search(filter);
    const last = page.found.length >= limit ? (page.found.at(-1)?.cursor ?? null) : null;
    return { ids: page.found.map(({ item }) => item.unified.tree.id), next: last ?? page.searchedTo };
  };
