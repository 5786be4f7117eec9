/**
 * The account-wide events that webhook endpoints subscribe to, one descriptor each: which events of the log mean it, what its body
 * has, and an example. Whether an event means it depends on that event alone. `projections/webhooks/platform-payloads.ts` makes the bodies.
 */
import type { SealedCampaignEvent } from '../campaigns/campaign-events.js';
import type { SealedConsentEvent } from '../consent/consent.js';
import { contactSourceSchema, type SealedContactEvent } from '../contacts/contact.js';
import { contactResource } from '../contacts/resource.js';
import type { SealedSubmissionEvent } from '../forms/submission.js';
import { channelSchema } from '../kernel/channels.js';
import type { AnyEvent } from '../kernel/event.js';
import {
  annotate,
  anyRecord,
  anyValue,
  boundedText,
  count,
  flag,
  integer,
  list,
  literal,
  mapOf,
  named,
  nullable,
  oneOf,
  record,
  type TSchema,
  text,
  time,
  unionOf,
} from '../kernel/schema.js';
import type { SealedInboundEmailEvent } from '../messages/inbound-email.js';
import type { SealedMessageEvent } from '../messages/message.js';
import { messageShape, receivedAttachment } from '../messages/resource.js';
import { receivedMedium, type SealedInboundTextEvent } from '../suppressions/inbound-text.js';
import { type SealedListEvent, suppressionChannelSchema } from '../suppressions/suppression.js';

type SealedReceivedTextEvent = Extract<SealedInboundTextEvent, { type: 'InboundTextReceived' }>;

/** The events of the log among which the sources of platform events are. */
type LoggedEvent =
  | SealedCampaignEvent
  | SealedConsentEvent
  | SealedContactEvent
  | SealedInboundEmailEvent
  | SealedReceivedTextEvent
  | SealedListEvent
  | SealedMessageEvent
  | SealedSubmissionEvent;
type DataOf<Type extends LoggedEvent['type']> = Extract<LoggedEvent, { readonly type: Type }>['data'];

/** A contact and a message as the API shows them, to make examples of. */
export interface ExampleResources {
  readonly contact: Fields;
  /** Without its texts. */
  readonly message: Fields;
}
type Fields = Readonly<Record<string, unknown>>;

export interface PlatformEvent {
  /** Completes "Sent when …". */
  readonly when: string;
  /** The types of events of the log that mean it: each of them, or those with such data. */
  readonly source: { readonly [Type in LoggedEvent['type']]?: true | ((data: DataOf<Type>) => boolean) };
  /** The fields of `data` in its body. */
  readonly data: Readonly<Record<string, TSchema>>;
  readonly example: (resources: ExampleResources) => Fields;
}

const maybeText = nullable(boundedText({}));
const anyContact = nullable(contactResource);
const { message: _, message_truncated: __, subject: ___, title: ____, ...withoutTexts } = messageShape;
const message = named('MessageWithoutTexts', record(withoutTexts));
const outcome = { message, reason: maybeText, code: maybeText };
const fieldChange = named('FieldChange', record({ from: anyValue, to: anyValue }));

const SANDBOX = 'sandbox';

/** Imports and erasures tell of an opt-out, or keep one: the person does not opt out by them. */
const isOptOut = ({ opted_out, via }: DataOf<'AddressSuppressed' | 'SuppressionWidened'>): boolean =>
  opted_out === true && via !== 'import' && via !== 'erasure';

