import type { CampaignEvent } from '../../domain/campaigns/campaign-events.js';
import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import type { ContactEvent } from '../../domain/contacts/contact.js';
import { baseFields, contactFields } from '../../domain/contacts/contact-fields.js';
import type { ContactResource } from '../../domain/contacts/resource.js';
import type { SubmissionEvent } from '../../domain/forms/submission.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { InboundEmailEvent } from '../../domain/messages/inbound-email.js';
import { type MessageEvent, messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { SuppressionEvent } from '../../domain/suppressions/suppression.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { recordedAt } from '../../log/aggregates/load-aggregate.js';
import { inboundId } from '../../log/aggregates/messages/inbound-id.js';
import { platformEventId } from '../../log/aggregates/webhooks/ids.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { MessageDoc } from '../messages/message-doc.js';
import { messageDocAfter } from '../messages/projection.js';
import { type MessageRecord, showMessages } from '../messages/queries.js';
import { loadContactAfter, loadHolderAfter } from './contact-after.js';

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

type FormSubmitted = Extract<SubmissionEvent, { type: 'FormSubmitted' }>;
type CampaignSent = Extract<CampaignEvent, { type: 'CampaignSent' }>;

interface Content {
  readonly data: object;
  readonly subject: string;
}

/** The request for a platform event. Contacts and messages are as right after the event; erased values read `<erased>`. */
export async function loadPlatformRequest(log: EventLog, { stream, revision, event }: PlatformSource): Promise<PlatformRequest> {
  const [sealed] = (await log.readSealed(stream, { from: revision, limit: 1 })) ?? [];
  if (!sealed) throw new Error(`the log has no event ${revision} of ${stream}`);
  const { data, subject } = await contentOf(log, sealed, event);
  const event_id = platformEventId(sealed.id, event);
  const occurred_at = new Date(Date.parse(recordedAt(sealed))).toISOString();
  const { account: account_id } = sealed.meta;
  const isTest = sealed.meta.test || ('message' in data && (data.message as { readonly test?: boolean }).test === true);
  const body = JSON.stringify({ event, event_id, account_id, occurred_at, ...(isTest && { test: true }), data });
  // The keys of an erased person are not made again.
  return { event_id, body, subject: body.includes(JSON.stringify(ERASED)) ? account_id : subject };
}

function contentOf(log: EventLog, sealed: LogEvent, event: string): Promise<Content> {
  if (event === 'contact.created' || event === 'contact.updated') return ofContact(log, sealed as LogEvent<ContactEvent>);
  if (sealed.event.type === 'ConsentWithdrawn') return ofWithdrawal(log, sealed as LogEvent<SealedConsentEvent>);
  if (event === 'contact.unsubscribed') return ofOptOut(log, sealed as LogEvent<SuppressionEvent>);
  if (event === 'form.submitted') return ofForm(log, sealed as LogEvent<FormSubmitted>);
  if (event === 'campaign.sent') return Promise.resolve(ofCampaign(sealed as LogEvent<CampaignSent>));
  if (sealed.event.type === 'InboundEmailReceived') return ofReply(log, sealed as LogEvent<InboundEmailEvent>);
  return ofMessage(log, sealed as LogEvent<SealedMessageEvent>, event);
}

/** It has no personal data. */
function ofCampaign({ event: { data }, meta }: LogEvent<CampaignSent>): Content {
  const { campaign_id: id, name, channel, counts, started_at, at: finished_at } = data;
  return { data: { campaign: { id, name, channel }, counts, started_at, finished_at }, subject: meta.account };
}

async function ofForm(log: EventLog, sealed: LogEvent<FormSubmitted>): Promise<Content> {
  const [{ event, meta, position }] = (await log.open([sealed])) as [LogEvent<FormSubmitted>];
  const { contact_id: subject, form_id, form_version, contact_created, at: submitted_at, ...submitted } = event.data;
  const { submission_id: id, fields, consented: consent, language, page, duplicate_of, double_opt_in } = submitted;
  const found = await findForm(log, form_id, { version: form_version, includeDeleted: true });
  const { name = null, slug = null } = found?.form.definition ?? {};
  const submission = { id, status: double_opt_in ? 'pending_confirmation' : 'accepted', fields, consent, language, page, duplicate_of, submitted_at };
  const contact = await loadContactAfter(log, meta.account, subject, position);
  return { data: { form: { id: form_id, name, slug, version: form_version }, submission, contact, contact_created }, subject };
}

// Contacts

async function ofContact(log: EventLog, { event, meta, position }: LogEvent<ContactEvent>): Promise<Content> {
  const { contact_id: subject } = event.data;
  const contact = await loadContactAfter(log, meta.account, subject, position);
  if (event.type === 'ContactCreated') return { data: { contact, source: event.data.source }, subject };
  const before = await loadContactAfter(log, meta.account, subject, positionBefore(position));
  const merged_from = event.type === 'ContactAbsorbed' ? [event.data.absorbed] : [];
  return { data: { contact, changes: changesBetween(before, contact), merged_from }, subject };
}

/** Positions are 20 digits. */
const positionBefore = (position: Position): Position => String(BigInt(position) - 1n).padStart(position.length, '0') as Position;

const comparedFields = [...baseFields.filter((name) => contactFields[name].isPublished), 'tags'] as const;

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
  request: 'api',
};

