import addressparser from 'nodemailer/lib/addressparser';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { normalizeEmail } from '../contacts/addresses.js';
import { EMAIL_HINT, emailHint } from '../contacts/parse-address.js';

/** An email address, normalized, with the name of its owner if it was given. */
export interface Mailbox {
  readonly address: string;
  readonly name: string | null;
}

export const MAILBOX_HINT = 'Use an email address, alone or after a name: ada@example.com or Ada Lovelace <ada@example.com>.';

/** UTF-16 units of a name. */
export const MAX_MAILBOX_NAME = 200;
/** Control characters and line separators: they could end the header that holds the name. */
const BREAKING = /[\p{Cc}\u2028\u2029]/u;
/** Characters that a bare address does not have. */
const MARKS = /[<>"(),:;]/;
/** The address, where the text is a name and an address in angle brackets, or an address and a comment (RFC 5322, 3.4). */
const NAMED = /<([^<>]*)>$/;
const COMMENTED = /^([^\s"()<>]+)\s*\([^()]*\)$/;
/** Characters of a name that needs no quotes: those of atoms, letters of other scripts, and spaces. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u;

/** Reads one mailbox: `ada@example.com` or `Ada Lovelace <ada@example.com>`. Null for anything else, such as two of them or a group. */
export function parseMailbox(text: string): Mailbox | null {
  const trimmed = text.trim();
  if (BREAKING.test(trimmed)) return null;
  if (!MARKS.test(trimmed)) return mailboxOf(trimmed, '');
  const written = (NAMED.exec(trimmed) ?? COMMENTED.exec(trimmed))?.[1];
  if (written === undefined) return null;
  const [only, ...others] = addressparser(trimmed);
  if (!only || others.length > 0 || !('address' in only) || only.address === undefined) return null;
  const mailbox = mailboxOf(only.address, only.name);
  // The parser is lenient; the address must be the one that stands in the brackets.
  return mailbox && mailbox.address === normalizeEmail(written) ? mailbox : null;
}

function mailboxOf(address: string, given: string): Mailbox | null {
  const normalized = normalizeEmail(address);
  const name = given.trim();
  if (normalized === null || name.length > MAX_MAILBOX_NAME) return null;
  return { address: normalized, name: name === '' || name.toLowerCase() === normalized ? null : name };
}

/** The mailbox as it stands in a header. `parseMailbox` reads it as the same mailbox. */
export function formatMailbox({ address, name }: Mailbox): string {
  if (name === null) return address;
  return `${PLAIN_NAME.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`} <${address}>`;
}

/** The mailbox, or the problem of the field. */
export const readMailbox = (field: string, text: string): Mailbox | FieldProblem =>
  parseMailbox(text) ?? { field, code: 'invalid_email', message: mailboxHint(text) };

/** Where a bare address has characters that are not supported, that is said. */
function mailboxHint(text: string): string {
  if (text.includes('<') || text.trim().startsWith('"')) return MAILBOX_HINT;
  const hint = emailHint(text);
  return hint === EMAIL_HINT ? MAILBOX_HINT : hint;
}

export const isMailbox = (read: Mailbox | FieldProblem): read is Mailbox => 'address' in read;

/** The domain of a sender, also of one whose name is a template: in lower case and punycode. Null where its address is none. */
export function domainOfSender(text: string): string | null {
  const address = normalizeEmail(/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text);
  return address === null ? null : address.slice(address.lastIndexOf('@') + 1);
}
