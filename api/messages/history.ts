import Type, { type Static } from 'typebox';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import { notFound } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { messageResource } from '../../domain/messages/resource.js';
import { statusReasonSchema, statusSchema } from '../../domain/messages/status.js';
import { findContactAddresses, resolveRecipients } from '../../projections/contacts/message-recipients.js';
import { batchIndexOf, withDispatch } from '../../projections/messages/batch-message.js';
import { messageDevices } from '../../projections/messages/devices.js';
import type { MessageDoc } from '../../projections/messages/message-doc.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { explainMessage, messageTimeline } from '../../projections/messages/timeline.js';
import { liveTarget } from '../http/access/authorization.js';
import { Cursors, countedQuery, oldestFirst, pageOf, timedPagingQuery } from '../http/paging.js';
import { addressFilter, canonicalTime, isCreatedWithin, recipientKeysOf, textFilter } from '../http/query-parameters.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag } from '../http/versions.js';
import { batchResource, canceledMessage, explanationSchema, messageEvent, wholeMessageResource } from './schemas.js';

const messageParams = Type.Object({ id: Type.String({ description: 'Message id.' }) });

const historyQuery = Type.Object({
  channel: Type.Optional(channelSchema),
  status: Type.Optional(statusSchema),
  status_reason: Type.Optional(statusReasonSchema),
  to: addressFilter('Recipient: a phone number or an email address, in any spelling; of `push` and `in_app` the id of a contact.'),
  contact_id: textFilter('Messages to one contact: by its id, or to one of its current addresses.'),
  campaign_id: textFilter('Messages of one campaign.'),
  journey_id: textFilter('Messages of one journey.'),
  batch_id: textFilter('Messages of one bulk request.'),
  template_id: textFilter('Messages that were made from one template.'),
  tag: textFilter('Messages with this tag.'),
  ...timedPagingQuery(),
  ...countedQuery,
});
type HistoryRequest = Request<unknown, Static<typeof historyQuery>>;

/** The history of messages, and their cancellation. */
export function messageHistoryRoutes(services: Services): AnyRoute[] {
  const history = new MessageQueries(services.views, services.log);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    listMessagesRoute(services, history, cursors),
    getBatchRoute(history),
    getMessageRoute(services, history),
    listMessageEventsRoute(services, history, cursors),
    explainMessageRoute(services, history),
    cancelMessageRoute(history),
  ];
}

const listMessagesRoute = (services: Services, history: MessageQueries, cursors: Cursors) =>
  route({
    method: 'GET',
    path: '/v1/messages',
    operationId: 'listMessages',
    summary: 'Message history',
    description: 'Newest first. Filters are combined.',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    query: historyQuery,
    responses: { 200: { description: 'A page of messages.', schema: pageOf(messageResource) } },
    errors: ['invalid_cursor'],
    handle: (request) => listMessages(services, history, cursors, request),
  });

const getBatchRoute = (history: MessageQueries) =>
  route({
    method: 'GET',
    path: '/v1/messages/bulk/:batch_id',
    operationId: 'getBatch',
    summary: 'Read a bulk request',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    params: Type.Object({ batch_id: Type.String() }),
    responses: { 200: { description: 'The number of its messages in each status.', schema: batchResource } },
    async handle({ params, caller, consistent }) {
      await consistent('messages');
      const batch = await history.batch(caller.account, params.batch_id);
      if (!batch) throw notFound('batch', params.batch_id);
      const { id: batch_id, account_id: _a, requested: _r, ...rest } = batch;
      return { status: 200, body: { batch_id, ...rest } };
    },
  });

const getMessageRoute = (services: Services, history: MessageQueries) =>
  route({
    method: 'GET',
    path: '/v1/messages/:id',
    operationId: 'getMessage',
    summary: 'One message',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    params: messageParams,
    responses: { 200: { description: 'The current state of the message, with all of its content.', schema: wholeMessageResource } },
    async handle(request) {
      const doc = await withDispatch(await owned(history, request), services.log);
      const { log } = services;
      const [record, [contact]] = await Promise.all([history.showWhole(doc), resolveRecipients(log, request.caller.account, [doc])]);
      const reached = doc.channel === 'push' ? { devices: await messageDevices(log, doc.id) } : {};
      return { status: 200, body: { ...record, ...reached, contact_id: contact ?? null }, headers: etag(doc.version) };
    },
  });

