import type { InboxContent } from '../../domain/inbox/item.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { Checkpoint, Docs, Find, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { PageRange } from '../runtime/paging.js';
import { INBOX_ITEMS, type InboxDoc, inboxItems, NO_EXPIRY } from './projection.js';

export const inboxFilters = ['all', 'unseen', 'unread', 'archived'] as const;
export type InboxFilter = (typeof inboxFilters)[number];

/** An item as the API shows it. */
export interface InboxRecord extends InboxContent, Pick<InboxDoc, 'id' | 'message_id' | 'created_at' | 'seen_at' | 'read_at' | 'clicked_at'> {
  readonly archived_at: string | null;
  readonly expires_at: string | null;
}

/** Archived and expired items count nowhere. */
export interface InboxCounts {
  readonly unseen: number;
  readonly unread: number;
}

/** Something that happened in an inbox; `doc` is the item as it is now. */
export interface InboxOccurrence {
  readonly kind: 'message' | 'update';
  readonly position: Position;
  readonly doc: InboxDoc;
}

/** The ids of one unified contact: its items are those of all of them. */
type Members = readonly string[];

const whereOf: Readonly<Record<InboxFilter, Find['where']>> = {
  all: { shelf: 'open' },
  unseen: { unseen: true },
  unread: { unread: true },
  archived: { shelf: 'archived' },
};

/** Expired items of one contact that are looked at to leave them out of its counts. */
const MAX_EXPIRED = 10_000;

export type InboxQueries = ReturnType<typeof inboxQueries>;

/** Queries over inboxes. The caller has checked that the contacts belong to its account. */
export function inboxQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<InboxDoc>(inboxItems, INBOX_ITEMS);

  return {
    /** Undefined if there is none in this account. */
    async find(account: string, id: string): Promise<InboxDoc | undefined> {
      const doc = await docs.get(id);
      return doc?.account === account ? doc : undefined;
    },

    /** In the order of `sort`, without those that have expired by now (RFC 3339). */
    async page(members: Members, filter: InboxFilter, range: PageRange, now: string): Promise<InboxDoc[]> {
      const found: InboxDoc[] = [];
      for (let { after } = range; found.length < range.limit; ) {
        const next = await rowsOf(docs, members, filter, { ...range, after });
        found.push(...next.filter(({ expires }) => expires > now));
        if (next.length < range.limit) break;
        after = next.at(-1)?.sort ?? null;
      }
      return found.slice(0, range.limit);
    },

    async counts(members: Members, now: string): Promise<InboxCounts> {
      const [unseen, unread] = await Promise.all([countOf(docs, members, whereOf.unseen, now), countOf(docs, members, whereOf.unread, now)]);
      return { unseen, unread };
    },

    /**
     * What happened after one position of the log, up to another, in the order of the log: `message` where an item was stored, `update`
     * where its last change lies. So whoever goes on after any of these positions gets each of the later ones, whatever changes meanwhile.
     * `reached`: the position up to which that is all. At most twice `limit` events.
     */
    events: (members: Members, after: Position, upTo: Position, limit: number) => occurrences(docs, members, after, upTo, limit),

    /** What the read model has, as this process knows it: documents that are read afterward are at least as new. */
    async reached(): Promise<Checkpoint> {
      return (await views.positions(inboxItems))[0] ?? 'start';
    },

    /** In the same order. What is erased is left out. */
    async show(found: readonly InboxDoc[]): Promise<InboxRecord[]> {
      const opened = await log.openBoxes(found.map(({ sealed }) => sealed));
      return found.map((doc, i) => recordOf(doc, (opened[i] ?? ERASED_CONTENT) as unknown as InboxContent));
    },
  };
}

/** Of every member, in one order. */
async function unified(
  docs: Docs<InboxDoc>,
  members: Members,
  find: (contact_id: string) => Find,
  by: 'sort' | 'stored' | 'changed',
  descending: boolean,
  limit: number,
) {
  const found = (await Promise.all(members.map((id) => docs.find(find(id))))).flat();
  const sign = descending ? -1 : 1;
  return found.sort((a, b) => (a[by] < b[by] ? -sign : sign)).slice(0, limit);
}

/** Items of one page, expired ones included. */
function rowsOf(docs: Docs<InboxDoc>, members: Members, filter: InboxFilter, { after, descending, limit }: PageRange): Promise<InboxDoc[]> {
  const range = after === null ? {} : { range: { field: 'sort', ...(descending ? { lt: after } : { gt: after }) } };
  const find = (contact_id: string): Find => ({
    where: { contact_id, ...whereOf[filter] },
    ...range,
    order: { field: 'sort', descending },
    limit,
  });
  return unified(docs, members, find, 'sort', descending, limit);
}

async function countOf(docs: Docs<InboxDoc>, members: Members, where: Find['where'], now: string): Promise<number> {
  const counts = await Promise.all(
    members.map(async (contact_id) => {
      const all = await docs.count({ contact_id, ...where });
      if (all === 0) return 0;
      const range = { field: 'expires', lte: now };
      return all - (await docs.find({ where: { contact_id, ...where }, range, order: { field: 'expires' }, limit: MAX_EXPIRED })).length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function occurrences(
  docs: Docs<InboxDoc>,
  members: Members,
  after: Position,
  upTo: Position,
  limit: number,
): Promise<{ events: InboxOccurrence[]; reached: Position }> {
  const within = async (field: 'stored' | 'changed') => {
    const range = { field, gt: after, lte: upTo };
    return unified(docs, members, (contact_id) => ({ where: { contact_id }, range, order: { field }, limit }), field, false, limit);
  };
  const [stored, changed] = await Promise.all([within('stored'), within('changed')]);
  const ends = [upTo, stored[limit - 1]?.stored ?? upTo, changed[limit - 1]?.changed ?? upTo];
  const reached = ends.reduce((least, end) => (end < least ? end : least));
  const events = [
    ...stored.map((doc): InboxOccurrence => ({ kind: 'message', position: doc.stored, doc })),
    ...changed.filter((doc) => doc.changed > doc.stored).map((doc): InboxOccurrence => ({ kind: 'update', position: doc.changed, doc })),
  ];
  return { events: events.filter(({ position }) => position <= reached).sort((a, b) => (a.position < b.position ? -1 : 1)), reached };
}

const ERASED_CONTENT: InboxContent = { title: null, message: ERASED, action_url: null, data: null };

function recordOf(doc: InboxDoc, { title, message, action_url, data }: InboxContent): InboxRecord {
  const { id, message_id, created_at, seen_at, read_at, clicked_at, archived_at, expires } = doc;
  const expires_at = expires === NO_EXPIRY ? null : expires;
  return { id, message_id, title, message, action_url, data, created_at, seen_at, read_at, clicked_at, archived_at, expires_at };
}
