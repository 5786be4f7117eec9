import { type InboxMarks, marksAfter, noMarks, type SealedInboxEvent } from '../../domain/inbox/item.js';
import type { Doc, Position } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection } from '../runtime/projection.js';

/** An item of an inbox. Its content stays sealed until a query opens it. */
export interface InboxDoc extends Doc, InboxMarks {
  readonly account: string;
  /** The contact that it was stored for. Queries resolve merges. */
  readonly contact_id: string;
  readonly message_id: string;
  readonly created_at: string;
  /** `~` where it never expires: later than any time. */
  readonly expires: string;
  readonly shelf: 'open' | 'archived';
  /** Whether it counts as unseen and unread: archived items do not. */
  readonly unseen: boolean;
  readonly unread: boolean;
  /** `created_at`, then the position in the log. */
  readonly sort: string;
  /** The positions of its first and its last event. */
  readonly stored: Position;
  readonly changed: Position;
  readonly sealed: string;
}

export const INBOX_ITEMS = 'items';
/** Later than any time. */
export const NO_EXPIRY = '~';

/** The inboxes of contacts: lists, counts and streams are answered from it alone. */
export const inboxItems: Projection<SealedInboxEvent> = {
  name: 'inbox',
  version: 2,
  handles: ['InboxItemStored', 'InboxItemSeen', 'InboxItemRead', 'InboxItemUnread', 'InboxItemArchived', 'InboxItemUnarchived', 'InboxItemClicked'],
  collections: {
    [INBOX_ITEMS]: {
      indexes: [
        ['contact_id', 'shelf', 'sort'],
        ['contact_id', 'unseen', 'sort'],
        ['contact_id', 'unread', 'sort'],
        ['contact_id', 'unseen', 'expires'],
        ['contact_id', 'unread', 'expires'],
        ['contact_id', 'stored'],
        ['contact_id', 'changed'],
      ],
    },
  },
  reads: ({ event }) => [{ collection: INBOX_ITEMS, id: event.data.item_id, ...(event.type === 'InboxItemStored' && { fresh: true }) }],
  apply: (stored, view) => {
    const { event, position } = stored;
    const before = event.type === 'InboxItemStored' ? newDoc(stored) : view.get<InboxDoc>(INBOX_ITEMS, event.data.item_id);
    if (before) view.put(INBOX_ITEMS, marked(before, event, position));
  },
};

function newDoc({ event, meta, position }: LogEvent<SealedInboxEvent>): InboxDoc | undefined {
  if (event.type !== 'InboxItemStored') return undefined;
  const { item_id: id, contact_id, message_id, expires_at, at: created_at, sealed } = event.data;
  return {
    ...{ id, account: meta.account, contact_id, message_id, created_at, expires: expires_at ?? NO_EXPIRY, sort: `${created_at}/${position}` },
    ...{ shelf: 'open', unseen: true, unread: true, ...noMarks, stored: position, changed: position, sealed },
  };
}

function marked(before: InboxDoc, event: SealedInboxEvent, changed: Position): InboxDoc {
  const marks = marksAfter(before, event);
  const isOpen = marks.archived_at === null;
  return {
    ...before,
    ...marks,
    shelf: isOpen ? 'open' : 'archived',
    unseen: isOpen && marks.seen_at === null,
    unread: isOpen && marks.read_at === null,
    changed,
  };
}
