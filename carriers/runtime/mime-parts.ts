/**
 * The parts of a mail (RFC 2045 to 2047), found by their boundaries alone: what is in them is decoded only where somebody asks for it, so a
 * mail of any size takes the time of a search through its bytes. Nothing here throws, whatever the bytes are.
 */
import { setOwnField } from '../../domain/kernel/own-fields.js';
import { windows1252Text } from '../../domain/kernel/windows-1252.js';

/** A header field, its lines joined. `name` in lower case. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** A part that holds no further ones. A mail in a mail is one. Offsets are in bytes of the mail. */
export interface MimePart {
  /** In lower case, such as `text/plain`. */
  readonly type: string;
  readonly header: readonly HeaderLine[];
  readonly disposition: string;
  readonly encoding: string;
  readonly charset: string;
  /** Where its header begins, where its content does, and where that ends. */
  readonly headerStart: number;
  readonly start: number;
  readonly end: number;
}

export interface MimeStructure {
  readonly header: readonly HeaderLine[];
  /** Of the mail itself. */
  readonly type: string;
  readonly parts: readonly MimePart[];
}

/** Deeper multiparts are one part, and further parts are not looked at: no mail system makes such. */
const MAX_DEPTH = 16;
const MAX_PARTS = 500;
/** Bytes of a header that are read. */
const MAX_HEADER = 131_072;
const MAX_BOUNDARY = 200;

/** Finds the parts of a mail. */
export function mimeStructureOf(bytes: Buffer): MimeStructure {
  const parts: MimePart[] = [];
  const whole = entityAt(bytes, { from: 0, to: bytes.length, inDigest: false });
  collect(bytes, { entity: whole, depth: 0, parts });
  return { header: whole.header, type: whole.type, parts };
}

interface Entity extends MimePart {
  readonly boundary: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** In `multipart/digest` parts are mails unless they say otherwise. */
  readonly inDigest: boolean;
}

function entityAt(bytes: Buffer, { from, to, inDigest }: Range): Entity {
  const { headerEnd, start } = headerRange(bytes, from, to);
  const header = headerLinesOf(bytes.toString('latin1', from, Math.min(headerEnd, from + MAX_HEADER)));
  const fieldOf = (name: string): string => header.find((one) => one.name === name)?.value ?? '';
  const contentType = parametersOf(fieldOf('content-type'));
  return {
    type: contentType.value.includes('/') ? contentType.value : inDigest ? 'message/rfc822' : 'text/plain',
    header,
    disposition: parametersOf(fieldOf('content-disposition')).value,
    encoding: parametersOf(fieldOf('content-transfer-encoding')).value,
    charset: contentType.parameters.charset ?? '',
    boundary: contentType.parameters.boundary ?? '',
    headerStart: from,
    start,
    end: to,
  };
}

function collect(bytes: Buffer, { entity, depth, parts }: { entity: Entity; depth: number; parts: MimePart[] }): void {
  if (parts.length >= MAX_PARTS) return;
  const { type } = entity;
  const ranges = type.startsWith('multipart/') && depth < MAX_DEPTH ? partRanges(bytes, entity) : [];
  if (ranges.length === 0) {
    const { boundary: _, ...part } = entity;
    // What a broken multipart has is at least a text.
    parts.push(type.startsWith('multipart/') ? { ...part, type: 'text/plain' } : part);
    return;
  }
  // Some systems write what they have to say before the first part.
  const preamble = { ...plainPart(entity), end: ranges[0]?.before ?? entity.start };
  if (depth === 0 && preamble.end - preamble.start > MIME_REMARK) parts.push(preamble);
  for (const { from, to } of ranges) {
    const inner = entityAt(bytes, { from, to, inDigest: type === 'multipart/digest' });
    collect(bytes, { entity: inner, depth: depth + 1, parts });
  }
}

/** Bytes of "This is a multi-part message in MIME format." and the like. */
const MIME_REMARK = 100;
const plainPart = ({ boundary: _, ...entity }: Entity): MimePart => ({ ...entity, type: 'text/plain', encoding: '', charset: '', header: [] });

interface PartRange {
  /** Where the boundary before it begins. */
  readonly before: number;
  readonly from: number;
  readonly to: number;
}

/** The parts of a multipart: by its boundary, or else by the first line that looks like one before a header. */
function partRanges(bytes: Buffer, entity: Entity): PartRange[] {
  const { boundary, start, end } = entity;
  const named = boundary !== '' && boundary.length <= MAX_BOUNDARY ? rangesBetween(bytes, entity) : [];
  if (named.length > 0) return named;
  const beginning = bytes.toString('latin1', start, Math.min(end, start + MAX_PREAMBLE));
  const found = /^--([^\r\n]{1,200}?)[ \t]*\r?\ncontent-[a-z-]+:/im.exec(beginning)?.[1];
  return found === undefined ? [] : rangesBetween(bytes, { start, end, boundary: found });
}
/** Bytes in which the first boundary is looked for, where the header names none that occurs. */
const MAX_PREAMBLE = 8_192;

/** What stands between the lines of a boundary. A mail that was cut has no last one. */
function rangesBetween(bytes: Buffer, { start, end, boundary }: Pick<Entity, 'start' | 'end' | 'boundary'>): PartRange[] {
  const line = Buffer.from(`--${boundary}`, 'latin1');
  const found: PartRange[] = [];
  let at = delimiterFrom(bytes, line, { from: start, to: end });
  while (at >= 0 && found.length < MAX_PARTS) {
    const after = at + line.length;
    if (bytes[after] === DASH && bytes[after + 1] === DASH) break;
    const lineEnd = bytes.indexOf(LF, after);
    const from = lineEnd < 0 || lineEnd >= end ? end : lineEnd + 1;
    const next = delimiterFrom(bytes, line, { from, to: end });
    const to = next < 0 ? end : Math.max(from, withoutLineBreak(bytes, next));
    found.push({ before: at, from, to });
    at = next;
  }
  return found;
}

