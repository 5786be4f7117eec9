import { type CellReading, dateEvidence, readCell } from '../../domain/contacts/cells/cell-values.js';
import { isOptOut, moreRestrictive } from '../../domain/contacts/statements.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { type SuppressionReason, suppressionReasonNames, suppressionReasons } from '../../domain/suppressions/reasons.js';
import { withoutFormulaPrefix } from '../../formats/contacts/formula-prefix.js';
import { LeftOutCells } from '../contacts/checked-rows.js';
import { type PlannedColumn, planColumns } from '../contacts/columns/column-plan.js';
import { meaningOf, suppressionFlag } from '../contacts/columns/meanings.js';
import { statementsOf } from '../contacts/columns/row-statements.js';
import { scanFile } from '../contacts/given-rows.js';
import { withPlus } from '../contacts/import-cells.js';
import { type CsvFile, openCsv } from '../http/csv/csv-file.js';
import { encodingProblems } from '../http/csv/text-encoding.js';
import type { BodyReader } from '../http/route.js';

/** Names of the columns of this service; the tables of other services know more. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  email: 'email',
  email_address: 'email',
  e_mail: 'email',
  phone: 'phone',
  phone_number: 'phone',
  mobile: 'phone',
  address: 'address',
  domain: 'domain',
  channel: 'channel',
  reason: 'reason',
  suppression_reason: 'reason',
  scope: 'scope',
  source: 'source',
};
/** Columns with the time; the first that a file has counts. */
const TIME_COLUMNS =
  'occurred_at unsubscribed_at unsub_time suppressed_at unsubscribed_on unsubscribe_date opt_out_date timestamp date_added date time created created_at'.split(
    ' ',
  );

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
 * Rows of a CSV as entries of an import, also of the files of other services. The first row has the column names; without it there is a
 * single column of addresses. Other columns are ignored, and empty cells are absent values. Times are written in any way; without a zone
 * they are in UTC, as in the exports of other services. One that cannot be read is left out, because an opt-out counts without it.
 */
export const readCsv: BodyReader = async (bytes, contentType, pause) => {
  const encoding = CHARSET.exec(contentType)?.[1];
  const wrong = encodingProblems('charset', encoding);
  if (wrong.length > 0) throw invalid(wrong);
  const file = openCsv(bytes, { encoding: encoding ?? null, delimiter: null });
  const scan = await scanFile(file, pause);
  const plan = planColumns(scan.columns(), { mapping: {}, ignored: [], fields: new Map(), lists: [] }).columns;
  const named = namesOf(file.header, plan);
  const stated = plan.flatMap(({ statement }, i) => (statement && named[i] === undefined ? [{ column: statement, i }] : []));
  const isHeader = named.some((name) => name !== undefined) || stated.length > 0;
  const timeAt = named.indexOf('occurred_at');
  const timeOfCell = await timeReader(file, timeAt, pause);
  const leftOut = new LeftOutCells();
  const entries: (Record<string, unknown> | null)[] = [];
  const problems = new Map<number, FieldProblem>();
  const entryOf = (cells: readonly string[]) => (isHeader ? namedEntry(named, plan, cells) : addressEntry(cells[0]));
  for (const { row, cells, problem } of isHeader ? file.rows() : file.rowsWithFirst()) {
    const entry = entryOf(cells);
    readTime(entry, timeOfCell, (message) => leftOut.add(row, 'occurred_at', message));
    const found = problem
      ? { ...problem, field: 'body' }
      : readReason(
          entry,
          stated.map(({ column, i }) => [column, cells[i] ?? '']),
        );
    if (found) problems.set(entries.length, found);
    entries.push(found ? null : entry);
    if (entries.length % ROWS_AT_ONCE === 0) await pause();
  }
  const warnings = [...file.warnings, ...leftOut.warnings(() => file.header[timeAt] ?? 'occurred_at')];
  return Object.defineProperty({ entries }, FINDINGS, { value: { warnings, problems } satisfies CsvFindings });
};

/** What a mail server answers: `550 5.1.1 user unknown`. */
const SERVER_ANSWER = /^\s*(?:smtp;\s*)?(?:[45]\d\d\b|[45]\.\d{1,3}\.\d{1,3}\b)/i;
const REASONS = suppressionReasonNames.join(', ');

/**
 * The reason of an entry: its own, in the words of any service, or what the columns of a service say. The problem of a reason that is not
 * known, and of a row that says that the person is subscribed: such a row is never skipped silently.
 */
function readReason(entry: Record<string, unknown>, cells: Parameters<typeof statementsOf>[0]): FieldProblem | null {
  const { reason: given } = entry;
  if (given === 'erased') return null;
  const { statements } = statementsOf(cells);
  const meanings = statements.map(({ meaning }) => meaning);
  if (typeof given === 'string') {
    const read = isReason(given) ? given : SERVER_ANSWER.test(given) ? 'bounced' : meaningOf(given, suppressionFlag)?.meaning;
    if (read === undefined)
      return { field: 'reason', code: 'unknown_reason', message: `'${given.slice(0, 60)}' is no reason. Use one of ${REASONS}.` };
    if (read) meanings.push(read);
  }
  if (meanings.length === 0 && (typeof given === 'string' || cells.length === 0)) return null;
  // The file has columns that say who has opted out, and this row has a no there, or nothing.
  const meaning = meanings.length > 0 ? meanings.reduce(moreRestrictive) : 'none';
  if (!isOptOut(meaning)) {
    const message = 'The row says that the person has not opted out, so the address is not suppressed.';
    return { field: 'reason', code: 'not_opted_out', message };
  }
  entry.reason = meaning;
  const at = statements.flatMap((said) => (said.meaning === meaning && said.at ? [said.at] : [])).sort()[0];
  if (entry.occurred_at === undefined && at !== undefined) entry.occurred_at = at;
  return null;
}

const isReason = (text: string): text is Exclude<SuppressionReason, 'erased'> => Object.hasOwn(suppressionReasons, text);

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

/** What each column is: by the names of this service, else an address by those of others. */
function namesOf(header: readonly string[], plan: readonly PlannedColumn[]): (string | undefined)[] {
  const plain = header.map((cell) => cell.toLowerCase().replace(/[\s-]+/g, '_'));
  const time = TIME_COLUMNS.find((name) => plain.includes(name));
  const own = plain.map((name) => (name === time ? 'occurred_at' : ownField(COLUMN_ALIASES, name)));
  return own.map((name, i) => {
    const field = plan[i]?.field;
    return name ?? ((field === 'email' || field === 'phone') && !own.includes(field) && !own.includes('address') ? field : undefined);
  });
}

function namedEntry(named: readonly (string | undefined)[], plan: readonly PlannedColumn[], row: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  named.forEach((name, i) => {
    const cell = withoutFormulaPrefix(row[i] ?? '');
    if (name === undefined || !cell) return;
    const field = name === 'address' ? addressField(cell) : name;
    // Of several columns with a number the first one counts.
    if (!Object.hasOwn(entry, field)) setOwnField(entry, field, field === 'phone' && plan[i]?.isInternational ? withPlus(cell) : cell);
  });
  return entry;
}

const addressEntry = (text = ''): Record<string, string> => ({ [addressField(text)]: text });

const addressField = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');
