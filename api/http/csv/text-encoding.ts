import { isUtf8 } from 'node:buffer';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { windows1252Text } from '../../../domain/kernel/windows-1252.js';

/** A file as texts. */
export interface DecodedFile {
  /** The encoding as the WHATWG names it: `utf-8`, `utf-16le`, `windows-1252` … */
  readonly encoding: string;
  /** What the caller should know about the choice of the encoding. */
  readonly warnings: readonly string[];
  /** Some bytes are none of the encoding. Their texts have U+FFFD in their place. */
  readonly isDamaged: boolean;
  /** The text from its beginning, in pieces of some ten thousand characters, without a byte order mark. */
  readonly pieces: () => Iterable<string>;
}

/** Bytes that are decoded at once: the whole text is never in memory. Even, because of UTF-16. */
const SLICE_BYTES = 64 * 1024;
const REPLACEMENT = '\ufffd';

/** Byte order marks (RFC 2781, RFC 3629). */
const MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/** What an encoding is called in requests: any label of the WHATWG Encoding Standard. Null for another text. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The problem of the option that names an encoding, or none. */
export function encodingProblems(field: string, label: string | undefined): FieldProblem[] {
  if (label === undefined || encodingOf(label) !== null) return [];
  const message = `There is no encoding '${label}'. Use for example utf-8, utf-16le, windows-1252, iso-8859-2 or shift_jis.`;
  return [{ field, code: 'unknown_encoding', message }];
}

/**
 * Finds the encoding of a file and decodes it. A byte order mark decides, then `wanted`, then the bytes: UTF-16 has a zero byte in each
 * Latin letter, what is not UTF-8 is Windows-1252, in which Excel saves its CSV. A file with more UTF-8 than wrong bytes is UTF-8 whose
 * wrong rows are `isDamaged`: by the other reading every name of it would be wrong.
 */
export function decodeFile(bytes: Buffer, wanted: string | null = null): DecodedFile {
  const marked = MARKS.find(({ mark }) => mark.every((byte, i) => bytes[i] === byte));
  const asked = wanted === null ? null : encodingOf(wanted);
  if (marked) {
    const warnings = asked === null || sameEncoding(asked, marked.encoding) ? [] : [`The file says that it is ${marked.encoding}, and was read so.`];
    return decoded(bytes.subarray(marked.mark.length), marked.encoding, warnings);
  }
  if (asked !== null) return decoded(bytes, asked, []);
  const wide = wideEncodingOf(bytes);
  if (wide !== null) return decoded(bytes, wide, []);
  if (isUtf8(bytes)) return decoded(bytes, 'utf-8', []);
  if (isMostlyUtf8(bytes)) return decoded(bytes, 'utf-8', ['The file is UTF-8, except for some bytes: their rows are errors.']);
  return decoded(bytes, 'windows-1252', [
    'The file is not UTF-8, and was read as Windows-1252. If letters are wrong, save it as "CSV UTF-8", or name its encoding in the option `encoding`.',
  ]);
}

/** `utf-16` is asked for without the order of its bytes, which the mark has. */
const sameEncoding = (asked: string, marked: string): boolean => asked === marked || (asked.startsWith('utf-16') && marked.startsWith('utf-16'));

/** UTF-16 without a mark: a text that begins with two Latin characters. */
function wideEncodingOf(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first && third && second === 0 && fourth === 0) return 'utf-16le';
  return second && fourth && first === 0 && third === 0 ? 'utf-16be' : null;
}

/** Counts on the bytes, as a decoder would: to make texts of a large file only for that takes seconds. */
function isMostlyUtf8(bytes: Buffer): boolean {
  let right = 0;
  let wrong = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) continue;
    const length = lengthAfter(lead);
    let read = 1;
    while (read < length && (read === 1 ? follows(lead, bytes[at]) : isContinuation(bytes[at]))) {
      read += 1;
      at += 1;
    }
    if (length > 1 && read === length) right += 1;
    else wrong += 1;
  }
  return right > wrong;
}

/** Bytes of the character that begins with a byte beyond ASCII; 1 if none does. */
function lengthAfter(lead: number): 1 | 2 | 3 | 4 {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Whether a byte can be the second of a character: not all of them begin one that exists, in its shortest form. */
function follows(lead: number, second = 0): boolean {
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

function decoded(bytes: Buffer, encoding: string, warnings: readonly string[]): DecodedFile {
  const isDamaged = encoding === 'utf-8' && !isUtf8(bytes);
  return { encoding, warnings, isDamaged, pieces: () => piecesOf(bytes, encoding) };
}

function piecesOf(bytes: Buffer, encoding: string): Iterable<string> {
  switch (encoding) {
    case 'utf-8':
      return utf8Pieces(bytes);
    case 'utf-16le':
      return mapSlices(bytes, (slice) => slice.toString('utf16le'));
    case 'utf-16be':
      return mapSlices(bytes, (slice) =>
        Buffer.from(slice.subarray(0, slice.length & ~1))
          .swap16()
          .toString('utf16le'),
      );
    case 'windows-1252':
      return mapSlices(bytes, (slice) => windows1252Text(slice.toString('latin1')));
    default:
      return streamed(bytes, encoding);
  }
}

function* mapSlices(bytes: Buffer, toText: (slice: Buffer) => string): Generator<string> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield toText(bytes.subarray(from, from + SLICE_BYTES));
}

/** Slices end between characters. */
function* utf8Pieces(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    let end = Math.min(from + SLICE_BYTES, bytes.length);
    for (let back = 0; back < 3 && end < bytes.length && isContinuation(bytes[end]); back++) end -= 1;
    yield bytes.toString('utf8', from, end);
    from = end;
  }
}

const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;

function* streamed(bytes: Buffer, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield decoder.decode(bytes.subarray(from, from + SLICE_BYTES), { stream: true });
  yield decoder.decode();
}

/** Whether a text has a character that its bytes did not make. */
export const hasReplacement = (text: string): boolean => text.includes(REPLACEMENT);