const [LF, CR, DASH] = [10, 13, 45];

/** The next place where a line begins with these bytes and has nothing else but dashes and blanks; -1 for none. */
function delimiterFrom(bytes: Buffer, line: Buffer, { from, to }: { from: number; to: number }): number {
  for (let at = bytes.indexOf(line, from); at >= 0 && at < to; at = bytes.indexOf(line, at + 1)) {
    if (at !== from && bytes[at - 1] !== LF) continue;
    const next = bytes[at + line.length];
    if (next === undefined || next === LF || next === CR || next === DASH || next === 32 || next === 9) return at;
  }
  return -1;
}

/** The line break before a boundary belongs to it. */
const withoutLineBreak = (bytes: Buffer, at: number): number => (bytes[at - 1] === LF ? (bytes[at - 2] === CR ? at - 2 : at - 1) : at);

function headerRange(bytes: Buffer, from: number, to: number): { headerEnd: number; start: number } {
  // A part without a header begins with the empty line.
  if (bytes[from] === LF) return { headerEnd: from, start: Math.min(to, from + 1) };
  if (bytes[from] === CR && bytes[from + 1] === LF) return { headerEnd: from, start: Math.min(to, from + 2) };
  const empty = [Buffer.from('\n\r\n'), Buffer.from('\n\n')]
    .map((mark) => ({ at: bytes.subarray(from, Math.min(to, from + MAX_HEADER)).indexOf(mark), length: mark.length }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return empty ? { headerEnd: from + empty.at, start: from + empty.at + empty.length } : { headerEnd: to, start: to };
}

/** The fields of a header, as many as are read. Lines that go on are joined by a blank. */
export function headerLinesOf(header: string): HeaderLine[] {
  return (
    header
      .replace(/\r\n?/g, '\n')
      .replace(/\n[ \t]+/g, ' ')
      // A parameter on a line of its own that is not marked as one that goes on.
      .replace(/;[ \t]*\n(?=[a-z-]{1,40}=)/gi, '; ')
      .split('\n', MAX_LINES)
      .flatMap((line) => {
        const colon = line.indexOf(':');
        const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
        return name === '' || /\s/.test(name) ? [] : [{ name, value: line.slice(colon + 1).trim() }];
      })
  );
}
const MAX_LINES = 2_000;

interface StructuredValue {
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Characters of a structured field that are read: the expression below is not made for longer ones. */
const MAX_STRUCTURED = 2_000;

/** `text/plain; charset="utf-8"`: the value in lower case, and its parameters. */
function parametersOf(field: string): StructuredValue {
  const [value = '', ...rest] = field.slice(0, MAX_STRUCTURED).split(';');
  const parameters: Record<string, string> = Object.create(null);
  for (const [, name = '', quoted, plain] of rest.join(';').matchAll(/([a-z0-9*-]{1,40})[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;]+))/gi))
    setOwnField(parameters, name.toLowerCase(), quoted ?? plain ?? '');
  return { value: (value.trim().toLowerCase().split(/\s/, 1)[0] ?? '').replace(/^"|"$/g, ''), parameters };
}

/** The text of a part, of at most so many of its bytes. Bytes that are no characters become U+FFFD. */
export function textOfPart(bytes: Buffer, { start, end, encoding, charset }: MimePart, maxBytes: number): string {
  return decodedText(contentOf(bytes.subarray(start, end), encoding, maxBytes), charset);
}

function contentOf(content: Buffer, encoding: string, maxBytes: number): Buffer {
  switch (encoding) {
    case 'base64':
      return Buffer.from(content.toString('latin1', 0, Math.ceil(maxBytes * BASE64_LENGTH)), 'base64').subarray(0, maxBytes);
    case 'quoted-printable':
      return quotedPrintable(content.toString('latin1', 0, maxBytes));
    default:
      return content.subarray(0, maxBytes);
  }
}
/** Of base64 with its line breaks, by the length of its content. */
const BASE64_LENGTH = 1.4;

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=[ \t]*\r?\n/g, '').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Bytes as characters. A charset that nobody knows is UTF-8, or Latin-1 where the bytes are none. */
export function decodedText(bytes: Buffer, charset: string): string {
  const named = charset.trim().toLowerCase();
  for (const [label, fatal] of [[named, false] as const, ['utf-8', true] as const]) {
    if (label === '' || label === 'us-ascii') continue;
    try {
      const decoder = new TextDecoder(label, { fatal });
      return decoder.encoding === 'windows-1252' ? windows1252Text(bytes.toString('latin1')) : decoder.decode(bytes);
    } catch {
      // Unknown, or no UTF-8.
    }
  }
  return bytes.toString('latin1');
}

const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\s]{0,1000})\?=(?:\s+(?==\?))?/gi;

/** A header field with its encoded words (RFC 2047) decoded. */
export function decodedWords(value: string): string {
  return value.replace(WORD, (_, charset: string, kind: string, text: string) => {
    const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quotedPrintable(text.replaceAll('_', ' '));
    return decodedText(bytes, charset.split('*', 1)[0] ?? '');
  });
}
