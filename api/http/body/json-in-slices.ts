import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';

/** Bytes that are read between two yields, unless a single text is longer. */
const SLICE_BYTES = 256 * 1024;

/** Bytes of a text that are looked at one by one. */
const SHORT_TEXT = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Objects and lists may be nested so deep. */
export const MAX_JSON_DEPTH = 64;

/** An object or a list that is open where a slice ends. `key` is the name of the member that is being read, as it is written. */
interface Level {
  readonly list: boolean;
  readonly key: string;
}

export interface SliceOptions {
  /** Lets other work run between two slices. */
  readonly pause: () => Promise<void>;
  /** Checks a parsed slice, inside the objects and lists that it continues; may change it. */
  readonly inspect: (slice: object, text: string) => void;
  readonly sliceBytes?: number;
}

/**
 * Parses JSON of any length and any shape without holding the thread: a slice ends at a comma, is completed to JSON of its own by the
 * objects and lists that are open there, parsed by JSON.parse, and joined to what was read before. The bytes are valid UTF-8. Throws
 * `invalid_json`.
 */
export async function parseInSlices(bytes: Buffer, { pause, inspect, sliceBytes = SLICE_BYTES }: SliceOptions): Promise<unknown> {
  const scan = new Scan(bytes);
  let spine: readonly Level[] = [];
  let whole: unknown;
  for (let from = 0; ; ) {
    const to = scan.nextCut(from + sliceBytes);
    const ended = to === bytes.length;
    const next = scan.spine();
    const text = openings(spine) + bytes.toString('utf8', from, to) + (ended ? '' : closings(next));
    const slice = parse(text);
    if (typeof slice !== 'object' || slice === null) return slice;
    inspect(slice, text);
    if (from === 0) whole = slice;
    else join(whole, slice, spine);
    if (ended) return whole;
    spine = next;
    from = to + 1;
    await pause();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (e) {
    throw malformed((e as Error).message);
  }
}

export const invalidJson = (message: string): DomainError => new DomainError('invalid_json', message);
export const malformed = (reason: string): DomainError => invalidJson(`The body is not well-formed JSON: ${reason}.`);
export const tooDeep = (): DomainError => invalidJson(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);

/** The open objects and lists as text, each but the innermost one up to the member that is being read. */
const openings = (spine: readonly Level[]): string =>
  spine.map(({ list, key }, i) => (list ? '[' : i < spine.length - 1 ? `{${key}:` : '{')).join('');

const closings = (spine: readonly Level[]): string =>
  spine
    .map(({ list }) => (list ? ']' : '}'))
    .reverse()
    .join('');

type Members = Record<string, unknown>;
type Pair = readonly [target: unknown, added: unknown];

/** Adds what a slice has to the objects and lists that it continues. */
function join(whole: unknown, slice: unknown, spine: readonly Level[]): void {
  let pair: Pair | null = [whole, slice];
  for (const [depth, { list, key }] of spine.entries()) {
    const innermost = depth === spine.length - 1;
    pair = list ? joinLists(pair, innermost) : joinObjects(pair, innermost ? null : (JSON.parse(key) as string));
    if (!pair) return;
  }
}

/** Returns what continues the last element, if one is open. */
function joinLists([target, added]: Pair, innermost: boolean): Pair {
  const elements = target as unknown[];
  const more = added as unknown[];
  const last = elements.at(-1);
  for (let i = innermost ? 0 : 1; i < more.length; i++) elements.push(more[i]);
  return [last, more[0]];
}

/** Returns what continues the member of a name. */
function joinObjects([target, added]: Pair, name: string | null): Pair | null {
  const members = target as Members;
  const more = added as Members;
  for (const other in more) if (other !== name) setOwnField(members, other, ownField(more, other));
  if (name === null) return null;
  const pair = [ownField(members, name), ownField(more, name)] as const;
  if (sameKind(...pair)) return pair;
  // A later member of the same name counts; `inspect` may have taken the member out.
  if (pair[1] !== undefined) setOwnField(members, name, pair[1]);
  return null;
}

const sameKind = (a: unknown, b: unknown): boolean => isHolder(a) && isHolder(b) && Array.isArray(a) === Array.isArray(b);
const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An open object or list, and where the name of the member that is being read lies, with its quotes. */
interface Holder {
  readonly list: boolean;
  keyFrom: number;
  keyTo: number;
}

/** Scans the structure of JSON text. JSON.parse does the rest. */
class Scan {
  readonly #open: Holder[] = [];
  #at = 0;
  /** The last character that is no white space and in no text; 0 at the beginning. A text counts as its quote. */
  #last = 0;
  #keyFrom = 0;
  #keyTo = 0;

  constructor(private readonly bytes: Buffer) {}

  /** The lists and objects that are open at the current position. */
  spine(): Level[] {
    return this.#open.map(({ list, keyFrom, keyTo }) => ({ list, key: this.bytes.toString('utf8', keyFrom, keyTo) }));
  }

  /** The place of the first comma inside an object or a list from `least` on, or the end. */
  nextCut(least: number): number {
    const { bytes } = this;
    for (let i = this.#at; i < bytes.length; i++) {
      const c = bytes[i] as number;
      switch (c) {
        case QUOTE: {
          const end = this.#endOfText(i);
          this.#keyFrom = i;
          this.#keyTo = end + 1;
          i = end;
          this.#last = QUOTE;
          break;
        }
        case OPEN_LIST:
        case OPEN_OBJECT:
          if (this.#open.length === MAX_JSON_DEPTH) throw tooDeep();
          this.#open.push({ list: c === OPEN_LIST, keyFrom: 0, keyTo: 0 });
          this.#last = c;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (this.#last === COMMA) throw malformed('a comma without a value after it');
          this.#open.pop();
          this.#last = c;
          break;
        case COLON:
          this.#keepKey();
          this.#last = c;
          break;
        case COMMA:
          if (i >= least && this.#open.length > 0) {
            if (!this.#isAfterValue()) throw malformed('a comma without a value before it');
            this.#last = COMMA;
            this.#at = i + 1;
            return i;
          }
          this.#last = COMMA;
          break;
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          break;
        default:
          this.#last = c;
      }
    }
    this.#at = bytes.length;
    return bytes.length;
  }

  #keepKey(): void {
    const holder = this.#open.at(-1);
    if (!holder || holder.list) return;
    holder.keyFrom = this.#keyFrom;
    holder.keyTo = this.#keyTo;
  }

  #isAfterValue(): boolean {
    const last = this.#last;
    return last !== COMMA && last !== COLON && last !== OPEN_LIST && last !== OPEN_OBJECT && last !== 0;
  }

  /** The place of the quote that ends the text which begins at `from`, or the last byte. */
  #endOfText(from: number): number {
    const { bytes } = this;
    const near = Math.min(bytes.length, from + SHORT_TEXT);
    let i = from + 1;
    for (; i < near; i++) {
      const c = bytes[i];
      if (c === QUOTE) return i;
      if (c === BACKSLASH) i++;
    }
    // A long text, such as a file: here a native search is many times as fast.
    for (let end = bytes.indexOf(QUOTE, i); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let escapes = end;
      while (escapes > i && bytes[escapes - 1] === BACKSLASH) escapes--;
      if ((end - escapes) % 2 === 0) return end;
    }
    return bytes.length - 1;
  }
}
