import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import { baseFields, contactFields } from '../../domain/contacts/contact-fields.js';
import { otherAddressNames } from '../../domain/contacts/other-addresses.js';
import type { ContactResource } from '../../domain/contacts/resource.js';
import type { SubmissionEvent } from '../../domain/forms/submission.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { InboundEmailEvent } from '../../domain/messages/inbound-email.js';
import { type MessageEvent, messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { InboundTextEvent } from '../../domain/suppressions/inbound-text.js';
import type { SuppressionEvent } from '../../domain/suppressions/suppression.js';
import {
  isPlatformEvent,
  type PlatformEventName,
  type platformEvents,
  type SourceEvent,
  type SourceTypeOf,
} from '../../domain/webhooks/platform-events.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { recordedAt } from '../../log/aggregates/load-aggregate.js';
import { inboundId } from '../../log/aggregates/messages/inbound-id.js';
import { deliveryIds } from '../../log/aggregates/webhooks/deliveries.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { messageDocAfter } from '../messages/projection.js';
import { type MessageRecord, showMessages } from '../messages/queries.js';
import { loadContactAfter, loadHolderAfter } from './contact-after.js';

type ConsentWithdrawn = Extract<SealedConsentEvent, { type: 'ConsentWithdrawn' }>;
type FormSubmitted = Extract<SubmissionEvent, { type: 'FormSubmitted' }>;

/** The request to a webhook endpoint, generated from the log each time: the same bytes on every attempt, until an erasure. */
export interface PlatformRequest {
  readonly event_id: string;
  /** JSON. */
  readonly body: string;
  /** The key of the person, as the subject of personal data; the account where the person is erased. */
  readonly subject: string;
}

/** The event of the log that a platform event is about. */
export interface PlatformSource {
  readonly stream: string;
  readonly revision: number;
  /** Name of the platform event. */
  readonly event: string;
}

/** The request for a platform event. Contacts and messages are as right after the event; erased values read `<erased>`. */
export async function loadPlatformRequest(log: EventLog, { stream, revision, event }: PlatformSource): Promise<PlatformRequest> {
  if (!isPlatformEvent(event)) throw new Error(`${event} is not a platform event`);
  const [sealed] = (await log.readSealed(stream, { from: revision, limit: 1 })) ?? [];
  if (!sealed) throw new Error(`the log has no event ${revision} of ${stream}`);
  const make = payloads[event] as (log: EventLog, sealed: LogEvent) => Payload | Promise<Payload>;
  const { data, subject } = await make(log, sealed);
  const event_id = deliveryIds.platformEvent(sealed.id, event);
  const occurred_at = new Date(Date.parse(recordedAt(sealed))).toISOString();
  const { account: account_id } = sealed.meta;
  const isTest = sealed.meta.test || ('message' in data && (data.message as { readonly test?: boolean }).test === true);
  const body = JSON.stringify({ event, event_id, account_id, occurred_at, ...(isTest && { test: true }), data });
  // The keys of an erased person are not made again.
  return { event_id, body, subject: body.includes(JSON.stringify(ERASED)) ? account_id : subject };
}

/** The `data` of a body, with the fields that the descriptor of its event names. */
interface Payload<Field extends string = string> {
  readonly data: { readonly [F in Field]: unknown };
  /** The key of the person whose data it has; the account where it has none. */
  readonly subject: string;
}
type FieldOf<Name extends PlatformEventName> = Extract<keyof (typeof platformEvents)[Name]['data'], string>;
type SourceOf<Name extends PlatformEventName> = LogEvent<Extract<SourceEvent, { readonly type: SourceTypeOf<Name> }>>;
type PayloadOf<Name extends PlatformEventName> = Promise<Payload<FieldOf<Name>>>;

/** How each is made from the event of the log that means it, which comes sealed. */
const payloads: { readonly [Name in PlatformEventName]: (log: EventLog, sealed: SourceOf<Name>) => PayloadOf<Name> } = {
  'contact.created': contactCreated,
  'contact.updated': contactUpdated,
  'contact.unsubscribed': (log, sealed) =>
    sealed.event.type === 'ConsentWithdrawn' ? consentWithdrawn(log, sealed as LogEvent<ConsentWithdrawn>) : optedOut(log, sealed as LogEvent),
  'contact.bounced': emailBounced,
  'message.delivered': messageEnded,
  'message.failed': messageEnded,
  'message.received': (log, sealed) => {
    if (sealed.event.type === 'InboundEmailReceived') return emailReceived(log, sealed);
    return sealed.event.type === 'InboundTextReceived' ? textReceived(log, sealed) : messageReplied(log, sealed);
  },
  'campaign.sent': campaignSent,
  'form.submitted': formSubmitted,
};

/** It has no personal data. */
async function campaignSent(_log: EventLog, { event: { data }, meta }: SourceOf<'campaign.sent'>): PayloadOf<'campaign.sent'> {
  const { campaign_id: id, name, channel, counts, started_at, at: finished_at } = data;
  return { data: { campaign: { id, name, channel }, counts, started_at, finished_at }, subject: meta.account };
}

async function formSubmitted(log: EventLog, sealed: SourceOf<'form.submitted'>): PayloadOf<'form.submitted'> {
  const { event, meta, position } = await opened<FormSubmitted>(log, sealed);
  const { contact_id: subject, form_id, form_version, contact_created, at: submitted_at, ...submitted } = event.data;
  const { submission_id: id, fields, consented: consent, language, page, duplicate_of, double_opt_in } = submitted;
  const found = await findForm(log, form_id, { version: form_version, includeDeleted: true });
  const { name = null, slug = null } = found?.form.definition ?? {};
  const submission = { id, status: double_opt_in ? 'pending_confirmation' : 'accepted', fields, consent, language, page, duplicate_of, submitted_at };
  const contact = await loadContactAfter(log, meta.account, subject, position);
  return { data: { form: { id: form_id, name, slug, version: form_version }, submission, contact, contact_created }, subject };
}

// Contacts

async function contactCreated(log: EventLog, { event, meta, position }: SourceOf<'contact.created'>): PayloadOf<'contact.created'> {
  const { contact_id: subject, source } = event.data;
  return { data: { contact: await loadContactAfter(log, meta.account, subject, position), source }, subject };
}

async function contactUpdated(log: EventLog, { event, meta, position }: SourceOf<'contact.updated'>): PayloadOf<'contact.updated'> {
  const { contact_id: subject } = event.data;
  const contact = await loadContactAfter(log, meta.account, subject, position);
  const before = await loadContactAfter(log, meta.account, subject, positionBefore(position));
  const merged_from = event.type === 'ContactAbsorbed' ? [event.data.absorbed] : [];
  return { data: { contact, changes: changesBetween(before, contact), merged_from }, subject };
}

/** Positions are 20 digits. */
const positionBefore = (position: Position): Position => String(BigInt(position) - 1n).padStart(position.length, '0') as Position;

const comparedFields = [...baseFields.filter((name) => contactFields[name].isPublished), ...otherAddressNames, 'tags'] as const;

/** By field; a custom field as `custom_fields.<key>`. */
function changesBetween(before: ContactResource | null, after: ContactResource | null): Record<string, { from: unknown; to: unknown }> {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changed = names.filter((name) => JSON.stringify(old.get(name) ?? null) !== JSON.stringify(now.get(name) ?? null));
  return Object.fromEntries(changed.map((name) => [name, { from: old.get(name) ?? null, to: now.get(name) ?? null }]));
}

function valuesOf(contact: ContactResource | null): Map<string, unknown> {
  if (!contact) return new Map();
  const custom = Object.entries(contact.custom_fields).map(([key, value]): [string, unknown] => [`custom_fields.${key}`, value]);
  return new Map([...comparedFields.map((name): [string, unknown] => [name, contact[name]]), ...custom]);
}

/** How a person opted out, by the means that the suppression names. */
const optOutSources: Readonly<Record<string, string>> = {
  one_click: 'one_click',
  page: 'unsubscribe_link',
  keyword: 'stop_keyword',
  feedback: 'complaint',
  carrier: 'carrier',
  request: 'api',
};

async function optedOut(log: EventLog, sealed: LogEvent): PayloadOf<'contact.unsubscribed'> {
  const { event, meta, position } = await opened<SuppressionEvent>(log, sealed);
  if (event.type !== 'AddressSuppressed' && event.type !== 'SuppressionWidened') throw new Error(`${event.type} is no opt-out`);
  const { address_key: subject, channel, address, via, keyword = null, message_id, list_id = null } = event.data;
  const contact = await loadHolderAfter(log, meta.account, { key: subject, address }, position);
  const source = optOutSources[via ?? 'request'] ?? 'api';
  return { data: { contact, channel, address, source, keyword, message_id, list_id }, subject };
}

type ReceivedTextEvent = Extract<InboundTextEvent, { type: 'InboundTextReceived' }>;

/** A consent is the contact's, not an address's: the address is the contact's own on that channel. */
async function consentWithdrawn(log: EventLog, { event, meta, position }: LogEvent<ConsentWithdrawn>): PayloadOf<'contact.unsubscribed'> {
  const { contact_id: subject, channel, cause } = event.data;
  const contact = await loadContactAfter(log, meta.account, subject, position);
  const { email = null, phone = null } = contact ?? {};
  const address = channel === 'email' ? email : channel === 'all' ? (email ?? phone) : phone;
  const source = cause.kind === 'form' ? 'form' : 'api';
  return { data: { contact, channel, address, source, keyword: null, message_id: null, list_id: null }, subject };
}

async function emailReceived(log: EventLog, sealed: LogEvent): PayloadOf<'message.received'> {
  const { event, meta, position } = await opened<InboundEmailEvent>(log, sealed);
  const { inbound_id: id, from_key: subject, from, to, subject: title, text, html, message_id = null, attachments, received_at } = event.data;
  const contact = await loadHolderAfter(log, meta.account, { key: subject, address: from }, position);
  const about = { id, from, to, subject: title, text, html, in_reply_to_message_id: message_id, contact, attachments, received_at };
  return { data: { ...about, channel: 'email', media: [] }, subject };
}

async function textReceived(log: EventLog, sealed: LogEvent): PayloadOf<'message.received'> {
  const { event, meta, position } = await opened<ReceivedTextEvent>(log, sealed);
  const { inbound_id: id, from_key: subject, from, to, channel, text, media = [], message_id = null, received_at } = event.data;
  const contact = await loadHolderAfter(log, meta.account, { key: subject, address: from }, position);
  const about = { id, from, to, subject: null, text, html: null, in_reply_to_message_id: message_id, contact, attachments: [], received_at };
  return { data: { ...about, channel, media }, subject };
}

// Messages

/** The message right after one of its events. */
interface MessageAfter {
  readonly id: string;
  readonly account: string;
  /** The event, opened. */
  readonly cause: MessageEvent;
  readonly record: MessageRecord;
  /** The key of the recipient. */
  readonly subject: string;
  /** The contact that the sender named, or else the one that had the address. */
  readonly recipient: () => Promise<ContactResource | null>;
}

async function messageAfter(log: EventLog, sealed: LogEvent): Promise<MessageAfter> {
  const { stream, revision, position } = sealed;
  const events = (await log.readSealed(stream, { limit: revision + 1 })) as LogEvent<SealedMessageEvent>[];
  const doc = messageDocAfter(events);
  const [record] = (await showMessages(log, [doc])) as [MessageRecord];
  const { event: cause } = await opened<MessageEvent>(log, sealed);
  const { account_id: account, contact_id, to_key: subject } = doc;
  const recipient = () =>
    contact_id === null
      ? loadHolderAfter(log, account, { key: subject, address: record.to }, position)
      : loadContactAfter(log, account, contact_id, position);
  return { id: messageIdOf(stream), account, cause, record, subject, recipient };
}

async function messageEnded(log: EventLog, sealed: LogEvent): PayloadOf<'message.delivered' | 'message.failed'> {
  const { cause, record, subject } = await messageAfter(log, sealed);
  return { data: { message: withoutTexts(record), reason: record.status_reason, code: codeOf(cause, record) }, subject };
}

function codeOf({ data }: AnyEvent, { carrier }: MessageRecord): string | null {
  const { code } = data as { readonly code?: string | null };
  return code ?? (carrier as { readonly code: string | null } | null)?.code ?? null;
}

function withoutTexts({ message: _, message_truncated: __, subject: ___, title: ____, ...rest }: MessageRecord): object {
  return rest;
}

interface BounceData {
  readonly reason?: string;
  readonly code: string | null;
  readonly raw_status: string;
  readonly test?: boolean;
}

async function emailBounced(log: EventLog, sealed: LogEvent): PayloadOf<'contact.bounced'> {
  const { id: message_id, cause, record, subject, recipient } = await messageAfter(log, sealed);
  const { reason = null, code, raw_status: diagnostic, test } = cause.data as BounceData;
  const hard = cause.type === 'MessageBounced' && reason === 'hard_bounce';
  const bounce = { address: record.to, bounce_type: hard ? 'hard' : 'soft', code, diagnostic, message_id, suppressed: hard && !test };
  return { data: { contact: await recipient(), ...bounce }, subject };
}

interface ReplyData {
  readonly text: string | null;
  readonly received_at: string;
  readonly carrier: string;
  readonly carrier_message_id: string;
}

async function messageReplied(log: EventLog, sealed: LogEvent): PayloadOf<'message.received'> {
  const { id: in_reply_to_message_id, account, cause, record, subject, recipient } = await messageAfter(log, sealed);
  const { text, received_at, carrier, carrier_message_id } = cause.data as ReplyData;
  const id = inboundId(account, carrier, carrier_message_id);
  const { to: from, from: to } = record;
  const content = { subject: null, text, html: null, in_reply_to_message_id, contact: await recipient(), attachments: [], received_at };
  return { data: { id, from, to, ...content, channel: 'email', media: [] }, subject };
}

async function opened<E>(log: EventLog, sealed: LogEvent): Promise<LogEvent<E>> {
  return (await log.open([sealed]))[0] as LogEvent<E>;
}
