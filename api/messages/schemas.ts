import Type from 'typebox';
import { messageFields, messageMetadata } from '../../commands/messages/request.js';
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
import { category } from '../../domain/messages/accepted-fields.js';
import { deviceOutcome } from '../../domain/messages/push-outcomes.js';
import { statusNames, statusReasonSchema, statusSchema } from '../../domain/messages/status.js';
import { platform } from '../../domain/push/subscription.js';
import { itemErrors } from '../http/shared-schemas.js';

const anyText = boundedText({});
const maybeText = nullable(anyText);
const maybeTime = nullable(time);
const maybeReason = nullable(statusReasonSchema);

export const ofTestKey = annotate(flag, { description: 'True of a message of a test key: it goes to the sandbox only.' });

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

export { messageMetadata };
export const messageCarrier = named('MessageCarrier', record({ name: anyText, message_id: maybeText, code: maybeText }));

const messageShape = {
  id: anyText,
  batch_id: maybeText,
  channel: channelSchema,
  to: annotate(anyText, { description: 'The address alone.' }),
  to_name: optional(anyText),
  from: maybeText,
  from_name: optional(anyText),
  reply_to: optional(anyText),
  subject: optional(anyText),
  title: optional(anyText),
  message: annotate(anyText, { description: 'The text. Of an email with HTML alone: what was made of that.' }),
  action_url: optional(anyText),
  message_truncated: optional(annotate(flag, { description: 'In lists, of a text above 4 kB: `message` is only its start.' })),
  category,
  status: statusSchema,
  status_reason: maybeReason,
  contact_id: maybeText,
  campaign_id: maybeText,
  variant: optional(annotate(anyText, { description: 'Which variant of its campaign it is.' })),
  journey_id: maybeText,
  enrollment_id: maybeText,
  node_id: maybeText,
  template_id: maybeText,
  template_version: nullable(annotate(count, { description: 'The version of the template that the content was made from.' })),
  test: optional(ofTestKey),
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
};

/** A message in a list. */
export const messageResource = named('Message', record(messageShape));

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
