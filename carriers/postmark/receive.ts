import { ownField } from '../../domain/kernel/own-fields.js';
import { isWrittenByMachine } from '../../domain/messages/machine-marks.js';
import {
  type IncomingReport,
  isFields,
  listOf,
  ourId,
  parsedJsonOf,
  type RawRequest,
  type ReportFields,
  rawText,
  reportFieldsOf,
  reportTextOf,
  reportTimeOf,
  type StatusMeaning,
  shortText,
  unknownStatus,
  unreadable,
} from '../runtime/incoming.js';
import { emailOfMime } from '../runtime/mime.js';
import { postmarkBounces, postmarkRecords, postmarkSuppressions } from './codes.js';

const CARRIER = 'postmark';

const UNKNOWN_BOUNCE: StatusMeaning = { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' };

interface RecordForm {
  /** The field with the time. */
  readonly time: string;
  /** The field with the id of the record. */
  readonly id?: string;
}
const forms: Readonly<Record<string, RecordForm>> = {
  Delivery: { time: 'DeliveredAt' },
  Bounce: { time: 'BouncedAt', id: 'ID' },
  SpamComplaint: { time: 'BouncedAt', id: 'ID' },
  Open: { time: 'ReceivedAt' },
  Click: { time: 'ReceivedAt' },
  SubscriptionChange: { time: 'ChangedAt' },
};

/** What a record means. Of an unknown one the code alone. */
function meaningOf(
  type: string,
  { Type, SuppressSending, SuppressionReason }: ReportFields,
): StatusMeaning | null | { readonly unknown_code: string } {
  if (type === 'SubscriptionChange' && SuppressSending !== true) return null;
  const [table, name] =
    type === 'Bounce'
      ? [postmarkBounces, reportTextOf(Type) ?? '']
      : type === 'SubscriptionChange'
        ? [postmarkSuppressions, reportTextOf(SuppressionReason) ?? '']
        : [postmarkRecords, type];
  const known = ownField(table.statuses, name);
  return known === undefined ? { unknown_code: shortText(name) } : known;
}

/** The same, also where an inbound email is given as it came: Postmark, "Include raw email content in JSON payload". */
export async function receivePostmarkMail(request: RawRequest): Promise<IncomingReport[]> {
  const fields = reportFieldsOf(parsedJsonOf(request.body));
  const whole = reportTextOf(fields.RawEmail);
  const type = reportTextOf(fields.RecordType);
  const hasFields = senderOf(fields) !== null && (reportTextOf(fields.TextBody) ?? reportTextOf(fields.HtmlBody)) !== null;
  if (whole === null || hasFields || (type !== null && type !== 'Inbound')) return receivePostmark(request);
  const email = await emailOfMime(Buffer.from(whole), CARRIER, receiversOf(fields));
  if (email.kind !== 'email') return [email];
  const id = reportTextOf(fields.MessageID);
  return [{ ...email, ...(id !== null && { carrier_message_id: id }), token: reportTextOf(fields.MailboxHash) }];
}

const senderOf = (fields: ReportFields): string | null => reportTextOf(reportFieldsOf(fields.FromFull).Email) ?? reportTextOf(fields.From);

/** A record about a message, or an inbound email, which has no `RecordType`. */
export function receivePostmark({ body }: RawRequest): IncomingReport[] {
  const parsed = parsedJsonOf(body);
  if (!isFields(parsed)) return [unreadable('no JSON object')];
  const type = reportTextOf(parsed.RecordType);
  if (type === null || type === 'Inbound') return [emailFrom(parsed)];
  const form = ownField(forms, type);
  if (!form) return [unknownStatus(type)];
  const found = meaningOf(type, parsed);
  if (found === null) return [{ kind: 'none', what: shortText(type) }];
  const unknown = 'unknown_code' in found && found;
  if (unknown && type !== 'Bounce') return [{ kind: 'none', what: shortText(type), ...unknown }];
  // A bounce of a type that nobody knows passes.
  const meaning: StatusMeaning = unknown ? UNKNOWN_BOUNCE : (found as StatusMeaning);
  const [id, message_id] = [reportTextOf(parsed.MessageID), ourId(reportFieldsOf(parsed.Metadata).message_id)];
  if (id === null && message_id === null) return [unreadable('a record names no message')];
  const code = reportTextOf(parsed.Type);
  const dedupe = form.id === undefined ? null : reportTextOf(ownField(parsed, form.id));
  const at = reportTimeOf(ownField(parsed, form.time));
  const { Content: _, ...kept } = parsed;
  const receipt = {
    ...meaning,
    carrier: CARRIER,
    carrier_message_id: id,
    raw_status: shortText(type),
    code: code === null ? null : shortText(code),
    raw: rawText(kept),
    at,
    ...(meaning.kind === 'clicked' && { url: reportTextOf(parsed.OriginalLink) }),
  };
  return [{ kind: 'receipt', receipt, message_id, ...(dedupe !== null ? { dedupe } : at === null && { dedupe: 'record' }), ...unknown }];
}

const receiversOf = (fields: ReportFields): string[] =>
  [fields.OriginalRecipient, fields.Recipient, ...listOf(fields.ToFull).map((one) => reportFieldsOf(one).Email)].flatMap(
    (one) => reportTextOf(one) ?? [],
  );

function emailFrom(fields: ReportFields): IncomingReport {
  const from = senderOf(fields);
  if (from === null) return unreadable('an email without a sender');
  const headers = listOf(fields.Headers).map((one) => ({
    name: (reportTextOf(reportFieldsOf(one).Name) ?? '').toLowerCase(),
    value: reportTextOf(reportFieldsOf(one).Value) ?? '',
  }));
  const header = (name: string): string => headers.find((one) => one.name === name)?.value ?? '';
  const from_name = reportTextOf(fields.FromName) ?? reportTextOf(reportFieldsOf(fields.FromFull).Name);
  const subject = reportTextOf(fields.Subject);
  return {
    kind: 'email',
    carrier: CARRIER,
    carrier_message_id: reportTextOf(fields.MessageID),
    from,
    from_name,
    to: receiversOf(fields),
    subject,
    text: reportTextOf(fields.TextBody) ?? reportTextOf(fields.StrippedTextReply) ?? '',
    html: reportTextOf(fields.HtmlBody),
    attachments: listOf(fields.Attachments).map((one) => {
      const { Name, ContentType, ContentLength } = reportFieldsOf(one);
      const size = Number(reportTextOf(ContentLength));
      return {
        filename: reportTextOf(Name),
        content_type: reportTextOf(ContentType) ?? '',
        size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
      };
    }),
    email_message_id: header('message-id') || null,
    references: `${header('in-reply-to')} ${header('references')}`,
    token: reportTextOf(fields.MailboxHash),
    automatic: isWrittenByMachine({ header: headers, from, from_name, subject: subject ?? '', types: [] }),
    at: reportTimeOf(fields.Date),
  };
}
