/**
 * An item of the inbox of a contact: an in-app message, and what the contact has done with it. Its id is derived from the message,
 * so a repeated dispatch stores it once.
 */

import type { SealedAggregate } from '../kernel/aggregate.js';
import { notFound } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { anyRecord, boundedText, count, flag, nullable, record, text, time } from '../kernel/schema.js';
import type { SealedState } from '../kernel/sealed-state.js';

// Events

/** `expires_at`: from then on nobody sees it. */
export const InboxItemStored = eventType(
  'InboxItemStored',
  record({
    item_id: text,
    contact_id: text,
    message_id: text,
    title: nullable(text),
    message: boundedText({}),
    action_url: nullable(text),
    data: nullable(anyRecord),
    expires_at: nullable(time),
    at: time,
  }),
  { personal: { subject: 'contact_id', fields: ['title', 'message', 'action_url', 'data'] } },
);
const changed = { item_id: text, contact_id: text, message_id: text, at: time };
export const InboxItemSeen = eventType('InboxItemSeen', record(changed));
/** `first`: it was never read before. */
export const InboxItemRead = eventType('InboxItemRead', record({ ...changed, first: flag }));
export const InboxItemUnread = eventType('InboxItemUnread', record(changed));
export const InboxItemArchived = eventType('InboxItemArchived', record(changed));
export const InboxItemUnarchived = eventType('InboxItemUnarchived', record(changed));
/** The contact opened its link. `nth`: the number of this click, from 1. */
export const InboxItemClicked = eventType('InboxItemClicked', record({ ...changed, nth: count }));

export const inboxEvents = [
  InboxItemStored,
  InboxItemSeen,
  InboxItemRead,
  InboxItemUnread,
  InboxItemArchived,
  InboxItemUnarchived,
  InboxItemClicked,
] as const;
export type InboxEvent = EventOf<(typeof inboxEvents)[number]>;
export type SealedInboxEvent = SealedEventOf<(typeof inboxEvents)[number]>;
export type InboxContent = Pick<EventOf<typeof InboxItemStored>['data'], 'title' | 'message' | 'action_url' | 'data'>;

// State

/** What the contact has done with an item, and when. */
export interface InboxMarks {
  readonly seen_at: string | null;
  readonly read_at: string | null;
  /** Of the first click. */
  readonly clicked_at: string | null;
  readonly archived_at: string | null;
}

export interface StoredItem extends InboxMarks {
  readonly status: 'stored';
  readonly item_id: string;
  readonly contact_id: string;
  readonly message_id: string;
  /** Sealed where the stream was read so. */
  readonly content: InboxContent | null;
  readonly was_read: boolean;
  readonly clicks: number;
}
export type InboxItem = { readonly status: 'none' } | StoredItem;

export const noMarks: InboxMarks = { seen_at: null, read_at: null, clicked_at: null, archived_at: null };

/** The marks after an event: what is read is seen. */
export function marksAfter(marks: InboxMarks, { type, data: { at } }: { readonly type: InboxEvent['type']; readonly data: { readonly at: string } }) {
  const { seen_at, clicked_at } = marks;
  switch (type) {
    case 'InboxItemStored':
      return noMarks;
    case 'InboxItemSeen':
      return { ...marks, seen_at: seen_at ?? at };
    case 'InboxItemRead':
      return { ...marks, seen_at: seen_at ?? at, read_at: at };
    case 'InboxItemUnread':
      return { ...marks, read_at: null };
    case 'InboxItemArchived':
      return { ...marks, archived_at: at };
    case 'InboxItemUnarchived':
      return { ...marks, archived_at: null };
    case 'InboxItemClicked':
      return { ...marks, clicked_at: clicked_at ?? at };
    default:
      return type satisfies never;
  }
}

/** Also takes sealed events: the content does not affect what is decided. */
export function evolve(item: InboxItem, event: InboxEvent | SealedInboxEvent): InboxItem {
  if (event.type === 'InboxItemStored') {
    const { item_id, contact_id, message_id } = event.data;
    return { status: 'stored', item_id, contact_id, message_id, content: contentOf(event.data), was_read: false, clicks: 0, ...noMarks };
  }
  if (item.status === 'none') return item;
  const next: StoredItem = { ...item, ...marksAfter(item, event) };
  if (event.type === 'InboxItemRead') return { ...next, was_read: true };
  return event.type === 'InboxItemClicked' ? { ...next, clicks: event.data.nth } : next;
}

function contentOf(data: InboxContent | { readonly sealed: string }): InboxContent | null {
  if ('sealed' in data) return null;
  const { title, message, action_url, data: more } = data;
  return { title, message, action_url, data: more };
}

// Commands

/** What a contact does with an item. */
export const inboxActions = ['seen', 'read', 'unread', 'archive', 'unarchive', 'click'] as const;
export type InboxAction = (typeof inboxActions)[number];

export type InboxCommand =
  | ({ type: 'Store'; item_id: string; contact_id: string; message_id: string; expires_at: string | null; now: string } & InboxContent)
  | { type: 'Mark'; item_id: string; action: InboxAction; now: string };

/** Clicks that are recorded of one item: more show nothing new. */
const MAX_CLICKS = 20;

export function decide(command: InboxCommand, item: SealedState<InboxItem, InboxEvent>): readonly InboxEvent[] {
  if (command.type === 'Store') {
    const { type: _, now: at, ...data } = command;
    return item.status === 'none' ? [{ type: 'InboxItemStored', data: { ...data, at } }] : [];
  }
  if (item.status === 'none') throw notFound('inbox_message', command.item_id);
  return mark(command.action, item, command.now);
}

function mark(action: InboxAction, item: Omit<StoredItem, 'content'>, at: string): readonly InboxEvent[] {
  const { item_id, contact_id, message_id, seen_at, read_at, archived_at, was_read, clicks } = item;
  const data = { item_id, contact_id, message_id, at };
  switch (action) {
    case 'seen':
      return seen_at === null ? [{ type: 'InboxItemSeen', data }] : [];
    case 'read':
      return read_at === null ? [{ type: 'InboxItemRead', data: { ...data, first: !was_read } }] : [];
    case 'unread':
      return read_at === null ? [] : [{ type: 'InboxItemUnread', data }];
    case 'archive':
      return archived_at === null ? [{ type: 'InboxItemArchived', data }] : [];
    case 'unarchive':
      return archived_at === null ? [] : [{ type: 'InboxItemUnarchived', data }];
    case 'click':
      // What is clicked is read.
      return [...mark('read', item, at), ...(clicks < MAX_CLICKS ? [{ type: 'InboxItemClicked', data: { ...data, nth: clicks + 1 } } as const] : [])];
    default:
      return action satisfies never;
  }
}

// Stream

/** The name begins with the contact, so that whoever shows an inbox learns from names alone that it has changed. */
export const inboxStream = (contactId: string, itemId: string): string => `${INBOX_PREFIX}${contactId}-${itemId}`;

export const inboxItem: SealedAggregate<InboxItem, InboxCommand, InboxEvent, readonly [contactId: string, itemId: string]> = {
  stream: inboxStream,
  events: inboxEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};

export const INBOX_PREFIX = 'inbox-';
/** The contact of a stream of the inbox. */
export const contactOfInbox = (stream: string): string => stream.slice(INBOX_PREFIX.length, stream.lastIndexOf('-'));
