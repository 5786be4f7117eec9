import { createHash } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { tokensIn } from '../../domain/messages/envelope-tokens.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import { cutReport } from '../runtime/incoming.js';
import { bounceOf, type FieldsOfReport, type MailResult, reportFields } from './delivery-status.js';
import { idInAddress, idsInHeader } from './message-id.js';

/** What a mail reports about the messages with these ids of ours, the likeliest first. `raw`: the report, as it came. */
export interface MailReceipt {
  readonly kind: 'receipt';
  readonly ids: readonly string[];
  readonly receipts: readonly MailResult[];
  readonly raw: string;
  /** Recipients that the report names beyond what a message can have. */
  readonly cut: number;
  readonly tokens: readonly string[];
  /** RFC 3339; null where the mail has no credible time. */
  readonly at: string | null;
}

/** A mail that a person wrote, or a program in its place (`automatic`). */
export interface MailFromPerson {
  readonly kind: 'email';
  readonly ids: readonly string[];
  /** The same for the same mail: a hash of its `Message-ID`, or of all its bytes. */
  readonly key: string;
  readonly from: string;
  readonly from_name: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: { filename: string | null; content_type: string; size: number }[];
  readonly email_message_id: string | null;
  readonly tokens: readonly string[];
  readonly automatic: boolean;
  readonly at: string | null;
}

/** `none`: a mail that means nothing here, and why. */
export type ReceivedMail = MailReceipt | MailFromPerson | { readonly kind: 'none'; readonly why: string };

/** Characters that are kept of a report. */
const KEPT_RAW = 16_384;
/** Header fields that name receiving addresses. The envelope is in the first ones. */
const RECIPIENT_FIELDS = ['x-original-to', 'delivered-to', 'envelope-to', 'to', 'cc'];
/** More receiving addresses, and more ids of ours, are not looked at. */
const MAX_ADDRESSES = 1_000;
const MAX_IDS = 20;
/** Characters; our own are shorter. */
const MAX_ADDRESS = 320;
/** Times outside of these are those of a wrong clock. In milliseconds since 1970. */
const EARLIEST_MS = Date.UTC(2000, 0);
const AHEAD_MS = 86_400_000;

/** The carrier under which mail by SMTP is recorded. */
const CARRIER = 'smtp';

/** What a mail reports, as other carriers report it. Never throws. */
export async function receiveMail(bytes: Buffer, nowMs: number): Promise<IncomingReport[]> {
  const mail = await readMail(bytes, nowMs);
  if (mail.kind === 'none') return [{ kind: 'none', what: mail.why }];
  const [first = null, ...others] = mail.ids;
  if (mail.kind === 'email') {
    const { ids: _, to, ...given } = mail;
    const about = { carrier: CARRIER, carrier_message_id: mail.key, references: mail.ids.join(' '), token: null };
    return [{ ...given, ...about, to: to === null ? [] : [to] }];
  }
  const receipts = mail.receipts.map(({ recipient, ...status }) => ({
    kind: 'receipt' as const,
    receipt: { carrier: CARRIER, carrier_message_id: first, ...status, raw: mail.raw, at: mail.at },
    message_id: first,
    ...(others.length > 0 && { other_ids: others }),
    ...(recipient !== null && { recipient }),
    tokens: mail.tokens,
  }));
  return [...receipts, ...cutReport(mail.cut)];
}

/** Reads a mail as it came over SMTP: a bounce (RFC 3464), a complaint (RFC 5965), an unsubscription, or a mail from a person. Never throws. */
export async function readMail(bytes: Buffer, nowMs: number): Promise<ReceivedMail> {
  try {
    const mail = await simpleParser(bytes, { keepDeliveryStatus: true, skipImageLinks: true, skipTextToHtml: true });
    return meaningOf(mail, bytes, nowMs);
  } catch (e) {
    return { kind: 'none', why: `unreadable: ${e instanceof Error ? e.name : 'unknown'}` };
  }
}

type ReportMarks = Pick<MailReceipt, 'ids' | 'tokens' | 'at'>;

function meaningOf(mail: ParsedMail, bytes: Buffer, nowMs: number): ReceivedMail {
  const status = partOf(mail, 'message/delivery-status');
  const complaint = partOf(mail, 'message/feedback-report');
  const addresses = RECIPIENT_FIELDS.flatMap((field) => addressesOf(mail, field)).slice(0, MAX_ADDRESSES);
  const about = { ids: idsOf(mail, addresses), tokens: tokensIn(addresses), at: timeOf(mail, nowMs) };
  if (status !== null) {
    const { receipts, cut } = bounceOf(reportFields(status));
    if (receipts.length === 0) return { kind: 'none', why: 'a report without a result' };
    return { kind: 'receipt', ...about, receipts, cut, raw: status.slice(0, KEPT_RAW) };
  }
  if (complaint !== null) return complaintOf(reportFields(complaint)[0] ?? {}, complaint, about);
  if (isUnsubscription(mail) && about.ids.length > 0) {
    const receipt = { kind: 'unsubscribed', raw_status: 'unsubscribed', code: null, recipient: null } as const;
    return { kind: 'receipt', ...about, receipts: [receipt], cut: 0, raw: mail.subject ?? '' };
  }
  return fromPerson(mail, bytes, about);
}

