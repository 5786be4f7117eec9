import Type from 'typebox';
import { changeEndpoint } from '../../commands/webhooks/change-endpoint.js';
import { createEndpoint } from '../../commands/webhooks/create-endpoint.js';
import { deleteEndpoint } from '../../commands/webhooks/delete-endpoint.js';
import { endpointChange, newEndpoint, overlapSeconds } from '../../commands/webhooks/endpoint-input.js';
import { replayEndpoint, replayRequest } from '../../commands/webhooks/replay-endpoint.js';
import { WEBHOOK_REPLAY } from '../../commands/webhooks/replay-kind.js';
import { rotateEndpointSecret } from '../../commands/webhooks/rotate-endpoint-secret.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { endpointResource, endpointWithSecret, toEndpointResource } from '../../domain/webhooks/endpoint-resource.js';
import { loadEndpoint, loadEndpoints } from '../../log/aggregates/webhooks/load-endpoints.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { type PingOptions, pingResult, sendPing } from './ping.js';

const common = { tag: 'webhooks', limit: 'general' } as const;
const params = record({ id: text });
const path = '/v1/webhook-endpoints';

/** The webhook endpoints of an account. There are at most 20, so they are read from the log. */
export function endpointRoutes(services: Services, options: PingOptions): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    createWebhookEndpointRoute,
    listWebhookEndpointsRoute(services, cursors),
    getWebhookEndpointRoute(services),
    updateWebhookEndpointRoute,
    deleteWebhookEndpointRoute,
    rotateWebhookEndpointSecretRoute,
    testWebhookEndpointRoute(services, options),
    replayToEndpointRoute,
  ];
}

const createWebhookEndpointRoute = route({
  ...common,
  method: 'POST',
  path,
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description:
    'Receives the events of the whole account, an empty `events` means all of them. Only this response shows the `secret` that requests are signed with. An account has at most 20 endpoints.',
  access: 'write',
  body: newEndpoint,
  responses: { 201: { description: 'The new endpoint, with its secret.', schema: endpointWithSecret } },
  errors: ['conflict', 'invalid_url', 'unknown_event_type'],
  async handle({ body, execute }) {
    const { output } = await execute(createEndpoint, body);
    return { status: 201, body: output, headers: etag(output.version) };
  },
});

const listWebhookEndpointsRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path,
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints',
    access: 'read',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'Newest first.', schema: pageOf(endpointResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { pageOfAll } = cursors.read(request, 'webhook_endpoints');
      const { byId } = await loadEndpoints(log, request.caller.account);
      return { status: 200, body: pageOfAll([...byId.values()], ({ created_at, id }) => `${created_at}/${id}`, toEndpointResource) };
    },
  });

const getWebhookEndpointRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    access: 'read',
    params,
    responses: { 200: { description: 'The endpoint, without its secret and its headers.', schema: endpointResource } },
    errors: ['not_found'],
    async handle({ params: { id }, caller }) {
      const endpoint = await loadEndpoint(log, caller.account, id);
      return { status: 200, body: toEndpointResource(endpoint), headers: etag(endpoint.version) };
    },
  });

const updateWebhookEndpointRoute = route({
  ...common,
  method: 'PATCH',
  path: `${path}/:id`,
  operationId: 'updateWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'Lists and `headers` are replaced as a whole. With the status `disabled` pending retries stop and no new deliveries begin; enabling it again does not send what was missed: a replay does.',
  access: 'write',
  params,
  body: endpointChange,
  responses: { 200: { description: 'The endpoint after the change.', schema: endpointResource } },
  errors: ['not_found', 'invalid_url', 'unknown_event_type', 'version_conflict'],
  async handle({ params: { id }, body, headers, execute }) {
    const { output } = await execute(changeEndpoint, { endpoint_id: id, change: body, expected: ifMatch(headers) });
    return { status: 200, body: output, headers: etag(output.version) };
  },
});

const deleteWebhookEndpointRoute = route({
  ...common,
  method: 'DELETE',
  path: `${path}/:id`,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'Its pending deliveries stop. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The endpoint is deleted.' } },
  errors: ['not_found'],
  async handle({ params: { id }, execute }) {
    await execute(deleteEndpoint, { endpoint_id: id });
    return { status: 204 };
  },
});

const rotateWebhookEndpointSecretRoute = route({
  ...common,
  method: 'POST',
  path: `${path}/:id/rotate-secret`,
  operationId: 'rotateWebhookEndpointSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'Only this response shows the new secret. During the overlap (default: a day) both secrets sign.',
  access: 'write',
  params,
  body: record({ overlap_seconds: optional(overlapSeconds) }),
  responses: { 200: { description: 'The endpoint with its new secret.', schema: endpointWithSecret } },
  errors: ['not_found'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(rotateEndpointSecret, { endpoint_id: id, ...body });
    return { status: 200, body: output, headers: etag(output.version) };
  },
});

const testWebhookEndpointRoute = ({ log, clock, allowedCidrs }: Services, options: PingOptions) =>
  route({
    ...common,
    method: 'POST',
    path: `${path}/:id/test`,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a ping to a webhook endpoint',
    description: 'Sent once, immediately, also to a disabled endpoint, and signed like every delivery. It is not listed with the deliveries.',
    access: 'either',
    params,
    responses: { 200: { description: 'What came of it.', schema: pingResult } },
    errors: ['not_found'],
    async handle({ params: { id }, caller, requestId, signal }) {
      const endpoint = await loadEndpoint(log, caller.account, id);
      return { status: 200, body: await sendPing(endpoint, { ...options, allowedCidrs, requestId, signal, clock }) };
    },
  });

const replayToEndpointRoute = route({
  ...common,
  method: 'POST',
  path: `${path}/:id/replay`,
  operationId: 'replayToEndpoint',
  summary: 'Replay past events to a webhook endpoint',
  description:
    'A job that sends the events which were recorded from `from` (included; default: 24 hours before `to`) until `to` (not included; default: now), also those that the endpoint missed while it was disabled or before it was created. Each is sent once, with its first event id and delivery id; the attempt is listed with the trigger `manual` and a number of its own, and a failure is not retried. New events are never delayed by it: few attempts of a replay are pending at a time. `done` of the job counts attempts that were made, `result` has `delivered` and `failed`. What is canceled sends the pending ones only. If the endpoint is disabled or deleted meanwhile, the job ends with an error. Erased values are `<erased>`.',
  access: 'write',
  params: record({ id: Type.String({ description: 'Endpoint id.' }) }),
  body: replayRequest,
  responses: { 202: { description: 'The replay is accepted.', schema: jobResource } },
  errors: ['conflict', 'invalid_state', 'not_found', 'unknown_event_type'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(replayEndpoint, { endpoint_id: id, range: body ?? {} });
    return { status: 202, body: acceptedJob(output, WEBHOOK_REPLAY) };
  },
});
