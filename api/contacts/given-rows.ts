import type { Static } from 'typebox';
import { MAX_SYNCHRONOUS_ROWS, unknownLists } from '../../commands/contacts/accept-import.js';
import { contactInput } from '../../commands/contacts/contact-input.js';
import type { Context } from '../../commands/runtime/command.js';
import { meantName } from '../../commands/runtime/nearest-name.js';
import type { RuleContext, WellFormed } from '../../commands/runtime/rules.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import type { ImportRow } from '../../domain/contacts/import.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { lists } from '../../projections/lists/projection.js';
import { listQueries } from '../../projections/lists/queries.js';
import { confirmedProblems } from '../consent/confirmed.js';
import { type CsvFile, openCsv } from '../http/csv/csv-file.js';
import { encodingProblems } from '../http/csv/text-encoding.js';
import { MAX_NAMED_WARNINGS, problemsInList } from '../http/items.js';
import type { Request } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { UnknownFields } from '../http/unknown-field-policy.js';
import { checkedRows, contactChecker, LeftOutCells, leniently, withoutNulls } from './checked-rows.js';
import { type ColumnPlan, type ColumnWishes, mappingTargetOf, planColumns } from './columns/column-plan.js';
import { ColumnScan } from './columns/column-scan.js';
import { isMentionedBy, readJsonRows, scanJson } from './columns/json-rows.js';
import type { ListName } from './columns/own-columns.js';
import { type CellOptions, cellOptionProblems, cellReaders } from './import-cells.js';
import { columnsOf, headerOf } from './import-columns.js';
import { readCsvRows } from './import-csv.js';
import { uploadedFile } from './import-file.js';
import type { importRequest } from './import-schemas.js';

type Body = Static<typeof importRequest>;
export type ImportCall = Pick<Request<unknown, unknown, Body>, 'body' | 'caller' | 'ruleContext' | 'unknownFields' | 'signal'>;
export type Rows = () => AsyncIterable<ImportRow> | Iterable<ImportRow>;

/** The rows of a request, and what was found out about them before the first one is stored. */
export interface GivenRows {
  readonly rows: Rows;
  /** What the caller should know; after the rows were read. */
  readonly warnings: () => Promise<readonly string[]>;
  /** Columns that are applied, with what becomes of them. */
  readonly columns: readonly AppliedColumn[];
  /** Of a large import that must not begin: how many rows it has. Its rows are why. */
  readonly stopped: { readonly total: number } | null;
}

export interface AppliedColumn {
  readonly name: string;
  readonly target: string;
  readonly by: 'mapping' | 'table';
}

/** What only a file has. */
const FILE_OPTIONS = ['file', 'delimiter', 'encoding', 'decimal', 'date_format', 'country', 'strict'] as const;
/** Rows that are looked at before other requests get the thread. */
const SCANNED_AT_ONCE = 500;
const MAX_LISTS = 1_000;

export async function rowProblems(
  { contacts = [], mapping, ignore_columns }: WellFormed<Body>,
  context: Context,
  strict = false,
): Promise<FieldProblem[]> {
  const own = new Set([...Object.keys(mapping ?? {}), ...(ignore_columns ?? [])]);
  const rows = contacts.map((contact) =>
    isRow(contact) ? withoutNulls(Object.fromEntries(Object.entries(contact).filter(([name]) => !own.has(name)))) : contact,
  );
  return problemsInList('contacts', await contactChecker.allProblems(rows, context, strict));
}

const isRow = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Throws `validation_error` unless there is either a file or a list of contacts, and every list exists, and `unmapped_opt_out` for columns
 * that sound like consent and about which the request says nothing.
 */
export async function givenRows(services: Services, call: ImportCall): Promise<GivenRows> {
  const { body, ruleContext } = call;
  const file = uploadedFile(body);
  const problems = await optionProblems(body, { context: ruleContext(), isMalformed: () => false, params: {} }, file !== null);
  const { contacts = [] } = body;
  if (problems.length > 0) throw invalid([...problems, ...(await rowProblems(body as WellFormed<Body>, ruleContext(), call.unknownFields.strict))]);
  const csv = file && openGiven(file, body);
  const wishes = await wishesOf(services, call, csv ? csv.header.includes('lists') : haveLists(contacts));
  return csv ? rowsOfFile(services, call, csv, wishes) : rowsOfJson(call, contacts, wishes);
}

export const openGiven = (bytes: Buffer, { encoding, delimiter }: Body): CsvFile =>
  openCsv(bytes, { encoding: encoding ?? null, delimiter: delimiter ?? null });

/** Whether rows of JSON name lists, as those of an export do. */
export const haveLists = (contacts: readonly unknown[]): boolean =>
  contacts.some((contact) => typeof contact === 'object' && contact !== null && 'lists' in contact);

