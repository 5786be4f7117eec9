import { ownField } from '../../domain/kernel/own-fields.js';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import type { StatusReason } from '../../domain/messages/status.js';
import type { KeywordChannel } from '../../domain/suppressions/inbound-text.js';
import {
  formFields,
  type IncomingReport,
  ourId,
  parsedJsonOf,
  queryOf,
  type RawRequest,
  rawText,
  receiptOrStep,
  reportTextOf,
  type StatusMeaning,
  shortText,
  unreadable,
} from '../runtime/incoming.js';

const CARRIER = 'twilio';

const STEP: StatusMeaning = { kind: 'accepted' };
/** Statuses of Twilio. Null: of no message of ours. */
const statuses: Readonly<Record<string, StatusMeaning | null>> = {
  accepted: STEP,
  scheduled: STEP,
  queued: STEP,
  sending: STEP,
  sent: STEP,
  // Not to all recipients, or not all of its parts.
  partially_delivered: STEP,
  receiving: null,
  received: null,
  delivered: { kind: 'delivered' },
  read: { kind: 'read' },
  failed: { kind: 'undelivered' },
  undelivered: { kind: 'undelivered' },
  canceled: { kind: 'undelivered' },
};

/** What the error codes say about the recipient. All others: the carrier rejected the message. */
const reasonsOfCodes: Readonly<Record<string, StatusReason>> = {
  21211: 'invalid_recipient',
  21614: 'invalid_recipient',
  21635: 'invalid_recipient',
  30005: 'invalid_recipient',
  30006: 'invalid_recipient',
  63003: 'invalid_recipient',
  63024: 'invalid_recipient',
  21610: 'stop_keyword',
  63014: 'unsubscribed',
  63033: 'unsubscribed',
  30001: 'carrier_unavailable',
  30003: 'carrier_unavailable',
  30008: 'carrier_unavailable',
  30009: 'carrier_unavailable',
  30017: 'carrier_unavailable',
  30022: 'carrier_unavailable',
  30023: 'carrier_unavailable',
  63012: 'carrier_unavailable',
  63018: 'carrier_unavailable',
  63020: 'carrier_unavailable',
  63049: 'carrier_unavailable',
};

const optOutTypes: Readonly<Record<string, KeywordKind>> = { STOP: 'stop', START: 'start', HELP: 'help' };

/** A status or a received text: one each request. */
export function receiveTwilio({ target, body, headers, method }: RawRequest): IncomingReport[] {
  const isJson = /json/i.test(String(headers['content-type'] ?? ''));
  const parsed = isJson ? parsedJsonOf(body) : formFields(method === 'GET' ? queryOf(target) : body.toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [unreadable('no form')];
  const fields = parsed as Readonly<Record<string, unknown>>;
  const id = reportTextOf(fields.MessageSid) ?? reportTextOf(fields.SmsSid) ?? reportTextOf(fields.SmsMessageSid);
  if (id === null) return [unreadable('no MessageSid')];
  const status = reportTextOf(fields.MessageStatus) ?? reportTextOf(fields.SmsStatus);
  if (status === null || status === 'received') return [textFrom(fields, id)];
  const meaning = ownField(statuses, status.toLowerCase());
  if (!meaning) return [{ kind: 'none', what: shortText(status) }];
  const code = reportTextOf(fields.ErrorCode);
  const receipt = {
    ...meaning,
    ...(meaning.kind === 'undelivered' && { reason: ownField(reasonsOfCodes, code ?? '') ?? 'carrier_rejected' }),
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(status.toLowerCase()),
    code: code === null ? null : shortText(code),
    raw: rawText(fields),
    at: null,
  };
  // Twilio gives no time: its reports of one status are the same one.
  return [receiptOrStep({ kind: 'receipt', receipt, message_id: idInQuery(target), dedupe: 'status' })];
}

const idInQuery = (target: string): string | null => [...new URLSearchParams(queryOf(target)).values()].map(ourId).find((id) => id !== null) ?? null;

function textFrom(fields: Readonly<Record<string, unknown>>, id: string): IncomingReport {
  const [from, to] = [reportTextOf(fields.From), reportTextOf(fields.To)];
  if (from === null) return unreadable('no From');
  const quoted = reportTextOf(fields.OriginalRepliedMessageSid);
  const optOut = ownField(optOutTypes, (reportTextOf(fields.OptOutType) ?? '').toUpperCase());
  const report = {
    carrier: CARRIER,
    carrier_message_id: id,
    channel: channelOf(from),
    from: bare(from),
    to: to === null ? null : bare(to),
    text: reportTextOf(fields.Body) ?? '',
    ...(quoted !== null && { replies_to: quoted }),
    ...(optOut && { kind: optOut }),
    // Twilio replies to the keywords that it classifies.
    answered: optOut !== undefined,
  };
  return { kind: 'text', report };
}

const channelOf = (address: string): KeywordChannel => (address.startsWith('whatsapp:') ? 'whatsapp' : address.startsWith('rcs:') ? 'rcs' : 'sms');
const bare = (address: string): string => address.replace(/^(whatsapp|rcs|messenger):/, '');