export const platformEvents = {
  'contact.created': {
    when: 'a contact is created',
    source: { ContactCreated: true },
    data: { contact: contactResource, source: contactSourceSchema },
    example: ({ contact }) => ({ contact, source: 'api' }),
  },
  'contact.updated': {
    when: 'fields, custom fields or tags of a contact change, or contacts are merged or separated',
    source: { ContactUpdated: true, ContactAbsorbed: true, ContactReleased: true },
    data: { contact: contactResource, changes: named('FieldChanges', mapOf(fieldChange)), merged_from: list(text) },
    example: ({ contact }) => ({ contact, changes: { first_name: { from: null, to: 'Ada' } }, merged_from: [] }),
  },
  'contact.unsubscribed': {
    when: 'a person opts out: by an unsubscribe link, on the preference page, by a keyword, by a complaint, by a request to the API, because a carrier says that they opted out, or by withdrawing consent to marketing',
    source: { AddressSuppressed: isOptOut, SuppressionWidened: isOptOut, ConsentWithdrawn: ({ opted_out }) => opted_out === true },
    data: {
      contact: anyContact,
      channel: suppressionChannelSchema,
      address: maybeText,
      source: named(
        'OptOutSource',
        oneOf('unsubscribe_link', 'one_click', 'preference_center', 'stop_keyword', 'api', 'complaint', 'form', 'carrier'),
      ),
      keyword: maybeText,
      message_id: maybeText,
      list_id: maybeText,
    },
    example: ({ contact, message: { id: message_id } }) => {
      const source = { channel: 'sms', address: '+14155550100', source: 'stop_keyword', keyword: 'STOP' };
      return { contact, ...source, message_id, list_id: null };
    },
  },
  'contact.bounced': {
    when: 'the mail system of a recipient refuses an email, for good or for now',
    source: { MessageBounced: true, MessageDeferred: ({ channel }) => channel === 'email' },
    data: {
      contact: anyContact,
      address: boundedText({}),
      bounce_type: named('BounceType', oneOf('hard', 'soft')),
      code: maybeText,
      diagnostic: maybeText,
      message_id: maybeText,
      suppressed: flag,
    },
    example: ({ contact, message: { id: message_id } }) => {
      const bounce = { address: 'ada@example.com', bounce_type: 'hard', code: '5.1.1', diagnostic: 'bounced' };
      return { contact, ...bounce, message_id, suppressed: true };
    },
  },
  'message.delivered': {
    when: 'a carrier reports that a message arrived',
    source: { MessageDelivered: true },
    data: outcome,
    example: ({ message }) => ({ message, reason: null, code: null }),
  },
  'message.failed': {
    when: 'a message fails for good',
    source: { MessageFailed: true, MessageExpired: true, MessageUndelivered: true, MessageBounced: true },
    data: outcome,
    example: ({ message }) => {
      const reason = 'carrier_rejected';
      return { message: { ...message, status: 'failed', status_reason: reason }, reason, code: '30006' };
    },
  },
  'message.received': {
    when: 'a recipient replies to an email; also by a text where the setting `received_webhooks` of the account names its channel',
    source: {
      // What a program answered is listed with the received messages, and no news.
      InboundEmailReceived: ({ message_id, carrier, automatic, notifies }) =>
        message_id !== undefined && carrier !== SANDBOX && !automatic && notifies !== false,
      // A text may answer no message that is known.
      InboundTextReceived: ({ notifies }) => notifies === true,
      // Of the sandbox's replies by email the receipt counts, of other carriers' the email itself.
      MessageReplied: ({ channel, carrier }) => channel === 'email' && carrier === SANDBOX,
    },
    data: {
      id: text,
      from: boundedText({}),
      to: maybeText,
      subject: maybeText,
      text: maybeText,
      html: maybeText,
      in_reply_to_message_id: maybeText,
      contact: anyContact,
      attachments: list(receivedAttachment),
      channel: channelSchema,
      media: list(receivedMedium),
      received_at: time,
    },
    example: ({ contact, message: { id: in_reply_to_message_id } }) => {
      const addresses = { from: 'ada@example.com', to: 'hello@acme.example', subject: null };
      const content = { text: 'Thank you, I got it.', html: null, in_reply_to_message_id, attachments: [], channel: 'email', media: [] };
      return { id: 'inb_01JHM4B3W6TQ8X2N5R7Y9Z0003', ...addresses, ...content, contact, received_at: '2026-01-15T10:30:00.000Z' };
    },
  },
  'campaign.sent': {
    when: 'a campaign has finished sending',
    source: { CampaignSent: true },
    data: {
      campaign: named('SentCampaign', record({ id: text, name: boundedText({}), channel: text })),
      counts: named('SentCampaignCounts', mapOf(count)),
      started_at: time,
      finished_at: time,
    },
    example: () => {
      const campaign = { id: 'cmp_01JHM4B3W6TQ8X2N5R7Y9Z0004', name: 'Spring', channel: 'email' };
      const times = { started_at: '2026-01-15T10:00:00.000Z', finished_at: '2026-01-15T10:30:00.000Z' };
      return { campaign, counts: { delivered: 980, failed: 20 }, ...times };
    },
  },
  'form.submitted': {
    when: 'a form is submitted, also again with the same fields',
    source: { FormSubmitted: true },
    data: {
      form: named('SubmittedForm', record({ id: text, name: maybeText, slug: maybeText, version: integer({ minimum: 1 }) })),
      submission: named(
        'WebhookFormSubmission',
        record({
          id: text,
          status: named('WebhookFormSubmissionStatus', oneOf('accepted', 'pending_confirmation')),
          fields: unionOf(anyRecord, literal('<erased>')),
          consent: annotate(nullable(flag), { description: 'Whether the box was ticked; null if the form has none.' }),
          language: text,
          page: maybeText,
          duplicate_of: annotate(nullable(text), { description: 'An earlier submission with the same fields.' }),
          submitted_at: time,
        }),
      ),
      contact: anyContact,
      contact_created: flag,
    },
    example: ({ contact }) => ({
      form: { id: 'frm_01JHM4B3W6TQ8X2N5R7Y9Z0005', name: 'Newsletter', slug: 'newsletter', version: 1 },
      submission: {
        ...{ id: 'fsb_01JHM4B3W6TQ8X2N5R7Y9Z0006', status: 'accepted', fields: { email: 'ada@example.com' }, consent: true, language: 'en' },
        ...{ page: null, duplicate_of: null, submitted_at: '2026-01-15T10:30:00.000Z' },
      },
      contact,
      contact_created: true,
    }),
  },
} as const satisfies Readonly<Record<string, PlatformEvent>>;

