/** A message as the API shows it. */
import { channelSchema } from '../kernel/channels.js';
import {
  annotate,
  boundedText,
  count,
  flag,
  list,
  mapOf,
  named,
  noValue,
  nullable,
  numberOf,
  optional,
  record,
  time,
  unionOf,
} from '../kernel/schema.js';
import { textPattern } from '../kernel/text-patterns.js';
import { category } from './accepted-fields.js';
import { statusReasonSchema, statusSchema } from './status.js';
import { whatsappTemplateSchema } from './whatsapp-template.js';

const anyText = boundedText({});
const maybeText = nullable(anyText);
const maybeTime = nullable(time);
const maybeReason = nullable(statusReasonSchema);

/** Names of JavaScript's own object properties are refused, because a careless copy of the object would be affected by them. */
const METADATA_KEY = textPattern(
  '^(?!__proto__$|constructor$|prototype$)[^\\u0000-\\u001f\\u007f]{1,64}$',
  'Use 1 to 64 characters, none of them a control character.',
);
const scalar = unionOf(boundedText({ maxLength: 1_000 }), numberOf(), flag, noValue);

/** Keys and values of the caller's own. */
export const messageMetadata = named(
  'Metadata',
  mapOf(scalar, {
    maxProperties: 20,
    propertyNames: boundedText(METADATA_KEY),
    description: 'Your own keys and values. Responses and webhooks return them.',
  }),
);

export const ofTestKey = annotate(flag, { description: 'True of a message of a test key: it goes to the sandbox only.' });
export const messageCarrier = named('MessageCarrier', record({ name: anyText, message_id: maybeText, code: maybeText }));

/** The fields of a message in a list. */
export const messageShape = {
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
  whatsapp_template: optional(whatsappTemplateSchema),
  message_truncated: optional(annotate(flag, { description: 'In lists, of a text above 4 kB: `message` is only its start.' })),
  category,
  status: statusSchema,
  status_reason: maybeReason,
  contact_id: maybeText,
  campaign_id: maybeText,
  variant: optional(annotate(anyText, { description: 'Which variant of its campaign it is.' })),
  content_language: optional(
    annotate(anyText, { description: 'The language of the translation that the content was made from; not where it was the default.' }),
  ),
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

/** A file of a message that a person wrote. `size` in bytes. */
export const receivedAttachment = named('ReceivedAttachment', record({ filename: maybeText, content_type: anyText, size: count }));
