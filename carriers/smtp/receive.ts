import { createHash } from 'node:crypto';
import { isListRefusal } from '../../domain/messages/bounces/text-formats.js';
import { tokensIn } from '../../domain/messages/envelope-tokens.js';
import {
  hasNullSender,
  isAutomaticAnswer,
  isBounceSubject,
  isMailSystem,
  isNamedAnswer,
  isWrittenByMachine,
  type MarkedMail,
} from '../../domain/messages/machine-marks.js';
import { isUnsubscribeSubject } from '../../domain/messages/unsubscribe-mails.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import { cutReport, reasonOf } from '../runtime/incoming.js';
import { type LoadedMail, loadMail, type MailContent, mailContentOf } from '../runtime/mail.js';
import { addressesIn } from '../runtime/mime.js';
import { isTextBounce, textBounceOf } from './bounce-text.js';
import { bounceOf, hasAction, type MailResult, reportFields } from './delivery-status.js';
import { feedbackOf, jmrpComplaintOf } from './feedback.js';
import { idInAddress, idsInHeader } from './message-id.js';
import { snsNoticeIn } from './sns-notice.js';

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
export interface MailFromPerson extends MailContent {
  readonly kind: 'email';
  readonly ids: readonly string[];
  /** The same for the same mail: a hash of its `Message-ID`, or of all its bytes. */
  readonly key: string;
  readonly from: string;
  readonly to: string | null;
  readonly tokens: readonly string[];
  readonly automatic: boolean;
  /** It came to the address of bounces of a message, and is neither a bounce nor an answer: the operator looks at it. */
  readonly for_operator?: true;
  readonly at: string | null;
}

/** `none`: a mail that means nothing here, and why. */
export type ReceivedMail = MailReceipt | MailFromPerson | { readonly kind: 'none'; readonly why: string };

/** Characters that are kept of a report. */
const KEPT_RAW = 16_384;
/** Header fields that name receiving addresses. The envelope is in the first ones. */
const RECIPIENT_FIELDS = ['x-original-to', 'delivered-to', 'envelope-to', 'x-envelope-to', 'to', 'cc'];
/** More receiving addresses, and more ids of ours, are not looked at. */
const MAX_ADDRESSES = 1_000;
const MAX_IDS = 20;
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

/** Reads a mail as it came over SMTP: a bounce, a complaint, an unsubscription, or a mail from a person or a program. Never throws. */
export async function readMail(bytes: Buffer, nowMs: number): Promise<ReceivedMail> {
  try {
    return await meaningOf(loadMail(bytes), nowMs);
  } catch (e) {
    return { kind: 'none', why: `unreadable: ${e instanceof Error ? e.name : 'unknown'}` };
  }
}

type ReportMarks = Pick<MailReceipt, 'ids' | 'tokens' | 'at'>;

/** What the layers below look at. */
interface ReadMail {
  readonly mail: LoadedMail;
  readonly marked: MarkedMail;
  readonly about: ReportMarks;
  /** Whether it came to the address of bounces of a message. */
  readonly isToBounces: boolean;
  readonly addresses: readonly string[];
  /** The header of the returned message. */
  readonly returned: string;
}

/** In this order: a report, feedback, an unsubscription, an automatic answer, a bounce in text, and what a mail system sends at all. */
async function meaningOf(mail: LoadedMail, nowMs: number): Promise<ReceivedMail> {
  const read = readMarks(mail, nowMs);
  return (
    reportOf(read) ?? feedbackMail(read) ?? (await noticeOf(read)) ?? (await unsubscription(read)) ?? bounceInText(read) ?? (await lastResort(read))
  );
}

function readMarks(mail: LoadedMail, nowMs: number): ReadMail {
  const addresses = RECIPIENT_FIELDS.flatMap((field) => addressesOf(mail, field)).slice(0, MAX_ADDRESSES);
  const returned = mail.returned();
  const byAddress = addresses.flatMap((address) => idInAddress(address) ?? []);
  const about = { ids: idsOf(mail, byAddress, returned), tokens: tokensIn(addresses), at: timeOf(mail, nowMs) };
  const { address: from = '', name: from_name = null } = mail.sender ?? {};
  const marked = { header: mail.markedHeader, from, from_name, subject: mail.subject, types: mail.types };
  return { mail, marked, about, isToBounces: byAddress.length > 0, addresses, returned };
}

const STATUS_TYPES = /^(?:message|text)\/(?:global-)?delivery-status$/;
const FEEDBACK_TYPES = /^(?:message|text)\/feedback-report$/;

/** The report of a mail system (RFC 3464), in any number of parts. Null without a result: then the text may have one. */
function reportOf({ mail, about }: ReadMail): ReceivedMail | null {
  const raw = mail.partTexts(STATUS_TYPES).join('\n\n');
  if (raw === '') return null;
  const blocks = reportFields(raw);
  const { receipts, cut } = bounceOf(blocks, mail.text);
  if (receipts.length === 0 && hasAction(blocks)) return { kind: 'none', why: 'a report without a result' };
  return receipts.length === 0 ? null : { kind: 'receipt', ...about, receipts, cut, raw: raw.slice(0, KEPT_RAW) };
}

