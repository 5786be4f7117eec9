import Type from 'typebox';
import { named, oneOf, optional, record } from '../../domain/kernel/schema.js';
import type { LiveInboxes } from '../../projections/inbox/live.js';
import type { CorsPolicy } from '../http/cors.js';
import { type AnyRoute, route } from '../http/route.js';
import type { InboxAccess } from './access.js';
import { contactParameter } from './schemas.js';

const POSITION = /^[0-9]{20}$/;
export const EVENT_STREAM = 'text/event-stream';

/** One event of the stream. */
const inboxEvent = named(
  'InboxEvent',
  record({
    id: optional(Type.String({ description: 'The position, for `Last-Event-ID`. Missing while the account has no events.' })),
    event: named('InboxEventType', oneOf('message', 'update', 'counts')),
    data: Type.String({ contentMediaType: 'application/json', description: 'JSON: an inbox message, or its counts.' }),
  }),
);

/** `GET /v1/inbox/stream`: server-sent events. */
export const inboxStreamRoute = (live: LiveInboxes, access: InboxAccess, cors: CorsPolicy): AnyRoute =>
  route({
    method: 'GET',
    path: '/v1/inbox/stream',
    operationId: 'streamInbox',
    tag: 'inbox',
    limit: 'general',
    access: 'read',
    token: access.inQuery,
    cors,
    summary: 'Follow an inbox',
    description:
      'Server-sent events: `message` (a new one), `update` (one that has changed) and `counts`. The data of the first two is the message, as in the list. The `id` of an event is a position: with it as `Last-Event-ID`, on any node, the stream goes on after it without loss or repetition; several changes of one message meanwhile are one `update`. `counts` comes after what it counts. It ends when its token expires, and when contacts are merged: connect again and load the list.',
    query: record({
      contact_id: contactParameter,
      token: optional(
        Type.String({ maxLength: 512, description: 'A token of the inbox, for browsers, which cannot send a header with an `EventSource`.' }),
      ),
    }),
    streams: [EVENT_STREAM],
    responses: { 200: { description: 'The events, as long as the connection is open.', schema: inboxEvent } },
    errors: ['not_found', 'contact_erased'],
    async handle(request) {
      const { caller, headers, signal } = request;
      const { contact_id } = await access.ownerOf(request);
      const last = headers['last-event-id'];
      const after = typeof last === 'string' && POSITION.test(last) ? last : null;
      const stream = await live.open({ account: caller.account, contact_id, after, until: caller.contact?.until ?? null, signal });
      return { status: 200, stream, headers: { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' } };
    },
  });