/** What the request says about columns. The lists of the account are loaded where the mapping names one. */
export async function wishesOf({ log, views, caughtUp }: Services, { body, caller }: ImportCall, hasLists: boolean): Promise<ColumnWishes> {
  const { mapping = {}, ignore_columns: ignored = [] } = body;
  const fields = await loadCustomFields(log, caller.account);
  const namesLists = hasLists || Object.values(mapping).some((target) => target?.startsWith('lists.'));
  if (namesLists) await caughtUp(lists.name);
  const found = namesLists ? await listQueries({ log, views }).lists(caller.account, { after: null, descending: false, limit: MAX_LISTS }) : [];
  return { mapping, ignored, fields, lists: found.map(({ item }): ListName => ({ id: item.id, name: item.name })) };
}

/** Looks at all cells of a file, or at those of its first rows. */
export async function scanFile(file: CsvFile, pause: () => Promise<void>, most = Number.POSITIVE_INFINITY): Promise<ColumnScan> {
  const scan = new ColumnScan(headerOf(file));
  for (const { row, cells } of file.rows()) {
    if (row > most) break;
    if (row % SCANNED_AT_ONCE === 0) await pause();
    scan.add(cells);
  }
  return scan;
}

/** Throws `invalid_parameter` and `validation_error` for what can be known of the whole file before its first row is stored. */
async function rowsOfFile(
  services: Services,
  { body, caller, ruleContext, unknownFields }: ImportCall,
  file: CsvFile,
  wishes: ColumnWishes,
): Promise<GivenRows> {
  const pause = () => ruleContext().yieldToEventLoop();
  const scan = await scanFile(file, pause);
  const plan = planColumns(scan.columns(), wishes);
  const columns = columnsOf(file, plan, wishes);
  const stopped = stoppedBy(plan, scan, body.dry_run ?? false);
  if (stopped) return stopped;
  const settings = (await loadSettings(services.log, caller.account)) ?? defaultSettings('', 'UTC');
  const cells = await cellReaders(file, columns, body, settings, pause);
  const readers = { cells, statements: plan.columns.map(({ statement }) => statement) };
  const { rows, warnings } = rowsReader(file, readers, { strict: body.strict ?? false, fields: wishes.fields, ruleContext, unknownFields });
  const nameOf = (field: string): string => columns.find((column) => column?.field === field)?.name ?? field;
  const unknown = plan.columns.filter(({ by, name }) => by === 'nothing' && name !== '').map(({ name }) => `unknown column: ${name}`);
  return {
    rows,
    warnings: async () => [...file.warnings, ...unknown, ...(await warnings(nameOf))],
    columns: appliedColumns(
      plan,
      columns.map((column) => column !== null),
    ),
    stopped: null,
  };
}

interface ReadOptions {
  readonly strict: boolean;
  readonly fields: CustomFields;
  readonly ruleContext: () => Context;
  readonly unknownFields: UnknownFields;
  /** Collects the cells that are left out, from the first row on. */
  readonly leftOut?: () => LeftOutCells;
}

/** The rows of a file, and what was left out of them. */
export function rowsReader(
  file: CsvFile,
  readers: Parameters<typeof readCsvRows>[1],
  { strict, fields, ruleContext, unknownFields, leftOut: collector = () => new LeftOutCells() }: ReadOptions,
) {
  let leftOut: LeftOutCells | null = null;
  const rows = (): AsyncIterable<ImportRow> => {
    if (strict) return checkedRows(readCsvRows(file, readers), { ruleContext, unknownFields });
    leftOut = collector();
    return leniently(readCsvRows(file, readers), ruleContext, fields, leftOut);
  };
  const warnings = async (nameOf: (field: string) => string): Promise<string[]> => {
    // The rows of an import that was accepted before are not read again.
    if (!strict && !leftOut?.isComplete) for await (const _ of rows());
    return leftOut?.warnings(nameOf) ?? [];
  };
  return { rows, warnings };
}

async function rowsOfJson(
  { body, ruleContext, unknownFields, signal }: ImportCall,
  contacts: readonly unknown[],
  wishes: ColumnWishes,
): Promise<GivenRows> {
  const scan = scanJson(contacts);
  const plan = planColumns(scan.columns(), wishes);
  if (plan.problems.length > 0) throw invalid(plan.problems);
  const stopped = stoppedBy(plan, scan, body.dry_run ?? false);
  if (stopped) return stopped;
  const given = readJsonRows(contacts, plan);
  await contactChecker.requireFirst(
    given.map(({ contact }) => contact),
    { ruleContext, unknownFields, signal },
  );
  return {
    rows: () => checkedRows(given, { ruleContext, unknownFields }),
    warnings: async () => unknownFieldWarnings(contacts, isMentionedBy(plan), unknownFields),
    columns: appliedColumns(
      plan,
      plan.columns.map(({ by }) => by === 'mapping'),
    ),
    stopped: null,
  };
}

const appliedColumns = (plan: ColumnPlan, isFilling: readonly boolean[]): AppliedColumn[] =>
  plan.columns.flatMap((column, i) => {
    const target = mappingTargetOf(isFilling[i] ? column : { ...column, field: null });
    return target !== null && (column.by === 'mapping' || column.by === 'table') ? [{ name: column.name, target, by: column.by }] : [];
  });