function feedbackMail({ mail, marked, about, returned }: ReadMail): ReceivedMail | null {
  const raw = mail.partTexts(FEEDBACK_TYPES).join('\n\n');
  if (raw !== '') {
    const found = feedbackOf(reportFields(raw));
    if (found === null) return { kind: 'none', why: 'feedback that is no complaint' };
    return { kind: 'receipt', ...about, receipts: found, cut: 0, raw: raw.slice(0, KEPT_RAW) };
  }
  const complaint = jmrpComplaintOf(marked.from, marked.subject, returned);
  return complaint && { kind: 'receipt', ...about, receipts: [complaint], cut: 0, raw: marked.subject };
}

/** A notice of Amazon SNS about the message to whose address it came, or which its text names. */
async function noticeOf({ mail, about }: ReadMail): Promise<ReceivedMail | null> {
  if (about.ids.length === 0 || !/^\s*(?:\{|[^{]{0,200}\{)\s*"/.test(mail.text)) return null;
  const receipts = await snsNoticeIn(mail.text);
  return receipts && { kind: 'receipt', ...about, receipts, cut: 0, raw: mail.text.slice(0, KEPT_RAW) };
}

/** The mail of `List-Unsubscribe: <mailto:…?subject=unsubscribe>`, which no program's marks make anything else. Whoever records it checks its proof. */
const unsubscription = async (read: ReadMail): Promise<ReceivedMail | null> =>
  isUnsubscribeSubject(read.marked.subject) && read.about.ids.length > 0 ? lastResort(read) : null;

/** A bounce that a mail system wrote as text. What a program answered in place of a person is none, though its sender is empty. */
function bounceInText({ mail, marked, about, isToBounces, addresses }: ReadMail): ReceivedMail | null {
  const isOfSystem = isMailSystem(marked) || hasNullSender(marked) || isBounceSubject(marked.subject);
  if (about.ids.length === 0 || (!isOfSystem && !isToBounces)) return null;
  const failed = mail.header.filter(({ name }) => name === 'x-failed-recipients').flatMap(({ value }) => addressesIn(value));
  const own = new Set([...addresses, marked.from].map((address) => address.toLowerCase()));
  const given = {
    text: mail.text,
    subject: marked.subject,
    mailer: mail.field('x-mailer'),
    failed: failed.map((address) => address.toLowerCase()),
    own,
  };
  const isKnown = isTextBounce(given);
  const isAnswer = isMailSystem(marked) || failed.length > 0 || isListRefusal(mail.text) ? isNamedAnswer(marked) : isAutomaticAnswer(marked);
  if (isAnswer) return null;
  if (!isKnown && !isOfSystem) return null;
  const { receipts, cut, raw } = textBounceOf(given);
  if (receipts.length > 0) return { kind: 'receipt', ...about, receipts, cut, raw: raw.slice(0, KEPT_RAW) };
  const unknown = { kind: 'bounced', ...reasonOf('unknown'), raw_status: 'failed', code: null, recipient: null } as const;
  return { kind: 'receipt', ...about, receipts: [unknown], cut: 0, raw: raw.slice(0, KEPT_RAW) };
}

/** A mail of a person or a program. One to the address of bounces that answers nothing is for the operator to read. */
async function lastResort({ mail, marked, about, isToBounces, addresses }: ReadMail): Promise<ReceivedMail> {
  const automatic = isWrittenByMachine(marked);
  const answers = idsInHeader(`${mail.field('in-reply-to')} ${mail.field('references')}`).length > 0;
  const for_operator = isToBounces && !automatic && !answers;
  if (mail.sender === null && !for_operator) return { kind: 'none', why: 'a mail without a sender' };
  if (isMailSystem(marked) && !isToBounces) return { kind: 'none', why: 'a mail of a mail system' };
  const content = await mailContentOf(mail);
  return {
    kind: 'email',
    ids: about.ids,
    key: createHash('sha256')
      .update(content.email_message_id ?? mail.bytes)
      .digest('base64url'),
    ...content,
    from: marked.from,
    to: addressesOf(mail, 'to')[0] ?? addresses[0] ?? null,
    tokens: about.tokens,
    automatic,
    ...(for_operator && { for_operator }),
    at: about.at,
  };
}

/** Our ids: of the receiving addresses, of the returned message, and of what the mail replies to, the latest first. */
function idsOf(mail: LoadedMail, byAddress: readonly string[], returned: string): string[] {
  const ofReturned = idsInHeader(/^message-id:.*(?:\r?\n[ \t].*)*/im.exec(returned)?.[0] ?? '');
  const references = mail.field('references').split(/\s+/).reverse().join(' ');
  const inText = idsInHeader(mail.text);
  return [...new Set([...byAddress, ...ofReturned, ...idsInHeader(mail.field('in-reply-to')), ...idsInHeader(references), ...inText])].slice(
    0,
    MAX_IDS,
  );
}

/** Addresses of a header field, of structured and of plain ones. */
const addressesOf = (mail: LoadedMail, field: string): string[] =>
  mail.header.filter(({ name }) => name === field).flatMap(({ value }) => addressesIn(value));

/** The time of a mail, where its clock can be right. */
function timeOf(mail: LoadedMail, nowMs: number): string | null {
  const ms = Date.parse(mail.field('date').replace(/\([^()]*\)\s*$/, ''));
  return ms >= EARLIEST_MS && ms <= nowMs + AHEAD_MS ? new Date(ms).toISOString() : null;
}
