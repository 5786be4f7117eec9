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
  unreadable,
} from '../runtime/incoming.js';
import { emailOfMime } from '../runtime/mime.js';

const CARRIER = 'postmark';

const SOFT: StatusMeaning = { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' };
/** Types of bounces; all others are soft, of an unknown kind. Null: no bounce of a message. Postmark, "Bounce API: bounce types". */
const bounceTypes: Readonly<Record<string, StatusMeaning | null>> = {
  HardBounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
  BadEmailAddress: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
  SoftBounce: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
  Blocked: { kind: 'bounced', reason: 'blocked', bounce_class: 'blocked' },
  DMARCPolicy: { kind: 'bounced', reason: 'blocked', bounce_class: 'blocked' },
  Transient: { kind: 'deferred' },
  DnsError: { kind: 'deferred' },
  SpamNotification: { kind: 'complained' },
  SpamComplaint: { kind: 'complained' },
  Unsubscribe: { kind: 'unsubscribed' },
  // Answers of programs, and confirmations that Postmark awaits.
  AutoResponder: null,
  AddressChange: null,
  ChallengeVerification: null,
  Subscribe: null,
};

/**
 * Why Postmark sends nothing more to an address: where only this webhook is set, nothing else tells of the bounce or the complaint.
 * Postmark, "Subscription change webhook".
 */
const suppressionReasons: Readonly<Record<string, StatusMeaning>> = {
  ManualSuppression: { kind: 'unsubscribed' },
  HardBounce: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
  SpamComplaint: { kind: 'complained' },
};

/** By `RecordType`: the meaning, and the field with the time. */
const records: Readonly<
  Record<string, { readonly meaning: (fields: ReportFields) => StatusMeaning | null; readonly time: string; readonly id?: string }>
> = {
  Delivery: { meaning: () => ({ kind: 'delivered' }), time: 'DeliveredAt' },
  Bounce: {
    meaning: ({ Type }) => {
      const known = ownField(bounceTypes, reportTextOf(Type) ?? '');
      return known === undefined ? SOFT : known;
    },
    time: 'BouncedAt',
    id: 'ID',
  },
  SpamComplaint: { meaning: () => ({ kind: 'complained' }), time: 'BouncedAt', id: 'ID' },
  Open: { meaning: () => ({ kind: 'opened' }), time: 'ReceivedAt' },
  Click: { meaning: () => ({ kind: 'clicked' }), time: 'ReceivedAt' },
  SubscriptionChange: {
    meaning: ({ SuppressSending, SuppressionReason }) =>
      SuppressSending === true ? (ownField(suppressionReasons, reportTextOf(SuppressionReason) ?? '') ?? null) : null,
    time: 'ChangedAt',
  },
};

/** The same, also where an inbound email is given as it came: Postmark, "Include raw email content in JSON payload". */
export async function receivePostmarkMail(request: RawRequest): Promise<IncomingReport[]> {
  const parsed = reportFieldsOf(parsedJsonOf(request.body));
  const raw = reportTextOf(parsed.RawEmail);
  const isParsed = reportTextOf(parsed.RecordType) !== null || senderOf(parsed) !== null;
  if (raw === null || isParsed) return receivePostmark(request);
  const to = [parsed.OriginalRecipient, parsed.Recipient].flatMap((one) => reportTextOf(one) ?? []);
  return [await emailOfMime(Buffer.from(raw), CARRIER, to)];
}

const senderOf = (fields: ReportFields): string | null => reportTextOf(reportFieldsOf(fields.FromFull).Email) ?? reportTextOf(fields.From);

/** A record about a message, or an inbound email, which has no `RecordType`. */
export function receivePostmark({ body }: RawRequest): IncomingReport[] {
  const parsed = parsedJsonOf(body);
  if (!isFields(parsed)) return [unreadable('no JSON object')];
  const type = reportTextOf(parsed.RecordType);
  if (type === null || type === 'Inbound') return [emailFrom(parsed)];
  const form = ownField(records, type);
  const meaning = form?.meaning(parsed);
  if (!form || !meaning) return [{ kind: 'none', what: shortText(type) }];
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
  return [{ kind: 'receipt', receipt, message_id, ...(dedupe !== null ? { dedupe } : at === null && { dedupe: 'record' }) }];
}

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
    to: [fields.OriginalRecipient, ...listOf(fields.ToFull).map((one) => reportFieldsOf(one).Email)].flatMap((one) => reportTextOf(one) ?? []),
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
