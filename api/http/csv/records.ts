/**
 * The records of a CSV as programs write them: RFC 4180, with line ends of all kinds side by side, quotes that are text inside an
 * unquoted cell, and blanks around a quoted one. Kept libraries read all that, but not an error of one record: csv-parse and Papa Parse
 * lose the rest of the file at a quote that is not closed. So this is our own.
 */

/** The cells of a record, or why it cannot be read. `line`: where it begins in the file, from 1. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly code: 'invalid_quotes' | 'too_long'; readonly message: string };

/** Characters of a record. */
export const MAX_RECORD_LENGTH = 128_000;
/** How far the end of a longer record is looked for, so that it costs no other one. */
const MAX_SCANNED_LENGTH = 1_000_000;
/** What is read is dropped from memory in parts of this many characters. */
const DROPPED_AT_ONCE = 64 * 1024;

const QUOTE = 34;
const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;

/** `more`: the text ends before the record does. `at`: the next record, or the text after the quote. */
type Attempt =
  | { readonly is: 'record'; readonly cells: string[]; readonly at: number; readonly isQuoted: boolean }
  | { readonly is: 'more' }
  | { readonly is: 'unclosed'; readonly cell: number }
  | { readonly is: 'text_after_quote'; readonly cell: number; readonly at: number };

/**
 * Reads records piece by piece; only some pieces are in memory. Blank lines are left out. What follows a record that cannot be read
 * begins with the next line that has as many cells as the first record, so that a quote that is not closed costs one row, and one after
 * which there is text costs its row, even over several lines.
 */
export function* csvRecords(pieces: Iterable<string>, delimiter: string): Generator<CsvRecord> {
  const text = new SlidingText(pieces);
  const scanner = new RecordScanner(delimiter);
  let width: number | null = null;
  while (text.skipLineEnds()) {
    const { line } = text;
    let attempt = scanner.attempt(text, text.at);
    while (attempt.is === 'more' && text.length <= MAX_SCANNED_LENGTH && text.grow()) attempt = scanner.attempt(text, text.at);
    if (attempt.is === 'record') {
      const { cells, at, isQuoted } = attempt;
      const isLong = at - text.at > MAX_RECORD_LENGTH;
      text.advance(at, isQuoted);
      if (isLong) yield problemOf(attempt, line);
      else if (isQuoted || cells.length > 1 || cells[0]?.trim()) {
        width ??= cells.length;
        yield { line, cells };
      }
    } else {
      yield problemOf(attempt, line);
      const next = scanner.nextRecord(text, attempt, width);
      if (next === null) text.skipLine();
      else text.advance(next, true);
    }
  }
}

function problemOf(attempt: Attempt, line: number): CsvRecord {
  switch (attempt.is) {
    case 'unclosed':
      return { line, code: 'invalid_quotes', message: `Line ${line}: the quote that opens cell ${attempt.cell} is not closed.` };
    case 'text_after_quote': {
      const message = `Line ${line}: text follows the closing quote of cell ${attempt.cell}. Double the quotes that are text: "5"" pipe".`;
      return { line, code: 'invalid_quotes', message };
    }
    default:
      return {
        line,
        code: 'too_long',
        message: `Line ${line}: a row has at most ${MAX_RECORD_LENGTH} characters. Look for a quote that is not closed.`,
      };
  }
}

/** The part of a text that is being read. Places in it are valid until the next record is begun. */
class SlidingText {
  content = '';
  /** Where the next record begins in `content`. */
  at = 0;
  /** The line of the file at which the next record begins. */
  line = 1;
  isWhole = false;
  readonly #pieces: Iterator<string>;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Characters from the beginning of the record. */
  get length(): number {
    return this.content.length - this.at;
  }

  /** Appends a piece, or finds that the text is whole. False if that was known. */
  grow(): boolean {
    if (this.isWhole) return false;
    const next = this.#pieces.next();
    if (next.done) this.isWhole = true;
    else this.content += next.value;
    return true;
  }

  advance(to: number, hasLines: boolean): void {
    this.line += hasLines ? lineEndsIn(this.content, this.at, to) : 1;
    this.at = to;
  }

  /** Goes to the next record. False if there is none. */
  skipLineEnds(): boolean {
    if (this.at >= DROPPED_AT_ONCE) {
      this.content = this.content.slice(this.at);
      this.at = 0;
    }
    for (;;) {
      const code = this.content.charCodeAt(this.at);
      if (code === LF || (code === CR && (this.at + 1 < this.content.length || this.isWhole))) {
        this.line += 1;
        this.at = afterLineEnd(this.content, this.at);
      } else if (this.at < this.content.length && code !== CR) return true;
      else if (!this.grow()) return false;
    }
  }

