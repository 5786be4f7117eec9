import Type from 'typebox';
import { replayEndpoint, replayRequest } from '../../commands/webhooks/replay-endpoint.js';
import { WEBHOOK_REPLAY } from '../../commands/webhooks/replay-kind.js';
import { record } from '../../domain/kernel/schema.js';
import { route } from '../http/route.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';

/** The replay of past events to a webhook endpoint. */
export const replayRoute = route({
  tag: 'webhooks',
  limit: 'general',
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/replay',
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