function complaintOf(fields: FieldsOfReport, raw: string, about: ReportMarks): ReceivedMail {
  const type = (fields['feedback-type'] ?? '').toLowerCase().slice(0, 100);
  if (type === '' || type === 'not-spam') return { kind: 'none', why: 'no complaint' };
  const kind = type.startsWith('opt-out') ? 'unsubscribed' : 'complained';
  const receipt = { kind, raw_status: type, code: null, recipient: null } as const;
  return { kind: 'receipt', ...about, receipts: [receipt], cut: 0, raw: raw.slice(0, KEPT_RAW) };
}

function fromPerson(mail: ParsedMail, bytes: Buffer, { ids, tokens, at }: ReportMarks): ReceivedMail {
  const sender = mail.from?.value[0];
  if (!sender?.address) return { kind: 'none', why: 'a mail without a sender' };
  // The sender of bounces in other formats: nobody wrote it.
  if (/^(mailer-daemon|postmaster)@/i.test(sender.address)) return { kind: 'none', why: 'a bounce in a format of its own' };
  return {
    kind: 'email',
    ids,
    key: createHash('sha256')
      .update(mail.messageId ?? bytes)
      .digest('base64url'),
    from: sender.address,
    from_name: sender.name || null,
    to: addressesOf(mail, 'to')[0] ?? null,
    subject: mail.subject ?? null,
    text: mail.text ?? '',
    html: mail.html || null,
    attachments: mail.attachments.map(({ filename, contentType, size }) => ({
      filename: filename ?? null,
      content_type: contentType,
      size: size ?? 0,
    })),
    email_message_id: mail.messageId ?? null,
    tokens,
    automatic: isAutomatic(mail),
    at,
  };
}

/** Our ids: of the receiving addresses, of the returned message, and of what the mail replies to, the latest first. */
function idsOf(mail: ParsedMail, addresses: readonly string[]): string[] {
  const byAddress = addresses.flatMap((address) => idInAddress(address) ?? []);
  const returned = partOf(mail, 'text/rfc822-headers') ?? partOf(mail, 'message/rfc822') ?? '';
  const inReturned = idsInHeader(/^message-id:.*(?:\r?\n[ \t].*)*/im.exec(returned)?.[0] ?? '');
  const references = [mail.references ?? []].flat().reverse().join(' ');
  return [...new Set([...byAddress, ...inReturned, ...idsInHeader(mail.inReplyTo ?? ''), ...idsInHeader(references)])].slice(0, MAX_IDS);
}

/** The text of the first part of this type, or null. */
function partOf(mail: ParsedMail, type: string): string | null {
  return mail.attachments.find(({ contentType }) => contentType?.toLowerCase() === type)?.content.toString('utf8') ?? null;
}

/** Addresses of a header field, of structured and of plain ones. */
function addressesOf(mail: ParsedMail, field: string): string[] {
  const lines = mail.headerLines.filter(({ key }) => key === field).map(({ line }) => line.slice(line.indexOf(':') + 1));
  // Not by one expression: on a long line without an @ that takes quadratic time.
  return lines.flatMap((line) => line.split(/[\s<>,;"()]+/).filter((word) => word.length <= MAX_ADDRESS && word.indexOf('@') > 0));
}

/** The mail of `List-Unsubscribe: <mailto:…?subject=unsubscribe>`. */
const isUnsubscription = (mail: ParsedMail): boolean => /^\s*unsubscribe\s*$/i.test(mail.subject ?? '');

/** Whether a program wrote it (RFC 3834). */
function isAutomatic(mail: ParsedMail): boolean {
  return mail.headerLines.some(({ key, line }) => {
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (key === 'auto-submitted') return !/^no\b/i.test(value);
    return (key === 'precedence' && /bulk|junk|list|auto_reply/i.test(value)) || key === 'x-autoreply' || key === 'x-autorespond';
  });
}

/** The parser takes an unreadable time for now. */
function timeOf({ headerLines }: ParsedMail, nowMs: number): string | null {
  const line = headerLines.find(({ key }) => key === 'date')?.line ?? '';
  const ms = Date.parse(line.slice(line.indexOf(':') + 1).trim());
  return ms >= EARLIEST_MS && ms <= nowMs + AHEAD_MS ? new Date(ms).toISOString() : null;
}
