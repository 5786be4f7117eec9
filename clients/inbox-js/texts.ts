/** What a person reads or hears. A page can give its own. */
export const TEXTS = {
  name: 'Notifications',
  show: 'Show',
  tabs: { all: 'Inbox', unread: 'Unread', archived: 'Archived' },
  unread: 'Mark as unread',
  read: 'Mark as read',
  archive: 'Archive',
  unarchive: 'Move to inbox',
  readAll: 'Mark all as read',
  close: 'Close',
  dismiss: 'Dismiss',
  empty: 'No messages.',
  more: 'Show more',
  click: 'Open',
  toasts: 'New messages',
  isUnread: 'Unread.',
  arrived: 'New message:',
  failed: 'That did not work. Try again.',
  count: (unread: number): string => `${unread} unread`,
};
export type Texts = typeof TEXTS;
