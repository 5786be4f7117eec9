import { ownField } from '../../domain/kernel/own-fields.js';
import type { StatusReason } from '../../domain/messages/status.js';
import { isKeywordChannel, type KeywordChannel } from '../../domain/suppressions/inbound-text.js';
import {
  type IncomingReport,
  reportFieldsOf as objectOf,
  ourId,
  type RawRequest,
  type ReportFields,
  rawText,
  receiptOrStep,
  reportTextOf,
  reportTimeOf,
  type StatusMeaning,
  shortText,
  unreadable,
} from '../runtime/incoming.js';
import { vonageFieldsOf } from './verify.js';

const CARRIER = 'vonage';

const STEP: StatusMeaning = { kind: 'accepted' };
/** Statuses of the Messages API and of the SMS API. Null: it says nothing. */
const statuses: Readonly<Record<string, StatusMeaning | null>> = {
  submitted: STEP,
  accepted: STEP,
  buffered: STEP,
  unknown: null,
  delivered: { kind: 'delivered' },
  read: { kind: 'read' },
  rejected: { kind: 'undelivered' },
  undeliverable: { kind: 'undelivered' },
  failed: { kind: 'undelivered' },
  expired: { kind: 'undelivered' },
};

/** By `err-code`. All others: the carrier rejected the message. */
const reasonsOfCodes: Readonly<Record<string, StatusReason>> = {
  3: 'invalid_recipient',
  9: 'invalid_recipient',
  11: 'invalid_recipient',
  4: 'unsubscribed',
  2: 'carrier_unavailable',
  7: 'carrier_unavailable',
  8: 'carrier_unavailable',
  12: 'carrier_unavailable',
};

/** A status or a received text: one each request, as JSON, as a form or in the query. */
export function receiveVonage(request: RawRequest): IncomingReport[] {
  const fields = vonageFieldsOf(request);
  const id = reportTextOf(fields.message_uuid) ?? reportTextOf(fields.messageId) ?? reportTextOf(fields['message-id']);
  if (id === null) return [unreadable('no id of a message')];
  const status = reportTextOf(fields.status);
  return [status === null ? textFrom(fields, id) : receiptFrom(fields, id, status)];
}

function receiptFrom(fields: ReportFields, id: string, status: string): IncomingReport {
  const meaning = ownField(statuses, status.toLowerCase());
  if (!meaning) return { kind: 'none', what: shortText(status) };
  const code = reportTextOf(fields['err-code']) ?? reportTextOf(objectOf(fields.error).title);
  const at = reportTimeOf(fields.timestamp) ?? timeInUtc(fields['message-timestamp']);
  const receipt = {
    ...meaning,
    ...(meaning.kind === 'undelivered' && { reason: ownField(reasonsOfCodes, code ?? '') ?? 'carrier_rejected' }),
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(status.toLowerCase()),
    code: code === null ? null : shortText(code),
    raw: rawText(fields),
    at,
  };
  const message_id = ourId(fields.client_ref) ?? ourId(fields['client-ref']);
  return receiptOrStep({ kind: 'receipt', receipt, message_id, ...(at === null && { dedupe: 'status' }) });
}

function textFrom(fields: ReportFields, id: string): IncomingReport {
  const from = reportTextOf(fields.from) ?? reportTextOf(fields.msisdn);
  if (from === null) return unreadable('no sender');
  const channel = reportTextOf(fields.channel) ?? 'sms';
  if (!isKeywordChannel(channel)) return { kind: 'none', what: shortText(channel) };
  const at = reportTimeOf(fields.timestamp) ?? timeInUtc(fields['message-timestamp']);
  const quoted = reportTextOf(objectOf(fields.context).message_uuid);
  const report = {
    carrier: CARRIER,
    carrier_message_id: id,
    channel: channel satisfies KeywordChannel,
    from: international(from),
    to: numberOf(reportTextOf(fields.to)),
    text: reportTextOf(fields.text) ?? '',
    answered: false,
    ...(quoted !== null && { replies_to: quoted }),
    ...(at !== null && { at }),
  };
  return { kind: 'text', report };
}

/** Vonage writes numbers in international form without the plus. */
const international = (number: string): string => (/^\d{6,15}$/.test(number) ? `+${number}` : number);
const numberOf = (number: string | null): string | null => (number === null ? null : international(number));

/** `2026-01-15 10:30:00`, in UTC. */
const timeInUtc = (value: unknown): string | null => (typeof value === 'string' ? reportTimeOf(`${value.trim().replace(' ', 'T')}Z`) : null);
