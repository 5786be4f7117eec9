import type { AddressObject, ParsedMail } from 'mailparser';
import { type IncomingEmail, isAutomatic, type UnreadableElement, unreadable } from './incoming.js';

/** Characters. Longer ones are no mailbox, and the expressions below take quadratic time. */
const MAX_MAILBOX = 1_000;

/** A mailbox as a header writes it: `Ada <ada@example.com>` or the address alone; null where there is no address. */
export function mailboxOf(text: string): { readonly address: string; readonly name: string | null } | null {
  if (text.length > MAX_MAILBOX) return null;
  const named = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text);
  if (named) return { address: named[2] as string, name: named[1] || null };
  const address = /^\s*([^<>\s,;]+@[^<>\s,;]+)\s*$/.exec(text)?.[1];
  return address === undefined ? null : { address, name: null };
}

/** A parsed email as an incoming one. `envelope`: the addresses that received it, if they are known. */
export function emailOfMime(mail: ParsedMail, carrier: string, envelope: readonly string[]): IncomingEmail | UnreadableElement {
  const from = mail.from?.value[0];
  if (!from?.address) return unreadable('no sender');
  const references = [mail.inReplyTo ?? '', ...[mail.references ?? []].flat()].join(' ');
  const headers = mail.headerLines.map(({ key, line }) => ({ name: key, value: line.slice(line.indexOf(':') + 1).trim() }));
  return {
    kind: 'email',
    carrier,
    carrier_message_id: mail.messageId ?? null,
    from: from.address,
    from_name: from.name || null,
    to: envelope.length > 0 ? envelope : addressesOf(mail.to),
    subject: mail.subject ?? null,
    text: mail.text ?? '',
    html: mail.html || null,
    attachments: mail.attachments.map(({ filename, contentType, size }) => ({ filename: filename ?? null, content_type: contentType, size })),
    email_message_id: mail.messageId ?? null,
    references,
    token: null,
    automatic: isAutomatic(headers),
    at: mail.date?.toISOString() ?? null,
  };
}

const addressesOf = (to: AddressObject | AddressObject[] | undefined): string[] =>
  [to ?? []].flat().flatMap(({ value }) => value.flatMap(({ address }) => address ?? []));
