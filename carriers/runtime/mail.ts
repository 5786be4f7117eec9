/** A mail as far as it is read: its header, its reports, and the beginning of its texts. Attachments are passed over. */
import { simpleParser } from 'mailparser';
import type { IncomingFile } from '../../domain/webhooks/incoming.js';
import { mailboxOf } from './mailbox.js';
import { decodedWords, type HeaderLine, type MimePart, mimeStructureOf, textOfPart } from './mime-parts.js';

/** Bytes of the texts and reports of a mail that are read, all in all. */
export const MAX_READ = 524_288;
/** Bytes of a returned message that are read: its header is in them. */
const MAX_RETURNED = 65_536;
/** The types of a returned message, or of its header, in the spellings that occur. */
const RETURNED_TYPES = /^(?:message\/(?:rfc-?822(?:-headers?)?|global(?:-headers)?|news)|text\/rfc-?822(?:-headers?)?)$/;

export interface LoadedMail {
  readonly bytes: Buffer;
  readonly header: readonly HeaderLine[];
  /** The same, with the fields of all parts that name their type. */
  readonly markedHeader: readonly HeaderLine[];
  readonly parts: readonly MimePart[];
  readonly types: readonly string[];
  readonly subject: string;
  readonly sender: { readonly address: string; readonly name: string | null } | null;
  /** The texts that are no attachments, or else the words of the HTML. */
  readonly text: string;
  /** The first field of this name; empty without one. */
  field(name: string): string;
  /** The beginning of the returned message, with its header; empty without one. */
  returned(): string;
  partTexts(type: RegExp): readonly string[];
}

/** Loads a mail. Takes the time of a search through its bytes, and that of decoding what is read. */
export function loadMail(bytes: Buffer): LoadedMail {
  const { header, parts, type } = mimeStructureOf(bytes);
  const field = (name: string): string => header.find((one) => one.name === name)?.value ?? '';
  let left = MAX_READ;
  const read = (part: MimePart, most = left): string => {
    const text = textOfPart(bytes, part, Math.min(left, most));
    left -= Math.min(left, most, part.end - part.start);
    return text;
  };
  const partTexts = (wanted: RegExp): string[] => parts.filter((part) => wanted.test(part.type)).map((part) => read(part));
  const inMultipart = parts.filter((part) => part.headerStart > 0).flatMap((part) => part.header.filter(({ name }) => name === 'content-type'));
  return {
    bytes,
    header,
    markedHeader: [...header, ...inMultipart],
    parts,
    types: [type, ...parts.map((part) => part.type)],
    subject: decodedWords(field('subject')),
    sender: senderOf(field('from')) ?? senderOf(field('sender')),
    text: textOf(parts, read),
    field,
    returned() {
      const part = parts.find((one) => RETURNED_TYPES.test(one.type));
      return part ? read(part, MAX_RETURNED) : '';
    },
    partTexts,
  };
}

const isText = ({ type, disposition }: MimePart, subtype: string): boolean => type === `text/${subtype}` && disposition !== 'attachment';

function textOf(parts: readonly MimePart[], read: (part: MimePart) => string): string {
  const plain = parts
    .filter((part) => isText(part, 'plain'))
    .map((part) => read(part))
    .join('\n');
  return plain.trim() !== ''
    ? plain
    : parts
        .filter((part) => isText(part, 'html'))
        .map((part) => wordsOfHtml(read(part)))
        .join('\n');
}

/** The words of an HTML, in lines as its blocks make them. Enough to look for phrases in. */
export const wordsOfHtml = (html: string): string =>
  html
    .replace(/<(style|script|title)\b[\s\S]{0,65536}?<\/\1>/gi, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/h\d|\/li|\/td)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<[a-z/!][^<>]{0,2000}>/gi, ' ')
    .replace(/&nbsp;/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&#0?39;|&apos;/gi, "'")
    .replace(/&#64;/g, '@')
    .replace(/&amp;/gi, '&');

/** `Ada <ada@example.com>`, also where a mail system writes no domain, or a comment behind the address. */
function senderOf(value: string): LoadedMail['sender'] {
  const decoded = decodedWords(value.slice(0, MAX_SENDER));
  const box = mailboxOf(decoded.replace(/\([^()]*\)\s*$/, ''));
  if (box) return { ...box, name: box.name ?? /\(([^()]*)\)\s*$/.exec(decoded)?.[1] ?? null };
  const address = /([^\s<>"(),;]+@[^\s<>"(),;]+)/.exec(decoded)?.[1] ?? /^"?([a-z][\w.-]*)"?(?:\s|$)/i.exec(decoded.trim())?.[1];
  return address === undefined
    ? null
    : {
        address,
        name:
          decoded
            .replace(/<[^<>]*>/, '')
            .replaceAll('"', '')
            .trim() || null,
      };
}
const MAX_SENDER = 1_000;

/** What is recorded of a mail from a person. */
export interface MailContent {
  readonly from_name: string | null;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly IncomingFile[];
  readonly email_message_id: string | null;
}

/** The content of a mail, of which the parser sees no attachments: their sizes are those of their parts. */
export async function mailContentOf(mail: Pick<LoadedMail, 'bytes' | 'parts'>): Promise<MailContent> {
  const parsed = await simpleParser(withoutAttachments(mail), { skipImageLinks: true, skipTextToHtml: true });
  return {
    from_name: parsed.from?.value[0]?.name || null,
    subject: parsed.subject ?? null,
    text: parsed.text ?? '',
    html: parsed.html || null,
    attachments: parsed.attachments.map(({ filename, contentType, headers, size }) => {
      const declared = Number(headers.get(SIZE_FIELD));
      return { filename: filename ?? null, content_type: contentType, size: Number.isSafeInteger(declared) ? declared : (size ?? 0) };
    }),
    email_message_id: parsed.messageId ?? null,
  };
}

/** Carries the size of an attachment whose bytes the parser does not get. */
const SIZE_FIELD = 'x-heliograph-size';

/** The mail with texts of at most `MAX_READ` bytes, and with the header alone of everything else. */
export function withoutAttachments({ bytes, parts }: Pick<LoadedMail, 'bytes' | 'parts'>): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  let left = MAX_READ;
  for (const part of [...parts].sort((a, b) => a.headerStart - b.headerStart)) {
    if (part.headerStart < at) continue;
    const length = part.end - part.start;
    const kept = isText(part, 'plain') || isText(part, 'html') ? Math.min(length, left) : 0;
    if (kept === length) continue;
    left -= kept;
    pieces.push(bytes.subarray(at, part.headerStart));
    if (kept === 0 && part.headerStart > 0) pieces.push(Buffer.from(`${SIZE_FIELD}: ${decodedSize(part)}\r\n`));
    pieces.push(bytes.subarray(part.headerStart, part.start + kept));
    at = part.end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

const decodedSize = ({ encoding, start, end }: MimePart): number =>
  encoding === 'base64' ? Math.floor(((end - start) * BASE64_CONTENT) / BASE64_LINE) : end - start;
/** A line of base64 with its line break, in bytes, and what it encodes. */
const BASE64_LINE = 78;
const BASE64_CONTENT = 57;
