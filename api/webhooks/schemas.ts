import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { annotate, boundedText, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { messageCarrier, messageMetadata, ofTestKey } from '../../domain/messages/resource.js';
import { statusReasonSchema, statusSchema, webhookEventSchema } from '../../domain/messages/status.js';
import type { StatusBody } from '../../domain/webhooks/status-body.js';

/** The body of every request to the `webhook_url` of a message. */
export const statusWebhook = named(
  'MessageWebhook',
  record({
    event: webhookEventSchema,
    event_id: text,
    message_id: text,
    batch_id: nullable(text),
    channel: channelSchema,
    to: boundedText({}),
    status: statusSchema,
    previous_status: statusSchema,
    status_reason: nullable(statusReasonSchema),
    sequence: Type.Integer({ minimum: 1, description: 'Number of the event among those of the message. Deliveries may arrive in any order.' }),
    occurred_at: time,
    contact_id: nullable(text),
    campaign_id: nullable(text),
    journey_id: nullable(text),
    test: optional(ofTestKey),
    carrier: nullable(messageCarrier),
    error: nullable(named('WebhookError', record({ code: text, message: text }))),
    reply: optional(
      annotate(named('ReplyByText', record({ text: boundedText({}), from: boundedText({}), received_at: time })), {
        description: 'Of `message.replied`: an answer by text.',
      }),
    ),
    metadata: messageMetadata,
  }),
);

/** Checks at compile time that the schema lists the fields that are sent. */
type SameFields = keyof StatusBody extends keyof Static<typeof statusWebhook>
  ? keyof Static<typeof statusWebhook> extends keyof StatusBody
    ? true
    : never
  : never;
export const listsAllFields: SameFields = true;