type PlatformEvents = typeof platformEvents;
export type PlatformEventName = keyof PlatformEvents;
export const platformEventNames = Object.keys(platformEvents) as PlatformEventName[];
export const platformEventSchema = named('PlatformEvent', oneOf(...platformEventNames));
export const isPlatformEvent = (name: string): name is PlatformEventName => Object.hasOwn(platformEvents, name);

/** The type of an event that may mean the platform event of this name. */
export type SourceTypeOf<Name extends PlatformEventName> = { [N in Name]: keyof PlatformEvents[N]['source'] }[Name];
/** Events that may mean a platform event. */
export type SourceEvent = Extract<LoggedEvent, { readonly type: SourceTypeOf<PlatformEventName> }>;

type Condition = true | ((data: unknown) => boolean);
const conditions: ReadonlyMap<PlatformEventName, ReadonlyMap<string, Condition>> = new Map(
  platformEventNames.map((name) => [name, new Map(Object.entries(platformEvents[name].source) as [string, Condition][])]),
);

/** The types of events that may mean a platform event. */
export const sourceTypes: readonly string[] = [...new Set([...conditions.values()].flatMap((source) => [...source.keys()]))];
const meanings: ReadonlyMap<string, readonly PlatformEventName[]> = new Map(
  sourceTypes.map((type) => [type, platformEventNames.filter((name) => conditions.get(name)?.has(type))]),
);

/** The platform events that an event of the log means. */
export const platformEventsOf = ({ event }: { readonly event: AnyEvent }): PlatformEventName[] =>
  (meanings.get(event.type) ?? []).filter((name) => {
    const condition = conditions.get(name)?.get(event.type);
    return condition === true || condition?.(event.data);
  });
