import Type from 'typebox';
import { requestRedelivery } from '../../commands/webhooks/request-redelivery.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { integer, named, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { platformEventSchema } from '../../domain/webhooks/platform-events.js';
import { endpointDeliveryResource, endpointDeliveryStatusSchema } from '../../domain/webhooks/resources.js';
import { loadEndpoint } from '../../log/aggregates/webhooks/load-endpoints.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadPlatformRequest } from '../../projections/webhooks/platform-payloads.js';
import { type EndpointDeliveryDoc, webhookDeliveries } from '../../projections/webhooks/projection.js';
import { type EndpointDeliveryQueries, endpointDeliveryQueries } from '../../projections/webhooks/queries.js';
import { Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const common = { tag: 'webhooks', limit: 'general' } as const;
const path = '/v1/webhook-endpoints/:id/deliveries';
const params = record({ id: Type.String({ description: 'Endpoint id.' }), delivery_id: text });

const detail = named(
  'EndpointDeliveryDetail',
  record({
    ...endpointDeliveryResource.properties,
    request_body: Type.String({ description: 'The exact JSON text of the request, the same for every attempt: the input of the signature.' }),
  }),
);
const redelivery = named(
  'EndpointRedelivery',
  record({ id: text, endpoint_id: text, trigger: named('EndpointManualTrigger', oneOf('manual')), number: integer({ minimum: 1 }) }),
);

/** The deliveries to a webhook endpoint, and redelivery. */
export function endpointDeliveryRoutes(services: Services): AnyRoute[] {
  const deliveries = endpointDeliveryQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    listEndpointDeliveriesRoute(services, deliveries, cursors),
    getEndpointDeliveryRoute(services, deliveries),
    redeliverToEndpointRoute(services, deliveries),
  ];
}

const listEndpointDeliveriesRoute = ({ log }: Services, deliveries: EndpointDeliveryQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path,
    operationId: 'listEndpointDeliveries',
    summary: 'List the deliveries to a webhook endpoint',
    description:
      'One for each event, with every attempt. `pending` means that the retry schedule has another attempt, `stopped` that the endpoint was disabled or deleted before any succeeded: pending ones become so at the time of their next attempt.',
    access: 'read',
    params: record({ id: Type.String({ description: 'Endpoint id.' }) }),
    query: record({ ...timedPagingQuery(), ...countedQuery, status: optional(endpointDeliveryStatusSchema), event: optional(platformEventSchema) }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(endpointDeliveryResource) } },
    errors: ['invalid_cursor', 'not_found'],
    async handle(request) {
      const { caller, params, query, consistent } = request;
      await loadEndpoint(log, caller.account, params.id);
      await consistent(webhookDeliveries.name);
      const { range, pageOfLoaded, total } = cursors.read(request, 'endpoint-deliveries');
      const { status, event } = query;
      const where = { endpoint_id: params.id, ...(status && { status }), ...(event && { event }) };
      const rows = await deliveries.list(where, range);
      const page = await pageOfLoaded(rows, ({ sort }: EndpointDeliveryDoc) => [sort], deliveries.show);
      return { status: 200, body: { ...page, ...(await total((counted) => deliveries.count(where, counted))) } };
    },
  });

const getEndpointDeliveryRoute = ({ log }: Services, deliveries: EndpointDeliveryQueries) =>
  route({
    ...common,
    method: 'GET',
    path: `${path}/:delivery_id`,
    operationId: 'getEndpointDelivery',
    summary: 'Read a delivery to a webhook endpoint',
    description: 'With the body that its attempts send. Erased values are `<erased>`.',
    access: 'read',
    params,
    responses: { 200: { description: 'The delivery.', schema: detail } },
    errors: ['not_found'],
    async handle(request) {
      const { delivery } = await found(log, deliveries, request);
      const { source_stream: stream, revision, event } = delivery;
      const [[shown], { body }] = await Promise.all([deliveries.show([delivery]), loadPlatformRequest(log, { stream, revision, event })]);
      return { status: 200, body: { ...shown, request_body: body } };
    },
  });

const redeliverToEndpointRoute = ({ log }: Services, deliveries: EndpointDeliveryQueries) =>
  route({
    ...common,
    method: 'POST',
    path: `${path}/:delivery_id/redeliver`,
    operationId: 'redeliverToEndpoint',
    summary: 'Redeliver to a webhook endpoint',
    description:
      'Sent once, immediately, with the same ids and body, in any status. The attempt is listed with the trigger `manual` and a number of its own; the retry schedule does not change, and a failure is not retried. A disabled endpoint is refused.',
    access: 'write',
    params,
    responses: { 202: { description: 'The attempt is scheduled.', schema: redelivery } },
    errors: ['conflict', 'invalid_state', 'not_found'],
    async handle(request) {
      const { endpoint, delivery } = await found(log, deliveries, request);
      const { status: current } = endpoint;
      if (current !== 'enabled') throw new DomainError('invalid_state', 'The endpoint is disabled.', { current, allowed: ['enabled'] });
      const { id, endpoint_id, source_stream, revision, event, event_id } = delivery;
      const source = { endpoint_id, source_stream, revision, event, event_id, lane: endpoint.lane };
      const { output } = await request.execute(requestRedelivery, { delivery_id: id, ...source });
      return { status: 202, body: { id, endpoint_id, trigger: 'manual', number: output.number } };
    },
  });

async function found(
  log: EventLog,
  deliveries: EndpointDeliveryQueries,
  { params: { id, delivery_id }, caller, consistent }: Request<{ id: string; delivery_id: string }>,
) {
  const endpoint = await loadEndpoint(log, caller.account, id);
  await consistent(webhookDeliveries.name);
  const delivery = await deliveries.find(id, delivery_id);
  if (!delivery) throw notFound('webhook_delivery', delivery_id);
  return { endpoint, delivery };
}
