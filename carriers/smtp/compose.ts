/** Mail as the bytes that a server takes (RFC 5322, RFC 2045, RFC 2046). */
import { createHash } from 'node:crypto';
import NodemailerComposer from 'nodemailer/lib/mail-composer';
import type { MailAddress } from '../runtime/email.js';
import type { SignMail } from './dkim.js';
import { folded, HeaderLines } from './header-lines.js';
import {
  base64Lines,
  quotedPrintableRoom,
  type TransferEncoding,
  transferEncodingOf,
  withMailLines,
  writeQuotedPrintable,
} from './quoted-printable.js';

/** What a mail says. */
export interface Mail {
  /** Of the message: what is made up for the mail follows from it, so that it is the same at every dispatch. */
  readonly id: string;
  /** With its domain, without angle brackets. */
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly date: number;
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly cc: readonly MailAddress[];
  /** As a header writes it. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Further fields of the header. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Contents in Base64. */
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly content: string }[];
}

const TYPES = { text: 'text/plain; charset=utf-8', html: 'text/html; charset=utf-8' } as const;
const EMPTY_LINE = '\r\n\r\n';

/** Writes mails, and signs them where there is somebody who does. */
export class Composer {
  readonly #header = new HeaderLines();
  readonly #body = new BodyWriter();

  constructor(private readonly sign: SignMail | null) {}

  /** Header and text of a mail, in lines that end with CR LF. Only with addresses that are not ASCII it has other bytes than ASCII. */
  async compose(mail: Mail): Promise<Buffer> {
    const isRare = mail.attachments.length > 0 || (mail.text === '' && mail.html === '');
    const { fields, text: shared } = isRare ? await this.#composeRare(mail) : this.#composed(mail);
    // Another mail may be composed while this one is signed.
    const text = this.sign ? Buffer.from(shared) : shared;
    const signature = this.sign ? [await this.sign(fields, text)] : [];
    const header = [...signature, ...fields].join('\r\n') + EMPTY_LINE;
    const bytes = Buffer.allocUnsafe(Buffer.byteLength(header) + text.length);
    text.copy(bytes, bytes.write(header));
    return bytes;
  }

  #composed(mail: Mail): Written {
    this.#body.begin();
    const single = mail.html === '' ? 'text' : mail.text === '' ? 'html' : null;
    if (single !== null) {
      const encoding = transferEncodingOf(mail[single]);
      this.#body.encoded(mail[single], encoding);
      this.#body.endLine();
      const fields = [...this.#fieldsOf(mail), `Content-Transfer-Encoding: ${encoding}`, 'MIME-Version: 1.0', `Content-Type: ${TYPES[single]}`];
      return { fields, text: this.#body.take() };
    }
    const boundary = `--_NmP-${boundaryBase(mail.id)}-Part_1`;
    for (const part of ['text', 'html'] as const) {
      const encoding = transferEncodingOf(mail[part]);
      this.#body.ascii(`--${boundary}\r\nContent-Type: ${TYPES[part]}\r\nContent-Transfer-Encoding: ${encoding}${EMPTY_LINE}`);
      this.#body.encoded(mail[part], encoding);
      this.#body.ascii('\r\n');
    }
    this.#body.ascii(`--${boundary}--\r\n`);
    const fields = [...this.#fieldsOf(mail), 'MIME-Version: 1.0', `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`];
    return { fields, text: this.#body.take() };
  }

  #fieldsOf({ headers, from, to, cc, replyTo, subject, messageId, date }: Mail): string[] {
    const header = this.#header;
    return [
      ...headers.map(([name, value]) => header.field(name, value)),
      header.addresses('From', [from]),
      header.addresses('To', [to]),
      ...(cc.length > 0 ? [header.addresses('Cc', cc)] : []),
      ...(replyTo === null ? [] : [header.field('Reply-To', replyTo)]),
      header.field('Subject', subject),
      folded(`Message-ID: <${messageId}>`),
      `Date: ${new Date(date).toUTCString().replace('GMT', '+0000')}`,
    ].filter((field) => field !== '');
  }

  /** Attachments, and mails without any text: nodemailer writes all but the header that does not tell of them. */
  async #composeRare(mail: Mail): Promise<Written> {
    const { id, messageId, text, html, attachments } = mail;
    const bytes = await new NodemailerComposer({
      ...{ messageId: `<${messageId}>`, baseBoundary: boundaryBase(id), text, html },
      attachments: attachments.map((one) => ({ ...one, encoding: 'base64' })),
      ...{ disableFileAccess: true, disableUrlAccess: true },
    })
      .compile()
      .build();
    const whole = withMailLines(bytes.toString('latin1'));
    const end = whole.indexOf(EMPTY_LINE);
    const ofContent = whole
      .slice(0, end)
      .split(/\r\n(?![ \t])/)
      .filter((field) => /^(?:content-|mime-)/i.test(field));
    return { fields: [...this.#fieldsOf(mail), ...ofContent], text: Buffer.from(whole.slice(end + EMPTY_LINE.length), 'latin1') };
  }
}

/** The same for a message at every dispatch. */
const boundaryBase = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

interface Written {
  readonly fields: readonly string[];
  readonly text: Buffer;
}

/** Bytes that a writer keeps between mails, and with which it begins. */
const [KEPT, FIRST] = [65_536, 4_096];

/** Puts the text of a mail together. Its memory is that of one mail after the other. */
class BodyWriter {
  #text = Buffer.allocUnsafeSlow(FIRST);
  #end = 0;
  #source = Buffer.allocUnsafeSlow(FIRST);

  begin(): void {
    this.#end = 0;
  }

  ascii(text: string): void {
    this.#reserve(text.length);
    this.#end += this.#text.write(text, this.#end, 'latin1');
  }

  encoded(text: string, encoding: TransferEncoding): void {
    if (encoding === 'quoted-printable') this.#quotedPrintable(text);
    else this.ascii(encoding === '7bit' ? withMailLines(text) : base64Lines(Buffer.from(text)));
  }

  #quotedPrintable(text: string): void {
    if (text.length * 3 > this.#source.length) this.#source = Buffer.allocUnsafeSlow(text.length * 3);
    const bytes = this.#source.subarray(0, this.#source.write(text));
    this.#reserve(quotedPrintableRoom(bytes.length));
    this.#end = writeQuotedPrintable(bytes, this.#text, this.#end);
  }

  endLine(): void {
    if (this.#text[this.#end - 1] !== 10) this.ascii('\r\n');
  }

  /** What was written since the beginning. It lasts until the next one. */
  take(): Buffer {
    const text = this.#text.subarray(0, this.#end);
    if (this.#text.length > KEPT) this.#text = Buffer.allocUnsafeSlow(FIRST);
    if (this.#source.length > KEPT) this.#source = Buffer.allocUnsafeSlow(FIRST);
    return text;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#text.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#end + length, this.#text.length * 2));
    this.#text.copy(larger, 0, 0, this.#end);
    this.#text = larger;
  }
}
