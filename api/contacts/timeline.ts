import Type from 'typebox';
import { anyRecord, named, nullable, oneOf, optional, record, type Static, text, time } from '../../domain/kernel/schema.js';
import { findContact, type UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { findContactAddresses } from '../../projections/contacts/message-recipients.js';
import { type EntryWithCursor, loadTimeline, type TimelineEntry, timelineKinds } from '../../projections/contacts/timeline.js';
import { type CustomEventDoc, customEvents } from '../../projections/events/projection.js';
import { type CustomEventQueries, type CustomEventView, customEventQueries } from '../../projections/events/queries.js';
import { type InboundDoc, inboundMessages } from '../../projections/messages/inbound-projection.js';
import { type InboundQueries, type InboundRecord, inboundQueries } from '../../projections/messages/inbound-queries.js';
import type { MessageDoc } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { Cursors, type Paging, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { contactParams, contactRouteDefaults, mergedIntoHeader } from './contacts.js';

const timelineKind = named('ContactTimelineKind', oneOf(...timelineKinds));
const entry = named(
  'ContactTimelineEntry',
  record({
    id: text,
    kind: timelineKind,
    type: Type.String({
      description:
        'Name of the event; `MessageAccepted` for a message, which has a timeline of its own; `CustomEventRecorded` for a custom event; `InboundTextReceived` or `InboundEmailReceived` for what the person wrote.',
    }),
    contact_id: nullable(
      Type.String({ description: 'The contact of the event: this one, or one that is merged into it. Null for events of an address.' }),
    ),
    occurred_at: time,
    data: anyRecord,
  }),
);
const query = record({ kind: optional(timelineKind), ...timedPagingQuery('`occurred_at`') });
type TimelineRequest = Request<Static<typeof contactParams>, Static<typeof query>>;

/** What a timeline is read from. */
interface TimelineSources {
  readonly log: EventLog;
  readonly history: MessageQueries;
  readonly inbound: InboundQueries;
  readonly events: CustomEventQueries;
  readonly cursors: Cursors;
}

/** The timeline of a contact: its events, messages and custom events. */
export function timelineRoutes(services: Services): AnyRoute[] {
  const { log, views, purposeKey } = services;
  return [
    getContactTimelineRoute({
      log,
      history: new MessageQueries(views, log),
      inbound: inboundQueries(services),
      events: customEventQueries(services),
      cursors: new Cursors(purposeKey('cursor')),
    }),
  ];
}

const getContactTimelineRoute = (sources: TimelineSources) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts/:id/timeline',
    operationId: 'getContactTimeline',
    summary: 'Timeline of a contact',
    description:
      'Changes of the contact and of all that is merged into it, merges with the `merge_id` that undoes them, consents, memberships, suppressions of its addresses, messages to it, what the person wrote, and custom events, by the time at which they occurred.',
    access: 'read',
    params: contactParams,
    query,
    responses: { 200: { description: 'A page of events, newest first.', schema: pageOf(entry) } },
    errors: ['not_found', 'contact_erased'],
    handle: (request) => timelinePage(sources, request),
  });

async function timelinePage(sources: TimelineSources, request: TimelineRequest) {
  const { log, cursors } = sources;
  const { params, caller, query } = request;
  const { named, root, unified } = await findContact(log, caller.account, params.id);
  const paging = cursors.read(request, 'timeline');
  const wanted = (kind: string): boolean => query.kind === undefined || query.kind === kind;
  const recorded = (await loadTimeline(log, unified)).filter(({ entry: { kind } }) => wanted(kind));
  const sent = wanted('message') ? await messageEntries(sources, request, root.id, paging.range) : [];
  const written = wanted('inbound') ? await inboundEntries(sources, request, root.id, paging.range) : [];
  const done = wanted('event') ? await eventEntries(sources, request, unified, paging.range) : [];
  const body = paging.pageOfAll(
    [...recorded, ...sent, ...written, ...done],
    ({ cursor }) => cursor,
    ({ entry }) => entry,
  );
  return { status: 200, body, ...mergedIntoHeader(named.id === root.id ? null : root.id) };
}

/** Messages have the same order: their sort key begins with time and position, too. */
async function messageEntries(
  { log, history }: TimelineSources,
  { caller, consistent }: TimelineRequest,
  id: string,
  { limit, ...range }: Paging['range'],
) {
  await consistent(messages.name);
  const { ids, keys } = await findContactAddresses(log, caller.account, id);
  const walks = [...ids.map((contact_id) => ({ contact_id })), ...keys.map((to_key) => ({ to_key, contact_id: null }))];
  const found = await Promise.all(walks.map((where) => history.page(caller.account, { ...range, take: limit, where })));
  return found.flat().map(messageEntry);
}

/** What the contact wrote from any of its addresses. */
async function inboundEntries(
  { log, inbound }: TimelineSources,
  { caller: { account }, consistent }: TimelineRequest,
  id: string,
  range: Paging['range'],
): Promise<EntryWithCursor[]> {
  await consistent(inboundMessages.name);
  const { keys } = await findContactAddresses(log, account, id);
  const found = (await Promise.all(keys.map((from_key) => inbound.page({ account, from_key, ...range })))).flat();
  const shown = await inbound.show(found);
  return shown.map((one, i) => ({ entry: inboundEntry(one), cursor: (found[i] as InboundDoc).sort }));
}

/** Custom events are sorted by `occurred_at`. */
async function eventEntries(
  { events }: TimelineSources,
  { caller, consistent }: TimelineRequest,
  { members }: UnifiedContact,
  range: Paging['range'],
) {
  await consistent(customEvents.name);
  const found = await events.page({ account: caller.account, contact_ids: members.map(({ id }) => id), ...range });
  const shown = await events.show(found);
  return shown.map(eventEntry).map((entry, i) => ({ entry, cursor: (found[i] as CustomEventDoc).sort }));
}

const inboundEntry = ({ channel, from, subject, text: body, message_id, keyword, carrier, ...one }: InboundRecord): TimelineEntry => {
  const data = { channel, from, subject, text: body, message_id, keyword, carrier };
  return {
    id: String(one.id),
    kind: 'inbound',
    type: channel === 'email' ? 'InboundEmailReceived' : 'InboundTextReceived',
    contact_id: null,
    occurred_at: String(one.created_at),
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
  };
};

const eventEntry = ({ id, contact_id, event, properties, occurred_at }: CustomEventView): TimelineEntry => ({
  id,
  kind: 'event',
  type: 'CustomEventRecorded',
  contact_id,
  occurred_at,
  data: { event, properties },
});

function messageEntry({
  id,
  seq,
  contact_id,
  created_at,
  channel,
  category,
  status,
  status_reason,
  batch_id,
  campaign_id,
  journey_id,
}: MessageDoc): EntryWithCursor {
  const data = { message_id: id, channel, category, status, status_reason, batch_id, campaign_id, journey_id };
  const known = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  return { entry: { id, kind: 'message', type: 'MessageAccepted', contact_id, occurred_at: created_at, data: known }, cursor: seq };
}
