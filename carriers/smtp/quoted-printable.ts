/** How texts are written into mail: in lines of at most 76 ASCII characters, which end with CR LF (RFC 2045, 6). */

/** Of a text in a mail. */
export type TransferEncoding = '7bit' | 'quoted-printable' | 'base64';

/** Characters of a line (RFC 2045, 6.7 and 6.8). */
const MAX_LINE = 76;
const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');
/** 1 for bytes that quoted-printable writes as they are. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => Number((byte >= SPACE && byte <= 126 && byte !== EQUALS) || byte === TAB));

const NOT_PLAIN = /[^\t\n\r\x20-\x7f]/;
const LONG_LINE = /^.{77}/m;
/** Characters; longer texts are encoded without a look at their lines. */
const MAX_SEEN = 131_072;

/** The encoding that keeps a text readable, where it is readable without one. */
export function transferEncodingOf(text: string): TransferEncoding {
  const isPlain = !NOT_PLAIN.test(text);
  if (isPlain && text.length <= MAX_SEEN && !LONG_LINE.test(text)) return '7bit';
  if (isPlain) return /[A-Za-z]/.test(text) ? 'quoted-printable' : 'base64';
  let others = 0;
  let letters = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) others += 1;
    else if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) letters += 1;
    else if (code < SPACE && code !== TAB && code !== LF && code !== CR) others += 1;
  }
  return others < letters ? 'quoted-printable' : 'base64';
}

/** Bytes of UTF-8 as quoted-printable, from `at` on; `to` has room for `quotedPrintableRoom`. Returns where it ends. */
export function writeQuotedPrintable(bytes: Buffer, to: Buffer, at: number): number {
  let end = at;
  let column = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === LF || byte === CR) {
      if (byte === CR && bytes[i + 1] === LF) i += 1;
      to[end++] = CR;
      to[end++] = LF;
      column = 0;
      continue;
    }
    const isPlain = PLAIN[byte] === 1 && !((byte === SPACE || byte === TAB) && endsLine(bytes[i + 1]));
    // The bytes of a character stay in one line.
    if (column + (isPlain ? 1 : 3 * bytesOf(byte)) >= MAX_LINE) {
      to[end++] = EQUALS;
      to[end++] = CR;
      to[end++] = LF;
      column = 0;
    }
    if (isPlain) {
      to[end++] = byte;
      column += 1;
      continue;
    }
    to[end++] = EQUALS;
    to[end++] = HEX[byte >> 4] as number;
    to[end++] = HEX[byte & 15] as number;
    column += 3;
  }
  return end;
}

/** What so many bytes take at most: three characters each, and a line break every 64. */
export const quotedPrintableRoom = (bytes: number): number => bytes * 3 + Math.ceil((bytes * 3) / 64) * 3;

const endsLine = (next: number | undefined): boolean => next === undefined || next === LF || next === CR;
/** Of the character that begins with this byte; 1 within a character. */
const bytesOf = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);

/** Base64 in lines. */
export const base64Lines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');

/** A text with the line breaks of mail. */
export const withMailLines = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');
