import Type from 'typebox';
import { messageFields, messageMetadata } from '../../commands/messages/request.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import {
  annotate,
  anyRecord,
  count,
  flag,
  list,
  named,
  nullable,
  oneOf,
  optional,
  partial,
  record,
  textOf,
  time,
} from '../../domain/kernel/schema.js';
import { category } from '../../domain/messages/accepted-fields.js';
import { statusNames, statusReasonSchema, statusSchema } from '../../domain/messages/status.js';
import { itemErrors } from '../kernel/shared-schemas.js';

const anyText = textOf({});
const maybeText = nullable(anyText);
const maybeTime = nullable(time);
const maybeReason = nullable(statusReasonSchema);

/** Response to a single send. */
export const acceptedMessage = named(
  'AcceptedMessage',
  record({
    id: anyText,
    status: statusSchema,
    status_reason: maybeReason,
    channel: channelSchema,
    to: anyText,
    contact_id: maybeText,
    segments: nullable(count),
    encoding: maybeText,
    created_at: time,
    scheduled_at: maybeTime,
    dry_run: optional(flag),
  }),
);

export { messageMetadata };
export const messageCarrier = named('MessageCarrier', record({ name: anyText, message_id: maybeText, code: maybeText }));

export const messageResource = named(
  'Message',
  record({
    id: anyText,
    batch_id: maybeText,
    channel: channelSchema,
    to: anyText,
    from: maybeText,
    subject: optional(anyText),
    message: anyText,
    message_truncated: optional(annotate(flag, { description: 'In lists, of a text above 4 kB: `message` is only its start.' })),
    category,
    status: statusSchema,
    status_reason: maybeReason,
    contact_id: maybeText,
    campaign_id: maybeText,
    journey_id: maybeText,
    enrollment_id: maybeText,
    node_id: maybeText,
    carrier: nullable(messageCarrier),
    segments: nullable(count),
    encoding: maybeText,
    attempts: count,
    engagement: named('Engagement', record({ opened_at: maybeTime, clicked_at: maybeTime, read_at: maybeTime, opens: count, clicks: count })),
    webhook_url: maybeText,
    tags: list(anyText),
    created_at: time,
    scheduled_at: maybeTime,
    sent_at: maybeTime,
    delivered_at: maybeTime,
    failed_at: maybeTime,
    version: count,
    metadata: messageMetadata,
  }),
);

export const canceledMessage = named('CanceledMessage', record({ id: anyText, status: statusSchema }));

/** An item of a bulk send; absent fields come from the defaults. */
export const bulkItem = named('BulkMessage', partial(record(messageFields)));

export const acceptedBatch = named(
  'AcceptedBatch',
  record({
    batch_id: anyText,
    received: count,
    accepted: count,
    rejected: count,
    messages: optional(
      list(named('AcceptedBulkMessage', record({ index: count, id: anyText, status: statusSchema, status_reason: optional(statusReasonSchema) }))),
    ),
    ...itemErrors,
  }),
);

export const batchResource = named(
  'Batch',
  record({
    batch_id: anyText,
    received: count,
    accepted: count,
    rejected: count,
    created_at: time,
    counts: named('BatchCounts', record(Object.fromEntries(statusNames.map((status) => [status, count])))),
  }),
);

export const messageEvent = named(
  'MessageEvent',
  record({
    id: anyText,
    type: Type.String({ description: 'Type of the event, in the past tense: `MessageSent`.' }),
    status: statusSchema,
    sequence: count,
    occurred_at: time,
    data: annotate(anyRecord, { description: 'Fields of the event. `raw` is the receipt of the carrier.' }),
  }),
);

const explanationStep = named(
  'ExplanationStep',
  record({
    step: named('ExplanationStepKind', oneOf('asked', 'gate', 'scheduled', 'hand_over', 'carrier', 'receipt', 'end')),
    occurred_at: time,
    event: nullable(Type.String({ description: 'Id of the event.' })),
    result: anyText,
    details: anyRecord,
  }),
);
export const explanationSchema = named(
  'MessageExplanation',
  record({ message_id: anyText, status: statusSchema, status_reason: maybeReason, chain: list(explanationStep) }),
);
