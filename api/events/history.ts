import Type from 'typebox';
import { customEventStream, type SealedCustomEvent } from '../../domain/events/custom-event.js';
import { notFound } from '../../domain/kernel/errors.js';
import { optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { findContactAddresses } from '../../projections/contacts/message-recipients.js';
import { type CustomEventDoc, customEvents } from '../../projections/events/projection.js';
import { type CustomEventFilter, type CustomEventQueries, customEventQueries } from '../../projections/events/queries.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { canonicalTime, isCreatedWithin, timeFilter } from '../http/query-parameters.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { customEventResource } from './schemas.js';

const common = { tag: 'events', limit: 'general', access: 'read', method: 'GET' } as const;
const params = record({ id: text });

const query = record({
  contact_id: optional(Type.String({ minLength: 1, maxLength: 64, description: 'Of this contact and of all that is merged into it.' })),
  event: optional(Type.String({ minLength: 1, maxLength: 128, description: 'Only events with this name.' })),
  occurred_after: timeFilter('Only events after this time.'),
  occurred_before: timeFilter('Only events before this time.'),
  ...timedPagingQuery('`accepted_at`'),
});
/** Events per read if each of them must be filtered. */
const READ_BATCH_SIZE = 500;
type HistoryRequest = Request<unknown, Static<typeof query>>;

/** The history of custom events. */
export function customEventHistoryRoutes(services: Services): AnyRoute[] {
  const queries = customEventQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [listEventsRoute(services, queries, cursors), getEventRoute(services, queries)];
}

const listEventsRoute = ({ log }: Services, queries: CustomEventQueries, cursors: Cursors) =>
  route({
    ...common,
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'List custom events',
    description: 'By `occurred_at`, the latest first.',
    query,
    responses: {
      200: { description: 'A page of events.', schema: pageOf(customEventResource) },
    },
    errors: ['not_found', 'contact_erased'],
    handle: (request) => listEvents(log, queries, cursors, request),
  });

const getEventRoute = ({ log }: Services, queries: CustomEventQueries) =>
  route({
    ...common,
    path: '/v1/events/:id',
    operationId: 'getEvent',
    summary: 'Read a custom event',
    description: 'Also one that a test key has recorded of a live contact, which is in no list.',
    params,
    responses: { 200: { description: 'The event.', schema: customEventResource } },
    errors: ['not_found'],
    async handle({ params: { id }, caller, consistent }) {
      await consistent(customEvents.name);
      const doc = (await queries.find(caller.account, id)) ?? (await triedEvent(log, caller.account, id));
      if (!doc) throw notFound('event', id);
      const [body] = await queries.show([doc]);
      return { status: 200, body };
    },
  });

async function listEvents(log: EventLog, queries: CustomEventQueries, cursors: Cursors, request: HistoryRequest): Promise<HttpResponse> {
  const { caller, query: asked } = request;
  const paging = cursors.read(request, 'events', { sortedByTime: false });
  const contact_ids = asked.contact_id === undefined ? null : await idsOf(log, caller.account, asked.contact_id);
  await request.consistent(customEvents.name);
  const found = await acceptedWithin(queries, request, {
    account: caller.account,
    contact_ids,
    event: asked.event,
    occurred_after: canonical(asked.occurred_after),
    occurred_before: canonical(asked.occurred_before),
    ...paging.range,
  });
  return { status: 200, body: await paging.pageOfLoaded(found, ({ sort }) => [sort], queries.show) };
}

/** The list is sorted by another time than `created_at`, so these bounds are checked for each event. */
async function acceptedWithin(queries: CustomEventQueries, request: HistoryRequest, filter: CustomEventFilter): Promise<CustomEventDoc[]> {
  const { query: bounds } = request;
  if (bounds.created_after === undefined && bounds.created_before === undefined) return queries.page(filter);
  const found: CustomEventDoc[] = [];
  for (let { after } = filter; ; ) {
    const some = await queries.page({ ...filter, after, limit: READ_BATCH_SIZE });
    found.push(...some.filter(({ accepted_at }) => isCreatedWithin(bounds, accepted_at)));
    const last = some.at(-1);
    if (some.length < READ_BATCH_SIZE || found.length >= filter.limit || !last) return found.slice(0, filter.limit);
    request.signal.throwIfAborted();
    after = last.sort;
  }
}

async function idsOf(log: EventLog, account: string, id: string): Promise<readonly string[]> {
  const { root } = await findContact(log, account, id);
  return (await findContactAddresses(log, account, root.id)).ids;
}

const canonical = (time: string | undefined): string | undefined => (time === undefined ? undefined : canonicalTime(time));

/** The event of a test, which is in no list. */
async function triedEvent(log: EventLog, account: string, id: string): Promise<CustomEventDoc | undefined> {
  const [stored] = (await log.readSealed(customEventStream(id), { limit: 1 })) ?? [];
  if (stored?.event.type !== 'CustomEventTried' || stored.meta.account !== account) return undefined;
  const { contact_id, name: event, occurred_at, at: accepted_at, sealed } = (stored.event as SealedCustomEvent).data;
  return { id, account, contact_id, event, occurred_at, accepted_at, sort: occurred_at, sealed };
}