const listMessageEventsRoute = (services: Services, history: MessageQueries, cursors: Cursors) =>
  route({
    method: 'GET',
    path: '/v1/messages/:id/events',
    operationId: 'listMessageEvents',
    summary: 'List the events of a message',
    description: 'All events from the log, with the carrier’s original receipts.',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    params: messageParams,
    query: Type.Object({ ...timedPagingQuery('`occurred_at`'), ...oldestFirst }),
    responses: { 200: { description: 'Oldest first.', schema: pageOf(messageEvent) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { pageOfAll } = cursors.read(request, 'message-events', { sortedByTime: false });
      const entries = await messageTimeline(await owned(history, request), services.log);
      const shown = entries.filter(({ occurred_at }) => isCreatedWithin(request.query, occurred_at));
      return { status: 200, body: pageOfAll(shown, ({ sequence }) => String(sequence).padStart(10, '0')) };
    },
  });

const explainMessageRoute = (services: Services, history: MessageQueries) =>
  route({
    method: 'GET',
    path: '/v1/messages/:id/why',
    operationId: 'explainMessage',
    summary: 'Explain the status of a message',
    description:
      'The chain of causes: the request, the result of each gate, and the answers of the carrier. A refusal names the suppression, the consent event or the cap that refused (`refused_by`), with its times.',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    params: messageParams,
    responses: { 200: { description: 'The chain, oldest first.', schema: explanationSchema } },
    handle: async (request) => ({ status: 200, body: await explainMessage(await owned(history, request), services.log) }),
  });

const cancelMessageRoute = (history: MessageQueries) =>
  route({
    method: 'POST',
    path: '/v1/messages/:id/cancel',
    operationId: 'cancelMessage',
    summary: 'Cancel a message',
    description:
      'Possible until it is handed to a carrier. A canceled message stays canceled. One whose carrier has not answered is not handed over again and becomes `failed` (`unknown_outcome`).',
    tag: 'messages',
    access: 'write',
    limit: 'general',
    params: messageParams,
    responses: { 200: { description: 'The message is canceled, or is not handed over again.', schema: canceledMessage } },
    errors: ['invalid_state'],
    async handle(request) {
      const doc = await owned(history, request);
      if (request.caller.mode === 'test' && !doc.test) throw liveTarget('message', doc.id);
      const { id, batch_id } = doc;
      const { output } = await request.execute(cancelMessage, { id, batch_id, ...(batch_id !== null && { batch_index: batchIndexOf(doc) }) });
      return { status: 200, body: output };
    },
  });

/** The message, if it belongs to the caller's account. */
async function owned(history: MessageQueries, { params, caller, consistent }: Request<Static<typeof messageParams>>): Promise<MessageDoc> {
  await consistent('messages');
  const doc = await history.find(caller.account, params.id);
  if (!doc) throw notFound('message', params.id);
  return doc;
}

async function listMessages(services: Services, history: MessageQueries, cursors: Cursors, request: HistoryRequest): Promise<HttpResponse> {
  const { caller, query, consistent } = request;
  const paging = cursors.read(request, 'messages');
  await consistent('messages');
  const { created_after, created_before } = query;
  const to = query.to === undefined ? null : recipientKeysOf(services.addresses, caller.account, query.to);
  const ofRecipient = await recipientFilters(services, caller.account, query.contact_id, to);
  const where = filters(query);
  const recipients = ofRecipient.map((one) => ({ ...where, ...one }));
  const docs = await history.pageOfAny(caller.account, recipients, {
    ...(created_after !== undefined && { created_after: canonicalTime(created_after) }),
    ...(created_before !== undefined && { created_before: canonicalTime(created_before) }),
    after: paging.range.after,
    descending: paging.descending,
    take: paging.take,
  });
  const body = await paging.pageOfLoaded(
    docs,
    ({ seq }) => [seq],
    (rows) => shown(services, history, caller.account, rows),
  );
  const total = await paging.total((range) => history.countAny(caller.account, recipients, range));
  return { status: 200, body: { ...body, ...total } };
}

/** Filters that find the messages of a contact, by its id and its current addresses, or to an address in each of its spellings. */
async function recipientFilters({ log }: Services, account: string, contactId: string | undefined, to: readonly string[] | null) {
  if (contactId === undefined) return to?.map((to_key) => ({ to_key })) ?? [{}];
  const { ids, keys } = await findContactAddresses(log, account, contactId);
  const unnamed = keys.filter((key) => to === null || to.includes(key));
  const named = ids.flatMap((contact_id) => to?.map((to_key) => ({ to_key, contact_id })) ?? [{ contact_id }]);
  return [...named, ...unnamed.map((to_key) => ({ to_key, contact_id: null }))];
}

async function shown(services: Services, history: MessageQueries, account: string, docs: readonly MessageDoc[]) {
  const [records, contacts] = await Promise.all([history.show(docs), resolveRecipients(services.log, account, docs)]);
  return records.map((record, i) => ({ ...record, contact_id: contacts[i] ?? null }));
}

function filters({ tag, ...query }: HistoryRequest['query']) {
  const { channel, status, status_reason, campaign_id, journey_id, batch_id, template_id } = query;
  return omitUndefined({ channel, status, status_reason, campaign_id, journey_id, batch_id, template_id, tags: tag }) as Record<string, string>;
}
