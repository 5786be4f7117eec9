import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { BodyReader } from '../http/route.js';

/** Column names in the exports of other services. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  email: 'email',
  email_address: 'email',
  e_mail: 'email',
  phone: 'phone',
  phone_number: 'phone',
  mobile: 'phone',
  address: 'address',
  channel: 'channel',
  reason: 'reason',
  scope: 'scope',
  source: 'source',
  occurred_at: 'occurred_at',
  unsubscribed_at: 'occurred_at',
  unsub_time: 'occurred_at',
};

/**
 * Rows of a CSV as entries of an import. The first row has the column names; without it there is a single column of
 * addresses. Other columns are ignored, empty cells are absent values, and times may contain a space.
 */
export const readCsv: BodyReader = async (bytes, _, pause) => {
  if (!isUtf8(bytes)) throw invalidCsv('is not valid UTF-8');
  const entries: Record<string, unknown>[] = [];
  let entryOf: ((row: readonly string[]) => Record<string, unknown>) | null = null;
  for (const rows of slicesOf(bytes)) {
    for (const row of rows) {
      if (entryOf) entries.push(entryOf(row));
      else {
        const named = namesOf(row);
        const isHeader = named.some((name) => name !== undefined);
        entryOf = isHeader ? (cells) => namedEntry(named, cells) : ([address]) => addressEntry(address);
        if (!isHeader) entries.push(entryOf(row));
      }
    }
    await pause();
  }
  return { entries };
};

const namesOf = (row: readonly string[]): (string | undefined)[] =>
  row.map((cell) =>
    ownField(
      COLUMN_ALIASES,
      cell
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ),
  );

function namedEntry(named: readonly (string | undefined)[], row: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  named.forEach((name, i) => {
    const cell = row[i]?.trim();
    if (name === undefined || !cell) return;
    if (name === 'address') setOwnField(entry, addressField(cell), cell);
    else setOwnField(entry, name, name === 'occurred_at' ? timeOfCell(cell) : cell);
  });
  return entry;
}

/** Bytes that are parsed at once: some milliseconds. */
const SLICE_BYTES = 64 * 1024;

/** The rows of the file, those of each part of it together, so that other requests go on between them. */
function* slicesOf(bytes: Buffer): Generator<string[][]> {
  const parser = parse({ bom: true, skip_empty_lines: true, relax_column_count: true, max_record_size: 64_000 });
  let failure: Error | null = null;
  parser.on('error', (error) => {
    failure = error;
  });
  const rows = (): string[][] => {
    const read: string[][] = [];
    for (let row = parser.read(); row !== null; row = parser.read()) read.push(row as string[]);
    return read;
  };
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    parser.write(bytes.subarray(from, from + SLICE_BYTES));
    yield rows();
    if (failure) throw unreadableCsv(failure);
  }
  parser.end();
  yield rows();
  if (failure) throw unreadableCsv(failure);
  yield rows();
}

const unreadableCsv = (error: Error): DomainError => invalidCsv(`cannot be read: ${error.message}`);

const addressEntry = (text = ''): Record<string, string> => ({ [addressField(text)]: text.trim() });

const addressField = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');

/** `2025-11-03 09:00:00` is a time in UTC in the exports of other services, and `2025-11-03` a day. */
function timeOfCell(cell: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return `${cell}T00:00:00Z`;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell;
}

const invalidCsv = (what: string): DomainError => new DomainError('invalid_parameter', `The CSV ${what}.`);
