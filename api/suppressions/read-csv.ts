import { type CellReading, dateEvidence, readCell } from '../../domain/contacts/cells/cell-values.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { withoutFormulaPrefix } from '../../formats/contacts/formula-prefix.js';
import { LeftOutCells } from '../contacts/checked-rows.js';
import { type CsvFile, openCsv } from '../http/csv/csv-file.js';
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
 * addresses. Other columns are ignored, and empty cells are absent values. Times are written in any way; without a zone they are in
 * UTC, as in the exports of other services. One that cannot be read is left out, because an opt-out counts without it.
 */
export const readCsv: BodyReader = async (bytes, contentType, pause) => {
  const encoding = CHARSET.exec(contentType)?.[1];
  const wrong = encodingProblems('charset', encoding);
  if (wrong.length > 0) throw invalid(wrong);
  const file = openCsv(bytes, { encoding: encoding ?? null, delimiter: null });
  const named = namesOf(file.header);
  const isHeader = named.some((name) => name !== undefined);
  const timeOfCell = await timeReader(file, named.indexOf('occurred_at'), pause);
  const leftOut = new LeftOutCells();
  const entries: (Record<string, unknown> | null)[] = [];
  const problems = new Map<number, FieldProblem>();
  for (const { row, cells, problem } of isHeader ? file.rows() : file.rowsWithFirst()) {
    if (problem) problems.set(entries.length, { ...problem, field: 'body' });
    const entry = problem ? null : isHeader ? namedEntry(named, cells) : addressEntry(cells[0]);
    if (entry) readTime(entry, timeOfCell, (message) => leftOut.add(row, 'occurred_at', message));
    entries.push(entry);
    if (entries.length % ROWS_AT_ONCE === 0) await pause();
  }
  const warnings = [...file.warnings, ...leftOut.warnings((field) => file.header[named.indexOf(field)] ?? field)];
  return Object.defineProperty({ entries }, FINDINGS, { value: { warnings, problems } satisfies CsvFindings });
};

function readTime(entry: Record<string, unknown>, read: (text: string) => CellReading, leaveOut: (message: string) => void): void {
  if (typeof entry.occurred_at !== 'string') return;
  const time = read(entry.occurred_at);
  if ('value' in time) entry.occurred_at = time.value;
  else {
    delete entry.occurred_at;
    leaveOut(time.message);
  }
}

/** Reads the cells of the column with times, by all of its cells. `at`: its place, -1 if there is none. */
async function timeReader(file: CsvFile, at: number, pause: () => Promise<void>): Promise<(text: string) => CellReading> {
  const evidence = dateEvidence();
  for (const { row, cells } of at === -1 ? [] : file.rows()) {
    evidence.add(cells[at] ?? '');
    if (row % ROWS_AT_ONCE === 0) await pause();
  }
  const decided = evidence.decide(null);
  const order = 'style' in decided && (decided.style === 'DMY' || decided.style === 'MDY') ? decided.style : null;
  return (text) => readCell(text, { type: 'datetime', pii: false }, { decimal: null, order, offsetAt: () => 0 });
}

const namesOf = (header: readonly string[]): (string | undefined)[] =>
  header.map((cell) => ownField(COLUMN_ALIASES, cell.toLowerCase().replace(/[\s-]+/g, '_')));

function namedEntry(named: readonly (string | undefined)[], row: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  named.forEach((name, i) => {
    const cell = withoutFormulaPrefix(row[i] ?? '');
    if (name === undefined || !cell) return;
    setOwnField(entry, name === 'address' ? addressField(cell) : name, cell);
  });
  return entry;
}

const addressEntry = (text = ''): Record<string, string> => ({ [addressField(text)]: text });

const addressField = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');