/** Why an import with such a plan would not begin. */
export const unmappedProblems = ({ unclear }: ColumnPlan, scan: ColumnScan): FieldProblem[] =>
  unclear.map(({ name, value }) => unmappedOptOut(name, value, scan.rowOf(name, value)));

/** Null if nothing stops. A small import is refused at once, a large one is a job that fails. */
function stoppedBy(plan: ColumnPlan, scan: ColumnScan, dryRun: boolean): GivenRows | null {
  if (plan.unclear.length === 0) return null;
  const problems = unmappedProblems(plan, scan);
  if (dryRun || scan.rows <= MAX_SYNCHRONOUS_ROWS) throw unmappedOptOuts(problems);
  const rows = plan.unclear
    .map(({ name, value }, i): ImportRow => ({ row: scan.rowOf(name, value), problems: problems.slice(i, i + 1) }))
    .sort((a, b) => a.row - b.row);
  return { rows: () => rows, warnings: async () => [], columns: [], stopped: { total: scan.rows } };
}

function unmappedOptOut(name: string, value: string, row: number): FieldProblem {
  const column = JSON.stringify(name);
  const message = `The column '${name}' looks like consent or an opt-out ('${value.slice(0, 60)}' in row ${row}), and nothing says what it means. Map it, for example "mapping":{${column}:"consent.email"}, or leave it out by "ignore_columns":[${column}].`;
  return { field: name, code: 'unmapped_opt_out', message };
}

const unmappedOptOuts = (errors: readonly FieldProblem[]): DomainError => {
  const [first] = errors as [FieldProblem];
  return new DomainError('unmapped_opt_out', errors.length === 1 ? first.message : `${first.message} ${errors.length - 1} more are in \`errors\`.`, {
    errors,
  });
};

/** `unknown field: contacts[3].x`, of the first rows that have one and are not refused for it. */
function unknownFieldWarnings(contacts: readonly unknown[], isMentioned: (name: string) => boolean, { refuses }: UnknownFields): string[] {
  // What refuses a field like no other refuses every one.
  if (refuses(null)) return [];
  const known = Object.keys(contactInput.properties);
  const names = new Map(known.map((name) => [name, false]));
  /** Whether a field is unknown and not refused. Rows mostly have the same names. */
  const isNamed = (name: string): boolean => {
    const found = names.get(name) ?? (!isMentioned(name) && !refuses(meantName(name, known)));
    names.set(name, found);
    return found;
  };
  const warnings: string[] = [];
  for (const [i, contact] of contacts.entries()) {
    if (warnings.length >= MAX_NAMED_WARNINGS) break;
    if (typeof contact !== 'object' || contact === null || Array.isArray(contact)) continue;
    for (const name of Object.keys(contact)) if (isNamed(name)) warnings.push(`unknown field: contacts[${i}].${name}`);
  }
  return warnings.slice(0, MAX_NAMED_WARNINGS);
}

/** Names of a mapping that no row has. */
function unknownFields(contacts: readonly unknown[], mapping: Readonly<Record<string, unknown>>): FieldProblem[] {
  const names = Object.keys(mapping);
  if (names.length === 0) return [];
  const known = scanJson(contacts);
  return names
    .filter((name) => !known.has(name))
    .map((name) => ({ field: `mapping.${name}`, code: 'unknown_column', message: `No row has a field '${name}' that is none of a contact.` }));
}

/** Rules of an import beyond its schema, except those of its rows. */
export async function optionProblems(body: WellFormed<Body>, { context, isMalformed }: RuleContext, hasFile: boolean): Promise<FieldProblem[]> {
  const ofConfirmed = confirmedProblems(body, (field) => isMalformed(field) || isMalformed('consent'), [body.consent?.proof as Body['proof']]);
  const missing = [...(await unknownLists(context, body.list_ids ?? [])), ...ofConfirmed];
  if (hasFile) {
    const rows = body.contacts ? [{ field: 'options.contacts', code: 'not_allowed', message: 'Send the rows in the file, or as JSON.' }] : [];
    return [...missing, ...rows, ...encodingProblems('options.encoding', body.encoding), ...cellOptionProblems(body as CellOptions)];
  }
  const ofFiles = FILE_OPTIONS.filter((field) => body[field] !== undefined);
  const message = 'This needs a CSV, sent as multipart/form-data.';
  const rowless = !isMalformed('contacts') && (body.contacts ?? []).length === 0;
  return [
    ...missing,
    ...ofFiles.map((field) => ({ field, code: 'not_allowed', message })),
    ...unknownFields(isMalformed('contacts') ? [] : (body.contacts ?? []), isMalformed('mapping') ? {} : (body.mapping ?? {})),
    ...(rowless ? [{ field: 'contacts', code: 'required', message: 'Send at least one row.' }] : []),
  ];
}
