import Type, { type TProperties, type TSchema } from 'typebox';
import { contactSourceSchema } from '../../domain/contacts/contact.js';
import { contactResource } from '../../domain/contacts/resource.js';
import {
  annotate,
  anyRecord,
  boundedText,
  flag,
  list,
  mapOf,
  named,
  nullable,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../domain/kernel/schema.js';
import { suppressionChannelSchema } from '../../domain/suppressions/suppression.js';
import type { PlatformEventName } from '../../domain/webhooks/platform-events.js';
import { receivedAttachment } from '../messages/inbound.js';
import { messageResource } from '../messages/schemas.js';

const maybeText = nullable(boundedText({}));
const anyContact = nullable(contactResource);
const { message: _, message_truncated: __, subject: ___, title: ____, ...withoutTexts } = messageResource.properties;
const message = named('MessageWithoutTexts', record(withoutTexts));
const outcome = record({ message, reason: maybeText, code: maybeText });
const change = named('FieldChange', record({ from: Type.Unknown(), to: Type.Unknown() }));

/** The `data` of each event. */
const data = {
  'contact.created': { contact: contactResource, source: contactSourceSchema },
  'contact.updated': { contact: contactResource, changes: named('FieldChanges', mapOf(change)), merged_from: list(text) },
  'contact.unsubscribed': {
    contact: anyContact,
    channel: suppressionChannelSchema,
    address: maybeText,
    source: named('OptOutSource', oneOf('unsubscribe_link', 'one_click', 'preference_center', 'stop_keyword', 'api', 'complaint', 'form')),
    keyword: maybeText,
    message_id: maybeText,
    list_id: maybeText,
  },
  'contact.bounced': {
    contact: anyContact,
    address: boundedText({}),
    bounce_type: named('BounceType', oneOf('hard', 'soft')),
    code: maybeText,
    diagnostic: maybeText,
    message_id: maybeText,
    suppressed: flag,
  },
  'message.delivered': outcome.properties,
  'message.failed': outcome.properties,
  'message.received': {
    id: text,
    from: boundedText({}),
    to: maybeText,
    subject: maybeText,
    text: maybeText,
    html: maybeText,
    in_reply_to_message_id: maybeText,
    contact: anyContact,
    attachments: list(receivedAttachment),
    received_at: time,
  },
  'campaign.sent': {
    campaign: named('SentCampaign', record({ id: text, name: boundedText({}), channel: text })),
    counts: named('SentCampaignCounts', mapOf(Type.Integer({ minimum: 0 }))),
    started_at: time,
    finished_at: time,
  },
  'form.submitted': {
    form: named('SubmittedForm', record({ id: text, name: maybeText, slug: maybeText, version: Type.Integer({ minimum: 1 }) })),
    submission: named(
      'WebhookFormSubmission',
      record({
        id: text,
        status: named('WebhookFormSubmissionStatus', oneOf('accepted', 'pending_confirmation')),
        fields: Type.Union([anyRecord, Type.Literal('<erased>')]),
        consent: Type.Union([flag, Type.Null()], { description: 'Whether the box was ticked; null if the form has none.' }),
        language: text,
        page: maybeText,
        duplicate_of: Type.Union([text, Type.Null()], { description: 'An earlier submission with the same fields.' }),
        submitted_at: time,
      }),
    ),
    contact: anyContact,
    contact_created: flag,
  },
} as const satisfies Record<PlatformEventName, TProperties>;

const titled = (event: string): string =>
  event
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The body of the request for each event. */
export const platformSchemas = Object.fromEntries(
  Object.entries(data).map(([event, fields]) => [
    event,
    named(
      `${titled(event)}Webhook`,
      record({
        event: Type.Literal(event),
        event_id: text,
        account_id: text,
        occurred_at: time,
        test: optional(annotate(flag, { description: 'True of what a test key caused.' })),
        data: named(`${titled(event)}Data`, record(fields)),
      }),
    ),
  ]),
) as unknown as Readonly<Record<PlatformEventName, TSchema>>;
