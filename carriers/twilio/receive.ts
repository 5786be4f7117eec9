import { ownField } from '../../domain/kernel/own-fields.js';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import { type KeywordChannel, MAX_RECEIVED_MEDIA, type ReceivedMedium } from '../../domain/suppressions/inbound-text.js';
import { reportedFailureOf } from '../runtime/codes.js';
import { locationText, mediaText, mediumOf } from '../runtime/inbound-media.js';
import {
  formFields,
  type IncomingReport,
  ourId,
  parsedJsonOf,
  queryOf,
  type RawRequest,
  type ReportFields,
  rawText,
  receiptOrStep,
  reportTextOf,
  shortText,
  unknownStatus,
  unreadable,
} from '../runtime/incoming.js';
import { twilioErrors, twilioStatuses } from './codes.js';

const CARRIER = 'twilio';

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
  const meaning = ownField(twilioStatuses.statuses, status.toLowerCase());
  if (meaning === undefined) return [unknownStatus(status)];
  if (meaning === null) return [{ kind: 'none', what: shortText(status) }];
  const code = reportTextOf(fields.ErrorCode);
  const { failure, unknown_code } = meaning.kind === 'undelivered' ? reportedFailureOf(twilioErrors, code) : { failure: {} };
  const receipt = {
    ...meaning,
    ...failure,
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(status.toLowerCase()),
    code: code === null ? null : shortText(code),
    raw: rawText(fields),
    at: null,
  };
  // Twilio gives no time: its reports of one status are the same one.
  return [
    receiptOrStep({
      kind: 'receipt',
      receipt,
      message_id: idInQuery(target),
      dedupe: 'status',
      ...(unknown_code !== undefined && { unknown_code: shortText(unknown_code) }),
    }),
  ];
}

const idInQuery = (target: string): string | null => [...new URLSearchParams(queryOf(target)).values()].map(ourId).find((id) => id !== null) ?? null;

function textFrom(fields: Readonly<Record<string, unknown>>, id: string): IncomingReport {
  const [from, to] = [reportTextOf(fields.From), reportTextOf(fields.To)];
  if (from === null) return unreadable('no From');
  const media = mediaIn(fields);
  const quoted = reportTextOf(fields.OriginalRepliedMessageSid);
  const optOut = ownField(optOutTypes, (reportTextOf(fields.OptOutType) ?? '').toUpperCase());
  const report = {
    carrier: CARRIER,
    carrier_message_id: id,
    channel: channelOf(from),
    from: bare(from),
    to: to === null ? null : bare(to),
    text: writtenIn(fields) ?? mediaText(media),
    ...(media.length > 0 && { media }),
    ...(quoted !== null && { replies_to: quoted }),
    ...(optOut && { kind: optOut }),
    // Twilio replies to the keywords that it classifies.
    answered: optOut !== undefined,
  };
  return { kind: 'text', report };
}

/** What was written, the button or the row of a list that was chosen, or the place that was sent. */
const writtenIn = (fields: ReportFields): string | null =>
  reportTextOf(fields.Body) ??
  reportTextOf(fields.ButtonText) ??
  reportTextOf(fields.ListTitle) ??
  reportTextOf(fields.ButtonPayload) ??
  locationText(fields.Latitude, fields.Longitude, fields.Label, fields.Address);

/** `NumMedia`, and `MediaUrl0` and so on with their types. */
function mediaIn(fields: ReportFields): readonly ReceivedMedium[] {
  const count = Number(reportTextOf(fields.NumMedia) ?? 0);
  const numbers = Array.from({ length: Math.min(Number.isSafeInteger(count) ? Math.max(count, 0) : 0, MAX_RECEIVED_MEDIA) }, (_, n) => n);
  return numbers.flatMap((n) => mediumOf(ownField(fields, `MediaUrl${n}`), reportTextOf(ownField(fields, `MediaContentType${n}`))));
}

const channelOf = (address: string): KeywordChannel => (address.startsWith('whatsapp:') ? 'whatsapp' : address.startsWith('rcs:') ? 'rcs' : 'sms');
const bare = (address: string): string => address.replace(/^(whatsapp|rcs|messenger):/, '');
