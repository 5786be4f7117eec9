import { ownField } from '../../domain/kernel/own-fields.js';
import { isKeywordChannel, type KeywordChannel, type ReceivedMedium } from '../../domain/suppressions/inbound-text.js';
import { type ErrorCodes, reportedFailureOf } from '../runtime/codes.js';
import { firstMedia, locationText, mediaText, mediumOf, typeByName } from '../runtime/inbound-media.js';
import {
  type IncomingReport,
  isFields,
  listOf,
  reportFieldsOf as objectOf,
  ourId,
  type RawRequest,
  type ReportFields,
  rawText,
  receiptOrStep,
  reportTextOf,
  reportTimeOf,
  shortText,
  unknownStatus,
  unreadable,
} from '../runtime/incoming.js';
import { messagesCodeOf, vonageMessagesErrors, vonageSmsErrors, vonageStatuses } from './codes.js';
import { vonageFieldsOf } from './verify.js';

const CARRIER = 'vonage';

/** A status or a received text: one each request, as JSON, as a form or in the query. */
export function receiveVonage(request: RawRequest): IncomingReport[] {
  const fields = vonageFieldsOf(request);
  const id = reportTextOf(fields.message_uuid) ?? reportTextOf(fields.messageId) ?? reportTextOf(fields['message-id']);
  if (id === null) return [unreadable('no id of a message')];
  const status = reportTextOf(fields.status);
  return [status === null ? textFrom(fields, id) : receiptFrom(fields, id, status)];
}

function receiptFrom(fields: ReportFields, id: string, status: string): IncomingReport {
  const meaning = ownField(vonageStatuses.statuses, status.toLowerCase());
  if (meaning === undefined) return unknownStatus(status);
  if (meaning === null) return { kind: 'none', what: shortText(status) };
  const { code, table } = codeIn(fields);
  const { failure, unknown_code } =
    meaning.kind === 'undelivered' ? reportedFailureOf(table, code === '0' ? null : code, meaning.reason) : { failure: {} };
  const at = reportTimeOf(fields.timestamp) ?? timeInUtc(fields['message-timestamp']);
  const receipt = {
    ...meaning,
    ...failure,
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(status.toLowerCase()),
    code: code === null ? null : shortText(code),
    raw: rawText(fields),
    at,
  };
  const message_id = ourId(fields.client_ref) ?? ourId(fields['client-ref']);
  const unknown = unknown_code !== undefined && { unknown_code: shortText(unknown_code) };
  return receiptOrStep({ kind: 'receipt', receipt, message_id, ...(at === null && { dedupe: 'status' }), ...unknown });
}

/** The code of a report, with its table: each API has its own. */
function codeIn(fields: ReportFields): { readonly code: string | null; readonly table: ErrorCodes } {
  const ofSms = reportTextOf(fields['err-code']);
  if (ofSms !== null) return { code: ofSms, table: vonageSmsErrors };
  const error = objectOf(fields.error);
  const { title, type } = isFields(error.error) ? error.error : error;
  return { code: messagesCodeOf(reportTextOf(title), reportTextOf(type)), table: vonageMessagesErrors };
}

function textFrom(fields: ReportFields, id: string): IncomingReport {
  const from = reportTextOf(fields.from) ?? reportTextOf(fields.msisdn);
  if (from === null) return unreadable('no sender');
  const given = reportTextOf(fields.channel) ?? 'sms';
  const channel = given === 'mms' ? 'sms' : given;
  if (!isKeywordChannel(channel)) return { kind: 'none', what: shortText(channel) };
  const at = reportTimeOf(fields.timestamp) ?? timeInUtc(fields['message-timestamp']);
  const quoted = reportTextOf(objectOf(fields.context).message_uuid);
  const report = {
    carrier: CARRIER,
    carrier_message_id: id,
    channel: channel satisfies KeywordChannel,
    from: international(from),
    to: numberOf(reportTextOf(fields.to)),
    ...contentOf(fields),
    answered: false,
    ...(quoted !== null && { replies_to: quoted }),
    ...(at !== null && { at }),
  };
  return { kind: 'text', report };
}

/** Types of messages with a file, by the field that has it. */
const MEDIA = ['image', 'video', 'audio', 'file', 'vcard', 'sticker'] as const;

/** What was written or chosen, and the media. A caption is the text; what has none is described. */
function contentOf(fields: ReportFields): { readonly text: string; readonly media?: readonly ReceivedMedium[] } {
  const ofType = MEDIA.flatMap((kind) => {
    const { url, caption, name, text } = objectOf(ownField(fields, kind));
    const found = mediumOf(url, typeByName(reportTextOf(name) ?? ''));
    return found.length > 0 ? [{ kind, media: found, caption: reportTextOf(caption) ?? reportTextOf(text) }] : [];
  });
  // MMS can have several.
  const listed = listOf(fields.content).map(objectOf);
  const media = firstMedia([
    ...ofType.flatMap((one) => one.media),
    ...listed.flatMap(({ url, type }) => (type === 'text' ? [] : mediumOf(url, null))),
  ]);
  const written =
    reportTextOf(fields.text) ??
    chosenIn(fields) ??
    ofType.flatMap(({ caption }) => caption ?? [])[0] ??
    listed.flatMap(({ text, caption }) => reportTextOf(text) ?? reportTextOf(caption) ?? [])[0] ??
    placeIn(fields);
  return { text: written ?? mediaText(media, ofType[0]?.kind ?? null), ...(media.length > 0 && { media }) };
}

/** The button or the row of a list that was chosen, or the reaction to a message. */
const chosenIn = (fields: ReportFields): string | null => {
  const [button, reply, reaction] = [objectOf(fields.button), objectOf(fields.reply), objectOf(fields.reaction)];
  return (
    reportTextOf(button.text) ?? reportTextOf(reply.title) ?? reportTextOf(button.payload) ?? reportTextOf(reply.id) ?? reportTextOf(reaction.emoji)
  );
};

function placeIn(fields: ReportFields): string | null {
  const { lat, long, latitude, longitude, name, address } = objectOf(fields.location);
  return locationText(lat ?? latitude, long ?? longitude, name, address);
}

/** Vonage writes numbers in international form without the plus. */
const international = (number: string): string => (/^\d{6,15}$/.test(number) ? `+${number}` : number);
const numberOf = (number: string | null): string | null => (number === null ? null : international(number));

/** `2026-01-15 10:30:00`, in UTC. */
const timeInUtc = (value: unknown): string | null => (typeof value === 'string' ? reportTimeOf(`${value.trim().replace(' ', 'T')}Z`) : null);
