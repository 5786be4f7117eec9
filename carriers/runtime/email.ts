import type { Attachment } from '../../domain/messages/content.js';
import type { OutgoingMessage } from './carrier.js';
import { mailboxOf } from './mailbox.js';

export interface MailAddress {
  readonly address: string;
  readonly name: string | null;
}

/** An email as carriers over HTTP take it. */
export interface Email {
  readonly from: MailAddress;
  readonly to: MailAddress;
  /** Each address once in `to`, `cc` and `bcc` together. */
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly replyTo: string | null;
  readonly subject: string;
  /** One of the two is not empty. */
  readonly text: string;
  readonly html: string | null;
  /** Without those that a carrier makes itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly (Attachment & { readonly content: string })[];
  /** `<msg_…@example.com>`, by which replies are found. */
  readonly messageId: string;
}

/** Carriers write these themselves, and refuse or duplicate those of a caller. */
const OWN_HEADERS =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|return-path|received|x-sg-id|x-sg-eid)$/i;

/** The sender of a message, or that of the settings, which may have a name, too; null without any. */
export function senderOf({ from, content }: Pick<OutgoingMessage, 'from' | 'content'>, defaultFrom: string | undefined): MailAddress | null {
  if (from) return { address: from, name: content.from_name ?? null };
  const own = mailboxOf(defaultFrom ?? '');
  return own && { address: own.address, name: content.from_name ?? (own.name?.trim() || null) };
}

/** The email of a message; null without a sender. */
export function emailOf(message: OutgoingMessage, defaultFrom: string | undefined): Email | null {
  const { content } = message;
  const sender = senderOf(message, defaultFrom);
  if (!sender) return null;
  const from = sender.address;
  const seen = new Set([message.to.toLowerCase()]);
  const unseen = ({ address }: MailAddress) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase());
  return {
    from: sender,
    to: { address: message.to, name: content.to_name ?? null },
    cc: (message.cc ?? []).filter(unseen),
    bcc: (message.bcc ?? []).filter(unseen),
    replyTo: content.reply_to ?? null,
    subject: content.subject ?? '',
    text: content.message,
    html: content.html ?? null,
    headers: Object.entries(message.headers ?? {}).filter(([name]) => !OWN_HEADERS.test(name)),
    attachments: (content.attachments ?? []).map((one) => ({ ...one, content: one.content ?? '' })),
    messageId: `<${message.message_id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  };
}

/** `"Ada Lovelace" <ada@example.com>` (RFC 5322); a name beyond ASCII stays as it is. */
export const quoted = ({ address, name }: MailAddress): string => (name ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : address);

/** The same, a name beyond ASCII as encoded words (RFC 2047) of at most 75 characters. */
export function encoded({ address, name }: MailAddress): string {
  if (!name || /^[\x20-\x7e]*$/.test(name)) return quoted({ address, name });
  const words: string[] = [];
  let word = '';
  for (const character of name) {
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return `${[...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')} <${address}>`;
}
