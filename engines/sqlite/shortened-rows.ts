/**
 * How the log file holds the data and metadata of events.
 *
 * - `{…`: the whole text.
 * - `~<length>~<rest>`: metadata that begins like that of the event before it in the same append.
 * - `^<position>"<delta>`: the differences from the text of an earlier event of the same type, which is stored whole. The
 *   position is in base 36; for the delta see `delta.ts`.
 *
 * JSON never begins with the marks, so rows of earlier releases read the same.
 */
import { LRUCache } from 'lru-cache';
import { applyDelta, deltaOf } from './delta.js';

const APPEND_MARK = '~';
const BASE_MARK = '^';
/** Below it, the mark saves nothing that matters. */
const MIN_COMMON = 32;
/** Longer texts are stored whole: they hold little that an earlier event holds, too. */
const MAX_CHARACTERS = 8_192;
/** A row of which a larger share is left is not worth the base. */
const MAX_SHARE = 0.75;
/** After so many such rows, one is stored whole as the new base of its type. */
const MAX_MISSES = 8;
const MAX_TYPES = 500;
const CACHED_BASES = 500;

interface Texts {
  readonly data: string;
  readonly metadata: string;
}

interface Base extends Texts {
  readonly position: number;
  /** Rows in sequence that it did not shorten. */
  misses: number;
}

/** Shortens the rows of one append after the other, by what was stored before. */
export class RowShortener {
  readonly #bases = new LRUCache<string, Base>({ max: MAX_TYPES });

  /** `before`: the metadata of the event before it in the same append. */
  shorten(type: string, whole: Texts, before: string | undefined): Texts {
    const afterBefore = before === undefined ? whole.metadata : shortenAfter(whole.metadata, before);
    if (whole.data.length > MAX_CHARACTERS) return { data: whole.data, metadata: afterBefore };
    const base = this.#bases.get(type);
    if (!base) return whole;
    const data = shorterOf(whole.data, delta(whole.data, base.data, base.position));
    const metadata = afterBefore === whole.metadata ? shorterOf(afterBefore, delta(whole.metadata, base.metadata, base.position)) : afterBefore;
    if (data.length + metadata.length <= MAX_SHARE * (whole.data.length + afterBefore.length)) {
      base.misses = 0;
      return { data, metadata };
    }
    base.misses += 1;
    return base.misses > MAX_MISSES ? whole : { data: whole.data, metadata: afterBefore };
  }

  /** Takes a row that was stored whole as the base of later ones of its type. */
  noteStored(type: string, { data, metadata }: Texts, position: number): void {
    const isWhole = !metadata.startsWith(APPEND_MARK) && !metadata.startsWith(BASE_MARK) && !data.startsWith(BASE_MARK);
    if (isWhole && data.length <= MAX_CHARACTERS) this.#bases.set(type, { data, metadata, position, misses: 0 });
  }

  /** Must be called after a transaction was rolled back: its rows do not exist. */
  forget(): void {
    this.#bases.clear();
  }
}

const delta = (text: string, base: string, position: number): string | null => {
  const edits = deltaOf(text, base);
  return edits === null ? null : `${BASE_MARK}${position.toString(36)}"${edits}`;
};

const shorterOf = (text: string, other: string | null): string => (other !== null && other.length < text.length ? other : text);

function shortenAfter(metadata: string, before: string): string {
  const length = commonLength(metadata, before);
  return length < MIN_COMMON ? metadata : `${APPEND_MARK}${length}${APPEND_MARK}${metadata.slice(length)}`;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

interface Row {
  readonly position: number;
  data: string;
  metadata: string;
}

/** Rows of the log in which shortened texts are whole again, in the same order. */
export class RowReader {
  readonly #bases = new LRUCache<number, Texts>({ max: CACHED_BASES });

  constructor(
    /** The texts at a position, as they are stored. */
    private readonly storedAt: (position: number) => Texts,
  ) {}

  /** `rows` in ascending order of their positions. */
  complete<R extends Row>(rows: readonly R[]): readonly R[] {
    let before: R | undefined;
    for (const row of rows) {
      if (row.data.startsWith(BASE_MARK)) row.data = this.#afterBase(row.data, 'data');
      row.metadata = this.#metadata(row.metadata, row.position, before);
      before = row;
    }
    return rows;
  }

  #metadata(stored: string, position: number, before?: { readonly position: number; readonly metadata: string }): string {
    if (stored.startsWith(BASE_MARK)) return this.#afterBase(stored, 'metadata');
    if (!stored.startsWith(APPEND_MARK)) return stored;
    // The rows of one append have positions in sequence.
    const previous = before?.position === position - 1 ? before.metadata : this.#metadata(this.storedAt(position - 1).metadata, position - 1);
    const end = stored.indexOf(APPEND_MARK, 1);
    return previous.slice(0, Number(stored.slice(1, end))) + stored.slice(end + 1);
  }

  #afterBase(stored: string, field: keyof Texts): string {
    const end = stored.indexOf('"');
    const position = Number.parseInt(stored.slice(1, end), 36);
    let base = this.#bases.get(position);
    if (!base) {
      base = this.storedAt(position);
      this.#bases.set(position, base);
    }
    return applyDelta(stored.slice(end + 1), base[field]);
  }
}