  /** The beginning of the line after a place, or the end of the text; null if the line is too long to find out. */
  lineAfter(from: number): number | null {
    let at = from;
    for (;;) {
      while (at < this.content.length && !isLineEnd(this.content.charCodeAt(at))) at += 1;
      if (at + 1 < this.content.length) return afterLineEnd(this.content, at);
      if (this.length > MAX_SCANNED_LENGTH) return null;
      if (!this.grow()) return this.content.length;
    }
  }

  /** Drops the rest of a line of any length. */
  skipLine(): void {
    for (let next = this.lineAfter(this.at); ; next = this.lineAfter(0)) {
      if (next !== null) {
        this.advance(next, true);
        return;
      }
      this.content = this.content.slice(-1);
      this.at = 0;
    }
  }
}

const isLineEnd = (code: number): boolean => code === LF || code === CR;

/** CR and LF together end one line. */
const afterLineEnd = (text: string, at: number): number => (text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1);

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) count += 1;
  }
  return count;
}

const MORE: Attempt = { is: 'more' };

/** Where a quoted cell ends, and its value; or why it does not. */
type QuotedCell =
  | { readonly end: number; readonly value: string }
  | { readonly is: 'unclosed' }
  | { readonly is: 'text_after_quote'; readonly at: number };

class RecordScanner {
  readonly #delimiter: number;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Reads the record at a place. */
  attempt({ content, isWhole }: SlidingText, from: number): Attempt {
    const cells: string[] = [];
    let isQuoted = false;
    for (let at = from; ; ) {
      const begin = this.#afterBlanks(content, at);
      let end: number;
      if (content.charCodeAt(begin) === QUOTE) {
        isQuoted = true;
        const cell = this.#quotedCell(content, begin + 1);
        if ('is' in cell) return cell.is === 'unclosed' && !isWhole ? MORE : { ...cell, cell: cells.length + 1 };
        cells.push(cell.value);
        end = cell.end;
      } else {
        end = this.#cellEnd(content, begin);
        cells.push(content.slice(at, end));
      }
      const isLast = end + 1 >= content.length && content.charCodeAt(end) !== this.#delimiter && content.charCodeAt(end) !== LF;
      if (isLast) return isWhole ? { is: 'record', cells, at: content.length, isQuoted } : MORE;
      if (isLineEnd(content.charCodeAt(end))) return { is: 'record', cells, at: afterLineEnd(content, end), isQuoted };
      at = end + 1;
    }
  }

  #quotedCell(content: string, from: number): QuotedCell {
    const close = closingQuote(content, from);
    if (close === null) return { is: 'unclosed' };
    const end = this.#afterBlanks(content, close + 1);
    if (end < content.length && !this.#endsCell(content.charCodeAt(end))) return { is: 'text_after_quote', at: end };
    const value = content.slice(from, close);
    return { end, value: value.includes('"') ? value.replaceAll('""', '"') : value };
  }

  #cellEnd(content: string, from: number): number {
    let end = from;
    while (end < content.length && !this.#endsCell(content.charCodeAt(end))) end += 1;
    return end;
  }

  #afterBlanks(content: string, from: number): number {
    let at = from;
    while (this.#isBlank(content.charCodeAt(at))) at += 1;
    return at;
  }

  /** Where to go on after a record that cannot be read; null if its line is too long to find out. */
  nextRecord(text: SlidingText, failed: Attempt, width: number | null): number | null {
    const first = text.lineAfter(text.at);
    const end = failed.is === 'text_after_quote' ? failed.at : text.content.length;
    for (let at = first; at !== null && at <= end && at < text.content.length; at = text.lineAfter(at)) {
      const alone = this.attempt(text, at);
      if (alone.is === 'more' || (alone.is === 'record' && (width === null || alone.cells.length === width))) return at;
    }
    return failed.is === 'text_after_quote' ? text.lineAfter(end) : first;
  }

  #isBlank(code: number): boolean {
    return (code === SPACE || code === TAB) && code !== this.#delimiter;
  }

  #endsCell(code: number): boolean {
    return code === this.#delimiter || code === LF || code === CR;
  }
}

/** The place of the quote that ends a cell, which is not doubled. */
function closingQuote(text: string, from: number): number | null {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) if (text.charCodeAt(at + 1) !== QUOTE) return at;
  return null;
}
