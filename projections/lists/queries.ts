import type { ReadModels } from '../../domain/kernel/ports.js';
import type { MembershipStatus } from '../../domain/lists/membership.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { openSources } from '../../log/runtime/open-sources.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type Counts, type ListDoc, lists, type MemberDoc, type TraceDoc } from './projection.js';

/** A member with its source: `<erased>` once the key of the contact is destroyed. */
export type ListedMember = Pick<MemberDoc, 'contact_id' | 'status' | 'since' | 'sort'> & { readonly source: string };

export type ListQueries = ReturnType<typeof listQueries>;

/** Queries over lists and their members. They open the sources. */
export function listQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const listDocs = views.docs<ListDoc>(lists, 'lists');
  const memberDocs = views.docs<MemberDoc>(lists, 'members');
  const traceDocs = views.docs<TraceDoc>(lists, 'traces');

  return {
    async lists(account: string, range: PageRange): Promise<WithCursor<ListDoc>[]> {
      const found = await listDocs.find(findInRange({ account, deleted: false }, range));
      return found.map((item) => ({ item, cursor: item.sort }));
    },

    countLists: (account: string, range: CountRange): Promise<number> => countInRange(listDocs, { account, deleted: false }, range),

    countMembers: (list_id: string, status: MembershipStatus | undefined, range: CountRange): Promise<number> =>
      countInRange(memberDocs, { list_id, ...(status && { status }) }, range),

    /** Number of contacts on a list, by status. All zero if the list is not in the read model yet. */
    async counts(listId: string): Promise<Counts> {
      return (await listDocs.get(listId))?.counts ?? { unsubscribed: 0, cleaned: 0, pending: 0, subscribed: 0 };
    },

    async members(listId: string, status: MembershipStatus | undefined, range: PageRange): Promise<WithCursor<ListedMember>[]> {
      const found = await memberDocs.find(findInRange({ list_id: listId, ...(status && { status }) }, range));
      const members = found.map(({ contact_id, status, since, sort, source }) => ({ contact_id, status, since, sort, source }));
      return (await openSources(log, members)).map((item) => ({ item, cursor: item.sort }));
    },

    /** The contacts that ever had a membership of a list, in the order of their first one. */
    async traces(listId: string, range: PageRange): Promise<WithCursor<TraceDoc>[]> {
      const found = await traceDocs.find(findInRange({ list_id: listId }, range));
      return found.map((item) => ({ item, cursor: item.sort }));
    },
  };
}
