import { type InboxEvent, inboxItem } from '../../domain/inbox/item.js';
import { specification } from '../given.js';

const { given } = specification(inboxItem);
const [item_id, contact_id, message_id] = ['inb_1', 'con_1', 'msg_1'];
const at = '2026-01-15T10:30:00.000Z';
const now = '2026-01-15T11:00:00.000Z';
const content = { title: 'Hi', message: 'Hello', action_url: null, data: null };
const ids = { item_id, contact_id, message_id };
const stored: InboxEvent = { type: 'InboxItemStored', data: { ...ids, ...content, expires_at: null, at } };
const read: InboxEvent = { type: 'InboxItemRead', data: { ...ids, first: true, at } };
const unread: InboxEvent = { type: 'InboxItemUnread', data: { ...ids, at } };
const mark = (action: 'seen' | 'read' | 'unread' | 'archive' | 'unarchive' | 'click') => ({ type: 'Mark', item_id, action, now }) as const;

describe('an item of an inbox', () => {
  it('is stored once', () => {
    const store = { type: 'Store', ...ids, ...content, expires_at: null, now: at } as const;
    given().when(store).then(stored);
    given(stored).when(store).thenNothing();
  });

  it('is not found before it is stored', () => given().when(mark('read')).thenRefused('not_found'));

  it('is read for the first time, and again after it was marked unread', () => {
    given(stored)
      .when(mark('read'))
      .then({ type: 'InboxItemRead', data: { ...ids, first: true, at: now } });
    given(stored, read, unread)
      .when(mark('read'))
      .then({ type: 'InboxItemRead', data: { ...ids, first: false, at: now } });
  });

  it('that is read is seen', () => {
    given(stored, read).when(mark('seen')).thenNothing();
    given(stored, read, unread).when(mark('seen')).thenNothing();
  });

  it('that is clicked is read, and its clicks are counted up to twenty', () => {
    const clicks = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ type: 'InboxItemClicked', data: { ...ids, nth: i + 1, at } }) as const);
    const clicked: InboxEvent = { type: 'InboxItemClicked', data: { ...ids, nth: 1, at: now } };
    given(stored)
      .when(mark('click'))
      .then({ type: 'InboxItemRead', data: { ...ids, first: true, at: now } }, clicked);
    given(stored, read).when(mark('click')).then(clicked);
    given(stored, read, ...clicks(20))
      .when(mark('click'))
      .thenNothing();
  });

  it('ignores what is so already', () => {
    given(stored).when(mark('unread')).thenNothing();
    given(stored).when(mark('unarchive')).thenNothing();
    given(stored, { type: 'InboxItemArchived', data: { ...ids, at } })
      .when(mark('archive'))
      .thenNothing();
  });
});
