import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { BodyReader } from '../kernel/route.js';

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
export const readCsv: BodyReader = (bytes) => {
  if (!isUtf8(bytes)) throw invalidCsv('is not valid UTF-8');
  const rows = parseCsv(bytes);
  const [first] = rows;
  if (!first) return { entries: [] };
  const named = first.map((cell) =>
    ownField(
      COLUMN_ALIASES,
      cell
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ),
  );
  if (named.every((name) => name === undefined)) return { entries: rows.map(([address]) => addressEntry(address)) };
  return {
    entries: rows.slice(1).map((row) => {
      const entry: Record<string, unknown> = {};
      named.forEach((name, i) => {
        const cell = row[i]?.trim();
        if (name === undefined || !cell) return;
        if (name === 'address') setOwnField(entry, addressField(cell), cell);
        else setOwnField(entry, name, name === 'occurred_at' ? timeOfCell(cell) : cell);
      });
      return entry;
    }),
  };
};

function parseCsv(bytes: Buffer): string[][] {
  try {
    return parse(bytes, { bom: true, skip_empty_lines: true, relax_column_count: true, max_record_size: 64_000 }) as string[][];
  } catch (e) {
    throw invalidCsv(`cannot be read: ${(e as Error).message}`);
  }
}

const addressEntry = (text = ''): Record<string, string> => ({ [addressField(text)]: text.trim() });

const addressField = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');

/** `2025-11-03 09:00:00` is a time in UTC in the exports of other services, and `2025-11-03` a day. */
function timeOfCell(cell: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return `${cell}T00:00:00Z`;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell;
}

const invalidCsv = (what: string): DomainError => new DomainError('invalid_parameter', `The CSV ${what}.`);
