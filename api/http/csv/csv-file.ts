import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { type CsvRecord, csvRecords } from './records.js';
import { type DecodedFile, decodeFile, hasReplacement } from './text-encoding.js';

/** How a file is read. What is null is found out. */
export interface CsvFormat {
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

/** A row: its cells, without blanks around them, or why it cannot be read. */
export interface CsvRow {
  /** From 1, without the header row and blank lines. */
  readonly row: number;
  readonly cells: readonly string[];
  readonly problem: FieldProblem | null;
}

/**
 * A CSV whose beginning is read. Its rows can be read any number of times, so that all names and values can be looked at before the
 * first row is used; each time only some pieces of the file are in memory as text.
 */
export interface CsvFile {
  readonly encoding: string;
  readonly delimiter: string;
  /** What the caller should know about how the file was read. */
  readonly warnings: readonly string[];
  /** The cells of the first row, without blanks around them; none of an empty file, and of a first row that cannot be read. */
  readonly header: readonly string[];
  readonly headerProblem: FieldProblem | null;
  /** The rows after the header. */
  readonly rows: () => Iterable<CsvRow>;
  /** Of a file without a header: the first row, too, is a row. */
  readonly rowsWithFirst: () => Iterable<CsvRow>;
}

const MAX_SHOWN_COLUMNS = 50;
const MAX_SHOWN_NAME = 60;
/** On a tie the first one: commas and bars are common in texts. */
const DELIMITERS = ['\t', ';', '|', ','] as const;
/** Rows at the beginning by which the delimiter is found. */
const SAMPLED_ROWS = 20;
/** The first line of a file for Excel, which names the delimiter. */
const SEPARATOR_LINE = /^"?sep=(.)"?[ \t,;|]*(?:\r\n|\r|\n|$)/i;

/** Opens a CSV: finds its encoding and delimiter, and reads its first row. */
export function openCsv(bytes: Buffer, format: CsvFormat): CsvFile {
  const decoded = decodeFile(bytes, format.encoding);
  const named = SEPARATOR_LINE.exec(firstPieceOf(decoded.pieces()));
  const pieces = (): Iterable<string> => withoutStart(decoded.pieces(), named?.[0].length ?? 0);
  const delimiter = format.delimiter ?? named?.[1] ?? delimiterOf(firstPieceOf(pieces()));
  const records = (): Iterable<CsvRecord> => csvRecords(pieces(), delimiter);
  const [first] = rowsOf(records(), decoded, 0);
  return {
    encoding: decoded.encoding,
    delimiter,
    warnings: decoded.warnings,
    header: first?.cells ?? [],
    headerProblem: first?.problem ?? null,
    rows: () => rowsOf(records(), decoded, 1),
    rowsWithFirst: () => rowsOf(records(), decoded, 0),
  };
}

/** Counts the rows of a file that has a header. */
function* rowsOf(records: Iterable<CsvRecord>, { isDamaged, encoding }: DecodedFile, headers: 0 | 1): Generator<CsvRow> {
  let row = -headers;
  for (const record of records) {
    row += 1;
    if (row === 0) continue;
    if ('code' in record) yield { row, cells: [], problem: { field: '', code: record.code, message: record.message } };
    else if (isDamaged && record.cells.some(hasReplacement)) {
      const message = `Line ${record.line} has bytes that are not ${encoding}. Save the file as "CSV UTF-8".`;
      yield { row, cells: [], problem: { field: '', code: 'invalid_encoding', message } };
    } else yield { row, cells: record.cells.map(trimmed), problem: null };
  }
}

const trimmed = (cell: string): string => cell.trim();

/** The columns that were seen, for errors about columns: `'Email', 'Name'`. */
export function namesOfColumns(header: readonly string[]): string {
  const shown = header.slice(0, MAX_SHOWN_COLUMNS).map((name) => `'${name.slice(0, MAX_SHOWN_NAME)}'`);
  return `${shown.join(', ')}${header.length > shown.length ? ` and ${header.length - shown.length} more` : ''}`;
}

function firstPieceOf(pieces: Iterable<string>): string {
  for (const piece of pieces) return piece;
  return '';
}

function* withoutStart(pieces: Iterable<string>, count: number): Generator<string> {
  let left = count;
  for (const piece of pieces) {
    yield left > 0 ? piece.slice(left) : piece;
    left = Math.max(0, left - piece.length);
  }
}

/** The delimiter that splits the first row into most cells, and the rows after it into as many. A comma if none splits it. */
function delimiterOf(beginning: string): string {
  const splits = DELIMITERS.map((delimiter) => ({ delimiter, ...splitBy(beginning, delimiter) })).filter(({ width }) => width > 1);
  return splits.reduce((best, one) => (one.score > best.score ? one : best), { delimiter: ',', score: 0 }).delimiter;
}

function splitBy(beginning: string, delimiter: string): { readonly width: number; readonly score: number } {
  const widths: number[] = [];
  for (const record of csvRecords([beginning], delimiter)) {
    widths.push('cells' in record ? record.cells.length : 0);
    if (widths.length > SAMPLED_ROWS) break;
  }
  const [width = 0, ...others] = widths;
  const alike = others.filter((one) => one === width).length;
  return { width, score: (width * (1 + alike)) / (1 + others.length) };
}
