import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { openCsv } from '../http/csv/csv-file.js';
import { encodingProblems } from '../http/csv/text-encoding.js';
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

/** What only a CSV has beside the rows that can be read. In the body itself a row that cannot be read is null. */
export interface CsvFindings {
  readonly warnings: readonly string[];
  /** By index of the row. */
  readonly problems: ReadonlyMap<number, FieldProblem>;
}

const FINDINGS = Symbol('findings');
const NONE: CsvFindings = { warnings: [], problems: new Map() };

/** What was found in the CSV of a request; nothing in a JSON request. */
export const csvFindings = (body: object): CsvFindings => (body as { readonly [FINDINGS]?: CsvFindings })[FINDINGS] ?? NONE;

/** Rows that are read before other requests get the thread: some milliseconds. */
const ROWS_AT_ONCE = 1_000;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * Rows of a CSV as entries of an import. The first row has the column names; without it there is a single column of
 * addresses. Other columns are ignored, empty cells are absent values, and times may contain a space.
 */
export const readCsv: BodyReader = async (bytes, contentType, pause) => {
  const encoding = CHARSET.exec(contentType)?.[1];
  const wrong = encodingProblems('charset', encoding);
  if (wrong.length > 0) throw invalid(wrong);
  const file = openCsv(bytes, { encoding: encoding ?? null, delimiter: null });
  const named = namesOf(file.header);
  const isHeader = named.some((name) => name !== undefined);
  const entries: (Record<string, unknown> | null)[] = [];
  const problems = new Map<number, FieldProblem>();
  for (const { cells, problem } of isHeader ? file.rows() : file.rowsWithFirst()) {
    if (problem) problems.set(entries.length, { ...problem, field: 'body' });
    entries.push(problem ? null : isHeader ? namedEntry(named, cells) : addressEntry(cells[0]));
    if (entries.length % ROWS_AT_ONCE === 0) await pause();
  }
  return Object.defineProperty({ entries }, FINDINGS, { value: { warnings: file.warnings, problems } satisfies CsvFindings });
};

const namesOf = (header: readonly string[]): (string | undefined)[] =>
  header.map((cell) => ownField(COLUMN_ALIASES, cell.toLowerCase().replace(/[\s-]+/g, '_')));

function namedEntry(named: readonly (string | undefined)[], row: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  named.forEach((name, i) => {
    const cell = row[i];
    if (name === undefined || !cell) return;
    if (name === 'address') setOwnField(entry, addressField(cell), cell);
    else setOwnField(entry, name, name === 'occurred_at' ? timeOfCell(cell) : cell);
  });
  return entry;
}

const addressEntry = (text = ''): Record<string, string> => ({ [addressField(text)]: text });

const addressField = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');

/** `2025-11-03 09:00:00` is a time in UTC in the exports of other services, and `2025-11-03` a day. */
function timeOfCell(cell: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return `${cell}T00:00:00Z`;
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell;
}
