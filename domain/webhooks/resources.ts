/** A delivery as the API shows it. */
import { boundedText, count, list, named, nullable, oneOf, record, type Static, text, time } from '../kernel/schema.js';
import { attemptError, attemptTriggers } from './delivery.js';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'erased'] as const;
const deliveryStatusSchema = named('DeliveryStatus', oneOf(...deliveryStatuses));
const attemptTriggerSchema = named('AttemptTrigger', oneOf(...attemptTriggers));

export const attemptResource = named(
  'DeliveryAttempt',
  record({
    number: count,
    trigger: attemptTriggerSchema,
    at: time,
    status_code: nullable(count),
    error: nullable(attemptError),
    duration_ms: count,
    response_body: nullable(boundedText({})),
    next_attempt_at: nullable(time),
  }),
);

export const deliveryResource = named(
  'WebhookDelivery',
  record({
    id: text,
    message_id: text,
    event: text,
    event_id: text,
    url: text,
    status: deliveryStatusSchema,
    next_attempt_at: nullable(time),
    created_at: time,
    attempts: list(attemptResource),
  }),
);

export const endpointDeliveryStatuses = ['pending', 'delivered', 'failed', 'stopped'] as const;
export const endpointDeliveryStatusSchema = named('EndpointDeliveryStatus', oneOf(...endpointDeliveryStatuses));

/** A delivery to a webhook endpoint. */
export const endpointDeliveryResource = named(
  'EndpointDelivery',
  record({
    id: text,
    endpoint_id: text,
    event: text,
    event_id: text,
    status: endpointDeliveryStatusSchema,
    next_attempt_at: nullable(time),
    created_at: time,
    attempts: list(attemptResource),
  }),
);

export type EndpointDeliveryResource = Static<typeof endpointDeliveryResource>;
export type AttemptResource = Static<typeof attemptResource>;
export type DeliveryResource = Static<typeof deliveryResource>;
