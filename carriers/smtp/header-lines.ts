/** The fields of a mail's header (RFC 5322, RFC 2047). What is out of the ordinary is written by nodemailer, and then known for a while. */
import { LRUCache } from 'lru-cache';
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import type { MailAddress } from '../runtime/email.js';

/** Fields and names of fields that are kept, the last used ones. */
const KEPT = 50;
/** Characters of a line that are folded (RFC 5322, 2.1.1), and the most that a server takes. */
const LINE = 76;
const MAX_LINE = 998;
/** Of an encoded word. */
const WORD = 52;

/** Fields whose value is no plain text. */
const STRUCTURED = /^(?:from|sender|to|cc|bcc|reply-to|message-id|in-reply-to|references|content-.*|date|otp-token)$/i;
/** Fields of which any part may be encoded. */
const PLAIN_TEXT = /^(?:subject|comments|keywords|organization|x-.*)$/i;
/** What makes a line too long. */
const UNFOLDED = /[^ ]{900}/;
const TO_ENCODE = /[^\t\x20\x21\x23-\x7e]/;
/** An address that is written as it is, in a header and to a server. */
const ORDINARY_ADDRESS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?:\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*@(?!.*(?:xn--))(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** An address as it is written to a server: its domain in lower case and in punycode. */
export function envelopeAddress(address: string): string {
  if (ORDINARY_ADDRESS.test(address)) return address;
  return new MimeNode(false).setEnvelope({ to: [{ address }] }).getEnvelope().to[0] ?? '';
}

/** Writes lines of headers. */
export class HeaderLines {
  readonly #names = new LRUCache<string, string>({ max: KEPT });
  readonly #lines = new LRUCache<string, string>({ max: KEPT });

  /** A field with a text. Its name gets the case that is usual. Empty where the text is. */
  field(name: string, text: string): string {
    if (STRUCTURED.test(name) || text.includes('=?') || text.trim() === '') return this.#known(`${name}:${text}`, () => written(name, text));
    if (!TO_ENCODE.test(text) && name.length + text.length < MAX_LINE - 2) return folded(`${this.#nameOf(name)}: ${text}`);
    return this.#known(`${name}:${text}`, () => this.#encoded(name, text));
  }

  /** A field with addresses. */
  addresses(name: string, addresses: readonly MailAddress[]): string {
    return folded(`${name}: ${addresses.map(mailbox).join(', ')}`);
  }

  #encoded(name: string, text: string): string {
    const plain = folded(`${this.#nameOf(name)}: ${text}`);
    const isTooLong = PLAIN_TEXT.test(name) && plain.split('\r\n').some((line) => line.length > MAX_LINE);
    if (!isTooLong && !TO_ENCODE.test(text)) return plain;
    return folded(`${this.#nameOf(name)}: ${encodeWord(text.replace(/\r\n?|\n/g, ' '), wordEncoding(text), WORD)}`);
  }

  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const usual = written(name, 'x').split(':', 1)[0] ?? name;
    this.#names.set(name, usual);
    return usual;
  }

  #known(key: string, write: () => string): string {
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const line = write();
    this.#lines.set(key, line);
    return line;
  }
}

/** A field as nodemailer writes it. A node below another one has only the fields that it is given. */
const written = (name: string, value: string): string => new MimeNode(false, { rootNode: new MimeNode(false) }).addHeader(name, value).buildHeaders();

/** A field in lines, as long as it has blanks where they may be cut. */
export const folded = (line: string): string => (line.length < LINE ? line : foldLines(line, LINE));

function mailbox({ address, name }: MailAddress): string {
  // In brackets where it needs them.
  const alone = ORDINARY_ADDRESS.test(address) ? address : MimeNode.encodeHeaderValue('To', { address });
  if (!name) return alone;
  const bracketed = alone.startsWith('<') ? alone : `<${alone}>`;
  if (!/^[\x20-\x7e]*$/.test(name) || UNFOLDED.test(name)) return `${encodeWord(name, wordEncoding(name), WORD)} ${bracketed}`;
  return `${/^[\w ]*$/.test(name) ? name : quoteString(name)} ${bracketed}`;
}

/** The encoding that leaves more of a text readable. */
function wordEncoding(text: string): 'Q' | 'B' {
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  const others = text.match(/[^\t\n\r\x20-\x7f]/g)?.length ?? 0;
  return others < letters ? 'Q' : 'B';
}
