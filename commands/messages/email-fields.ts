/** The fields that only email has: mailboxes, copies, headers and attachments. */

import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import type { Attachment } from '../../domain/messages/content.js';
import { isInternational } from '../../domain/messages/international.js';
import { isMailbox, type Mailbox, parseMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import type { Context } from '../runtime/command.js';
import { base64Length, normalizeBase64 } from './base64.js';

/** Bytes of all attachments of a message together. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Recipients of one email, as the providers that allow the fewest count them. */
const MAX_RECIPIENTS = 50;
/** The type of a file that says nothing of itself (RFC 2046, 4.5.1). */
const UNKNOWN_TYPE = 'application/octet-stream';

export interface GivenAttachment {
  readonly filename?: string;
  readonly content_type?: string;
  readonly content?: string;
}

/** What a request has of these fields. Any may be missing or, where other parts of the request are malformed, incomplete. */
export interface EmailRequest {
  readonly from?: string;
  readonly reply_to?: string;
  readonly cc?: readonly (string | undefined)[];
  readonly bcc?: readonly (string | undefined)[];
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly attachments?: readonly (GivenAttachment | undefined)[];
}

const ONLY_EMAIL = ['cc', 'bcc', 'headers', 'attachments'] as const;

/** The fields that a message on another channel cannot have. */
export const fieldsOfEmailOnly = (request: EmailRequest, channel: string): FieldProblem[] =>
  ONLY_EMAIL.filter((field) => request[field] !== undefined).map((field) => ({
    field,
    code: 'not_for_channel',
    message: `Only email has \`${field}\`, a message on ${channel} has none.`,
  }));

/** What is wrong with the fields of an email. */
export const emailProblems = (request: EmailRequest): FieldProblem[] => [
  ...mailboxProblems('from', request.from),
  ...mailboxProblems('reply_to', request.reply_to),
  ...copyProblems(request),
  ...Object.keys(request.headers ?? {}).flatMap((name, _, names) => headerProblems(name, names)),
  ...attachmentProblems(request.attachments ?? []),
];

function mailboxProblems(field: string, text: string | undefined): FieldProblem[] {
  const read = text === undefined ? null : readMailbox(field, text);
  return read === null || isMailbox(read) ? [] : [read];
}

// Copies

function copyProblems({ cc = [], bcc = [] }: EmailRequest): FieldProblem[] {
  const received = 1 + cc.length + bcc.length;
  const many =
    received > MAX_RECIPIENTS
      ? [
          {
            field: cc.length >= bcc.length ? 'cc' : 'bcc',
            code: 'too_many_recipients',
            message: `An email has at most ${MAX_RECIPIENTS} recipients, copies included; this one has ${received}.`,
            details: { limit: MAX_RECIPIENTS, received },
          },
        ]
      : [];
  const each = Object.entries({ cc, bcc }).flatMap(([kind, texts]) => texts.flatMap((text, i) => mailboxProblems(`${kind}[${i}]`, text)));
  return [...many, ...each];
}

/** A copy that is asked for. */
export interface RequestedCopy {
  readonly kind: Copy['kind'];
  readonly recipient: Mailbox;
}

/** The copies of a valid request, without repeated recipients: carriers refuse them. */
export function copiesOf({ cc = [], bcc = [] }: EmailRequest, to: string): RequestedCopy[] {
  const seen = new Set([to]);
  const read = (kind: Copy['kind'], texts: readonly (string | undefined)[]): RequestedCopy[] =>
    texts.flatMap((text = '') => {
      const recipient = parseMailbox(text);
      if (!recipient || seen.has(recipient.address)) return [];
      seen.add(recipient.address);
      return [{ kind, recipient }];
    });
  return [...read('cc', cc), ...read('bcc', bcc)];
}

// Headers

/** Headers that a caller may set, in lower case, beside `X-*`. None of them decides who gets the mail or how it is read. */
const ALLOWED_HEADERS = new Set([
  'in-reply-to',
  'references',
  'auto-submitted',
  'precedence',
  'importance',
  'priority',
  'sensitivity',
  'organization',
  'comments',
  'keywords',
  'feedback-id',
  'list-id',
  'list-help',
  'list-archive',
  'list-owner',
]);
/** Headers that providers take as orders, also for whom a mail is sent to. */
const ORDERS = /^x-(?:smtpapi|msys-|ses-|pm-|mailgun-|mc-|mailjet-|mj-|sib-|sendgrid-|postmark-|amz-)/;
/** A name of RFC 5322, 3.6.8, and short enough for one line with the start of its value. */
const HEADER_NAME = /^[!-9;-~]{1,76}$/;

function headerProblems(name: string, names: readonly string[]): FieldProblem[] {
  const lower = name.toLowerCase();
  const field = `headers.${name}`;
  const allowed = HEADER_NAME.test(name) && (ALLOWED_HEADERS.has(lower) || (/^x-./.test(lower) && !ORDERS.test(lower)));
  if (!allowed) {
    const message = 'This header cannot be set. Use names that begin with `X-`, and those in `allowed`.';
    return [{ field, code: 'header_not_allowed', message, details: { allowed: [...ALLOWED_HEADERS] } }];
  }
  const isRepeated = names.find((other) => other.toLowerCase() === lower) !== name;
  return isRepeated ? [{ field, code: 'duplicate', message: 'Give each header once; upper and lower case are the same.' }] : [];
}

// Attachments

function attachmentProblems(attachments: readonly (GivenAttachment | undefined)[]): FieldProblem[] {
  let received = 0;
  const each = attachments.flatMap((given, i): FieldProblem[] => {
    if (given?.content === undefined) return [];
    const content = normalizeBase64(given.content);
    if (content === null) {
      return [{ field: `attachments[${i}].content`, code: 'invalid_base64', message: contentHint(given.content) }];
    }
    received += base64Length(content);
    return [];
  });
  if (received <= MAX_ATTACHMENT_BYTES) return each;
  const message = `The attachments of a message have at most ${MAX_ATTACHMENT_BYTES} bytes together, these have ${received}.`;
  return [...each, { field: 'attachments', code: 'attachments_too_large', message, details: { limit: MAX_ATTACHMENT_BYTES, received } }];
}

/** What is wrong with a text that is no Base64. */
function contentHint(content: string): string {
  if (/^\s*data:/i.test(content)) return 'Give the bytes of the file in Base64 alone: what comes after `base64,` in this data URL.';
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(content)) return 'Give the bytes of the file in Base64.';
  return 'This is a URL, and files are not fetched from one. Read the file yourself and give its bytes in Base64, or put a link into the text.';
}

