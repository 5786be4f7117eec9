import Type from 'typebox';
import { annotate, anyRecord, boundedText, count, named, nullable, oneOf, record, text, time } from '../../domain/kernel/schema.js';
import { inboxFilters } from '../../projections/inbox/queries.js';

export const inboxFilter = named('InboxFilter', oneOf(...inboxFilters));

export const inboxMessage = named(
  'InboxMessage',
  record({
    id: text,
    message_id: annotate(text, { description: 'The message that was sent.' }),
    title: nullable(text),
    message: boundedText({}),
    action_url: nullable(text),
    data: nullable(anyRecord),
    created_at: time,
    seen_at: annotate(nullable(time), { description: 'When the contact saw it in a list. What is read is seen.' }),
    read_at: nullable(time),
    clicked_at: annotate(nullable(time), { description: 'Time of the first click.' }),
    archived_at: nullable(time),
    expires_at: annotate(nullable(time), { description: 'From then on it is shown and counted nowhere.' }),
  }),
);
export const inboxCounts = named('InboxCounts', record({ unseen: count, unread: count }));
export const markedAll = named('InboxMarkedAll', record({ changed: count, unseen: count, unread: count }));
export const inboxToken = named(
  'InboxToken',
  record({ token: text, contact_id: text, expires_in: annotate(count, { description: 'Seconds.' }), expires_at: time }),
);

export const contactParameter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'Whose inbox. Required with an API key; a token has its own contact.' }),
);
