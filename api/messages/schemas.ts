import Type from 'typebox';
import { messageFields } from '../../commands/messages/request.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import {
  annotate,
  anyRecord,
  boundedText,
  count,
  flag,
  list,
  mapOf,
  named,
  nullable,
  oneOf,
  optional,
  partial,
  record,
  time,
} from '../../domain/kernel/schema.js';
import { deviceOutcome } from '../../domain/messages/push-outcomes.js';
import { messageShape, ofTestKey } from '../../domain/messages/resource.js';
import { statusNames, statusReasonSchema, statusSchema } from '../../domain/messages/status.js';
import { platform } from '../../domain/push/subscription.js';
import { itemErrors } from '../http/shared-schemas.js';

const anyText = boundedText({});
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
    to: annotate(anyText, { description: 'The address alone.' }),
    to_name: optional(annotate(anyText, { description: 'The name beside the address, if `to` had one.' })),
    contact_id: maybeText,
    segments: nullable(count),
    encoding: maybeText,
    created_at: time,
    scheduled_at: maybeTime,
    dry_run: optional(flag),
    test: optional(ofTestKey),
  }),
);

const mailboxes = annotate(list(anyText), { description: 'Each as an address or `Name <address>`, also those who were left out (see `/why`).' });
export const shownAttachment = named('MessageAttachment', record({ filename: anyText, content_type: anyText, bytes: count }));

const messageDevice = named(
  'MessageDevice',
  record({
    subscription_id: anyText,
    platform,
    carrier: anyText,
    outcome: deviceOutcome,
    carrier_message_id: maybeText,
    code: maybeText,
    delivered_at: maybeTime,
    clicked_at: maybeTime,
    dismissed_at: maybeTime,
  }),
);

/** A message by itself, with its long fields. */
export const wholeMessageResource = named(
  'MessageWithContent',
  record({
    ...messageShape,
    html: optional(anyText),
    cc: optional(mailboxes),
    bcc: optional(mailboxes),
    headers: optional(mapOf(anyText)),
    media_urls: optional(list(anyText)),
    attachments: optional(annotate(list(shownAttachment), { description: 'Without their bytes.' })),
    push: optional(annotate(anyRecord, { description: 'What only a push message has, as it was sent.' })),
    devices: optional(
      annotate(list(messageDevice), { description: 'Of a push message: what became of it on each device. The status is the best of them.' }),
    ),
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
    duplicates: annotate(count, { description: 'Messages that repeat the `idempotency_key` of another one in the request.' }),
    messages: optional(
      list(
        named(
          'AcceptedBulkMessage',
          record({
            index: count,
            id: anyText,
            status: statusSchema,
            status_reason: optional(statusReasonSchema),
            duplicate_of: optional(
              annotate(count, { description: 'Index of the first message with the same `idempotency_key`. This one sends nothing.' }),
            ),
          }),
        ),
      ),
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
    step: named('ExplanationStepKind', oneOf('asked', 'gate', 'scheduled', 'hand_over', 'carrier', 'device', 'receipt', 'end')),
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
