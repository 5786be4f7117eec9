import Type from 'typebox';
import { requestRedelivery } from '../../commands/webhooks/request-redelivery.js';
import { notFound } from '../../domain/kernel/errors.js';
import { integer, named, oneOf, record, text } from '../../domain/kernel/schema.js';
import { messageStream } from '../../domain/messages/message.js';
import { deliveryResource } from '../../domain/webhooks/resources.js';
import { loadStatusRequest } from '../../log/aggregates/webhooks/deliveries.js';
import { messages } from '../../projections/messages/projection.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { type FoundDelivery, type WebhookQueries, webhookQueries } from '../../projections/webhooks/queries.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { isCreatedWithin } from '../http/query-parameters.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const common = { tag: 'webhooks', limit: 'general' } as const;
const messageParams = record({ id: Type.String({ description: 'Message id.' }) });
const deliveryParams = record({ id: Type.String({ description: 'Message id.' }), delivery_id: text });

const shown = named(
  'WebhookDeliveryDetail',
  record({
    ...deliveryResource.properties,
    request_body: Type.String({
      description: 'The exact JSON text of the request, the same for every attempt: the input of the signature.',
    }),
  }),
);
const redelivery = named(
  'Redelivery',
  record({ id: text, message_id: text, trigger: named('ManualTrigger', oneOf('manual')), number: integer({ minimum: 1 }) }),
);

/** A message has one delivery for each event that fires its webhook. */
const MAX_DELIVERIES_OF_MESSAGE = 1_000;

/** The webhook deliveries of a message, and redelivery. */
export function webhookRoutes(services: Services): AnyRoute[] {
  const history = new MessageQueries(services.views, services.log);
  const deliveries = webhookQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [listWebhookDeliveriesRoute(history, deliveries, cursors), getWebhookDeliveryRoute(services, deliveries), redeliverWebhookRoute(deliveries)];
}

const listWebhookDeliveriesRoute = (history: MessageQueries, deliveries: WebhookQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/messages/:id/webhook-deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List the webhook deliveries of a message',
    description:
      'One for each event that is sent to its `webhook_url`, with every attempt. `pending` means that the retry schedule has another attempt, `erased` that the recipient was erased before any succeeded.',
    access: 'read',
    params: messageParams,
    query: record(timedPagingQuery()),
    responses: {
      200: { description: 'Newest first.', schema: pageOf(deliveryResource) },
    },
    errors: ['invalid_cursor', 'not_found'],
    async handle(request) {
      const { caller, params, consistent } = request;
      const { pageOfAll } = cursors.read(request, 'webhook-deliveries', { sortedByTime: false });
      await consistent(messages.name);
      if (!(await history.find(caller.account, params.id))) throw notFound('message', params.id);
      await consistent(webhookDeliveries.name);
      const rows = await deliveries.deliveriesOfMessage(params.id, { after: null, descending: true, limit: MAX_DELIVERIES_OF_MESSAGE });
      const shown = rows.filter(({ delivery }) => isCreatedWithin(request.query, delivery.created_at));
      const body = pageOfAll(
        shown,
        ({ cursor }) => cursor,
        ({ delivery }) => delivery,
      );
      return { status: 200, body };
    },
  });

const getWebhookDeliveryRoute = (services: Services, deliveries: WebhookQueries) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/messages/:id/webhook-deliveries/:delivery_id',
    operationId: 'getWebhookDelivery',
    summary: 'Read a webhook delivery',
    description: 'With the body that its attempts send. Erased values are `<erased>`.',
    access: 'read',
    params: deliveryParams,
    responses: { 200: { description: 'The delivery.', schema: shown } },
    errors: ['not_found'],
    async handle(request) {
      const { delivery, revision } = await found(deliveries, request);
      const { body } = await loadStatusRequest(services.log, delivery.message_id, revision);
      return { status: 200, body: { ...delivery, request_body: body } };
    },
  });

const redeliverWebhookRoute = (deliveries: WebhookQueries) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/messages/:id/webhook-deliveries/:delivery_id/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Redeliver a webhook',
    description:
      'Sent once, immediately, with the same id and body, in any status. The attempt is listed with the trigger `manual` and a number of its own; the retry schedule does not change, and a failure is not retried.',
    access: 'write',
    params: deliveryParams,
    responses: { 202: { description: 'The attempt is scheduled.', schema: redelivery } },
    errors: ['conflict', 'not_found'],
    async handle(request) {
      const { delivery, revision, lane } = await found(deliveries, request);
      const { id, message_id, event, event_id } = delivery;
      const source = { endpoint_id: null, source_stream: messageStream(message_id), revision, event, event_id };
      const { output } = await request.execute(requestRedelivery, { delivery_id: id, ...source, lane });
      return { status: 202, body: { id, message_id, trigger: 'manual', number: output.number } };
    },
  });

async function found(
  deliveries: WebhookQueries,
  { params: { id, delivery_id }, caller, consistent }: Request<{ id: string; delivery_id: string }>,
): Promise<FoundDelivery> {
  await consistent(webhookDeliveries.name);
  const delivery = await deliveries.delivery(caller.account, id, delivery_id);
  if (!delivery) throw notFound('webhook_delivery', delivery_id);
  return delivery;
}