/** The attachments of a valid request. */
export const attachmentsOf = ({ attachments }: EmailRequest): Attachment[] | undefined =>
  attachments?.flatMap((given) => {
    const content = normalizeBase64(given?.content ?? '') ?? '';
    return given?.filename === undefined
      ? []
      : [{ filename: given.filename, content_type: given.content_type ?? UNKNOWN_TYPE, bytes: base64Length(content), content }];
  });

interface AddressedRequest extends Pick<EmailRequest, 'from' | 'reply_to' | 'cc' | 'bcc'> {
  readonly channel?: string | undefined;
  readonly to?: string;
}

/** What is wrong with addresses that have letters such as ö before the @ (RFC 6531): a carrier of the account's emails does not take them. */
export async function internationalProblems(
  { channel, to, from, reply_to, cc = [], bcc = [] }: AddressedRequest,
  { cause, ports }: Pick<Context, 'cause' | 'ports'>,
): Promise<FieldProblem[]> {
  if (channel !== 'email' || cause.test) return [];
  const lists = Object.entries({ cc, bcc }).flatMap(([name, texts]) => texts.map((text, i) => [`${name}[${i}]`, text] as const));
  const fields = [['to', to] as const, ['from', from] as const, ['reply_to', reply_to] as const, ...lists].flatMap(([field, text]) =>
    text !== undefined && isInternational(text) && isInternational(parseMailbox(text)?.address ?? '') ? [field] : [],
  );
  if (fields.length === 0) return [];
  const carrier = await ports.messages.asciiOnlyCarrier(cause.account);
  if (carrier === null) return [];
  const message = `Letters such as ö before the @ are not supported by ${carrier}. Use another address of this person, for example joerg@example.com.`;
  return fields.map((field) => ({ field, code: 'invalid_email', message }));
}

/** Whether mail can reach an address by all carriers of the account's emails. */
export async function isMailable(address: string, channel: string, { cause, ports }: Pick<Context, 'cause' | 'ports'>): Promise<boolean> {
  return channel !== 'email' || cause.test === true || !isInternational(address) || (await ports.messages.asciiOnlyCarrier(cause.account)) === null;
}