async function ofOptOut(log: EventLog, sealed: LogEvent<SuppressionEvent>): Promise<Content> {
  const [{ event, meta, position }] = (await log.open([sealed])) as [LogEvent<SuppressionEvent>];
  if (event.type !== 'AddressSuppressed' && event.type !== 'SuppressionWidened') throw new Error(`${event.type} is no opt-out`);
  const { address_key: subject, channel, address, via, keyword = null, message_id, list_id = null } = event.data;
  const contact = await loadHolderAfter(log, meta.account, subject, position);
  const source = optOutSources[via ?? 'request'] ?? 'api';
  return { data: { contact, channel, address, source, keyword, message_id, list_id }, subject };
}

/** A consent is the contact's, not an address's: the address is the contact's own on that channel. */
async function ofWithdrawal(log: EventLog, { event, meta, position }: LogEvent<SealedConsentEvent>): Promise<Content> {
  const { contact_id: subject, channel, cause } = event.data;
  const contact = await loadContactAfter(log, meta.account, subject, position);
  const { email = null, phone = null } = contact ?? {};
  const address = channel === 'email' ? email : channel === 'all' ? (email ?? phone) : phone;
  const source = cause.kind === 'form' ? 'form' : 'api';
  return { data: { contact, channel, address, source, keyword: null, message_id: null, list_id: null }, subject };
}

async function ofReply(log: EventLog, sealed: LogEvent<InboundEmailEvent>): Promise<Content> {
  const [{ event, meta, position }] = (await log.open([sealed])) as [LogEvent<InboundEmailEvent>];
  const { inbound_id: id, from_key: subject, from, to, subject: title, text, html, message_id = null, attachments, received_at } = event.data;
  const contact = await loadHolderAfter(log, meta.account, subject, position);
  return { data: { id, from, to, subject: title, text, html, in_reply_to_message_id: message_id, contact, attachments, received_at }, subject };
}

// Messages

async function ofMessage(log: EventLog, sealed: LogEvent<SealedMessageEvent>, event: string): Promise<Content> {
  const { stream, revision, position } = sealed;
  const events = (await log.readSealed(stream, { limit: revision + 1 })) as LogEvent<SealedMessageEvent>[];
  const doc = messageDocAfter(events);
  const [record] = (await showMessages(log, [doc])) as [MessageRecord];
  const subject = doc.to_key;
  const { event: cause } = ((await log.open([sealed])) as unknown as [LogEvent<MessageEvent>])[0];
  if (event === 'message.delivered' || event === 'message.failed')
    return { data: { message: withoutTexts(record), reason: record.status_reason, code: codeOf(cause, record) }, subject };
  const contact = await recipientOf(log, doc, position);
  const about = { id: messageIdOf(stream), record, contact };
  return { data: event === 'contact.bounced' ? bounceOf(cause, about) : replyOf(cause, about, doc.account_id), subject };
}

function codeOf({ data }: AnyEvent, { carrier }: MessageRecord): string | null {
  const { code } = data as { readonly code?: string | null };
  return code ?? (carrier as { readonly code: string | null } | null)?.code ?? null;
}

/** The contact that the sender named, or else the one that had the address. */
const recipientOf = (log: EventLog, { account_id, contact_id, to_key }: MessageDoc, position: Position): Promise<ContactResource | null> =>
  contact_id === null ? loadHolderAfter(log, account_id, to_key, position) : loadContactAfter(log, account_id, contact_id, position);

function withoutTexts({ message: _, message_truncated: __, subject: ___, title: ____, ...rest }: MessageRecord): object {
  return rest;
}

interface RequestSubject {
  readonly id: string;
  readonly record: MessageRecord;
  readonly contact: ContactResource | null;
}

function bounceOf({ type, data }: AnyEvent, { id: message_id, record, contact }: RequestSubject): object {
  const { reason = null, code, raw_status: diagnostic, test } = data as { reason?: string; code: string | null; raw_status: string; test?: boolean };
  const hard = type === 'MessageBounced' && reason === 'hard_bounce';
  return { contact, address: record.to, bounce_type: hard ? 'hard' : 'soft', code, diagnostic, message_id, suppressed: hard && !test };
}

interface ReplyData {
  readonly text: string | null;
  readonly received_at: string;
  readonly carrier: string;
  readonly carrier_message_id: string;
}

function replyOf({ data }: AnyEvent, { id: in_reply_to_message_id, record, contact }: RequestSubject, account: string): object {
  const { text, received_at, carrier, carrier_message_id } = data as ReplyData;
  const id = inboundId(account, carrier, carrier_message_id);
  const { to: from, from: to } = record;
  return { id, from, to, subject: null, text, html: null, in_reply_to_message_id, contact, attachments: [], received_at };
}
