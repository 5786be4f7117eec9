import Type, { type Static } from 'typebox';
import { acceptImport, MAX_SYNCHRONOUS_ROWS, unknownLists } from '../../commands/contacts/accept-import.js';
import { contactInput } from '../../commands/contacts/contact-input.js';
import { dryRunImport } from '../../commands/contacts/dry-run-import.js';
import type { StoredJob } from '../../commands/jobs/store-job.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import type { Context } from '../../commands/runtime/command.js';
import { type RuleContext, type WellFormed, withRule } from '../../commands/runtime/rules.js';
import { defaultSettings, type OnConflict } from '../../domain/accounts/settings.js';
import { noProof } from '../../domain/consent/consent.js';
import { CONTACT_IMPORT_DRY_RUN, type ImportOptions, type ImportRow, zeroCounts } from '../../domain/contacts/import.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { findImport } from '../../log/aggregates/contacts/load-import.js';
import { loadOnConflict } from '../../log/aggregates/contacts/load-on-conflict.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { type ImportView, MAX_SHOWN_WARNINGS, readImport, shownWarning } from '../../projections/contacts/imports.js';
import { confirmedProblems, proofOf } from '../consent/confirmed.js';
import { openCsv } from '../http/csv/csv-file.js';
import { encodingProblems } from '../http/csv/text-encoding.js';
import { listedProblems, MAX_NAMED_WARNINGS, problemsInList } from '../http/items.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { checkedRows, contactChecker, LeftOutCells, leniently, withoutNulls } from './checked-rows.js';
import { contactRouteDefaults } from './contacts.js';
import { type CellOptions, cellOptionProblems, cellReaders } from './import-cells.js';
import { columnsOf, unknownColumns } from './import-columns.js';
import { readCsvRows } from './import-csv.js';
import { readImportForm, uploadedFile } from './import-file.js';
import { CONTACTS_PER_IMPORT, IMPORT_BODY_BYTES, importDryRun, importForm, importRequest, importResource } from './import-schemas.js';

type Body = Static<typeof importRequest>;
type ImportCall = Pick<Request<unknown, unknown, Body>, 'body' | 'caller' | 'ruleContext'>;
type ImportRequest = Request<unknown, unknown, Body>;
type Rows = () => AsyncIterable<ImportRow> | Iterable<ImportRow>;

const result = Type.Union([importResource, importDryRun]);

/** What only a file has. */
const FILE_OPTIONS = ['file', 'mapping', 'ignore_columns', 'delimiter', 'encoding', 'decimal', 'date_format', 'country', 'strict'] as const;

/** The form parser replaces an uploaded file by its hash. */
const FILE_HASH = /^[0-9a-f]{64}$/;

const importBody = withRule(importRequest, async (body, about) => [
  ...(await optionProblems(body, about, FILE_HASH.test(body.file ?? ''))),
  ...(await rowProblems(body.contacts ?? [], about.context)),
]);

const rowProblems = async (contacts: readonly unknown[], context: Context): Promise<FieldProblem[]> =>
  problemsInList('contacts', await contactChecker.allProblems(contacts.map(withoutNulls), context));

const description = `As JSON with up to ${CONTACTS_PER_IMPORT} \`contacts\`, or as a form with a CSV as \`file\` and everything else as JSON in \`options\`. Rows find contacts as \`POST /v1/contacts\` does: given values replace existing ones (with \`fields_mode\` \`fill_empty\` they only fill empty ones), null and empty cells change nothing, tags are united, and what happens to a row whose addresses belong to several people depends on \`on_conflict\`, or else on the setting \`identity.on_conflict\`. \`list_ids\`: lists that all contacts are added to. \`consent\`: recorded for contacts without any statement for the channel and purpose. An import does not subscribe contacts again that have unsubscribed.

Up to ${MAX_SYNCHRONOUS_ROWS} rows are processed before the response, which has the result; more are accepted as a job, which is on disk and continues after a restart. Each invalid row is listed with its number, field and code, and does not affect the others. A dry run of more rows is a job, too: \`GET /v1/jobs/:id\` has its counts, \`GET /v1/jobs/:id/errors\` its errors. The stored rows become unreadable when the job ends.`;

/** The import of contacts. */
export function importRoutes(services: Services): AnyRoute[] {
  const { log } = services;

  async function importAll(request: ImportRequest): Promise<HttpResponse> {
    const { body } = request;
    const { rows, warnings } = await rowsOf(services, request);
    const on_conflict = body.on_conflict ?? (await loadOnConflict(log, request.caller.account));
    const response = await importRows(request, rows, optionsOf({ ...body, on_conflict }, services.publicUrl || null));
    return withWarnings(await warnings(), response);
  }

  async function importRows(request: ImportRequest, rows: Rows, options: ImportOptions): Promise<HttpResponse> {
    const { body, caller, execute } = request;
    if (body.dry_run) return dryRun(request, options, rows);
    const { output } = await execute(acceptImport, { options, rows, signal: request.signal });
    if (output.by === 'process') return { status: 202, body: accepted(output) };
    // A replay finds a completed import, and returns its result.
    while ((await execute(workOnJob, { job_id: output.job_id })).output.work === 'going_on');
    const found = await findImport(log, caller.account, output.job_id);
    return { status: 200, body: await readImport(log, found, Number.MAX_SAFE_INTEGER, { ignoreRevert: true }) };
  }

  return [
    route({
      ...contactRouteDefaults,
      method: 'POST',
      path: '/v1/contacts/import',
      operationId: 'importContacts',
      summary: 'Import contacts',
      description,
      access: 'write',
      body: importBody,
      bodyLimit: IMPORT_BODY_BYTES,
      bodyTypes: { 'multipart/form-data': readImportForm },
      sentAs: { 'multipart/form-data': importForm },
      responses: {
        200: {
          description: `The result for up to ${MAX_SYNCHRONOUS_ROWS} rows, or the expected result of a dry run.`,
          schema: result,
        },
        202: {
          description: 'All rows are on disk and will be processed. Of a dry run: the job, whose result is that of the dry run.',
          schema: Type.Union([importResource, jobResource]),
        },
      },
      errors: ['invalid_parameter', 'conflict'],
      handle: importAll,
    }),
  ];
}

/** A few rows are tried at once; many are a job. */
async function dryRun({ execute, signal }: ImportRequest, options: ImportOptions, rows: Rows): Promise<HttpResponse> {
  const first: ImportRow[] = [];
  for await (const row of rows()) if (first.push(row) > MAX_SYNCHRONOUS_ROWS) break;
  if (first.length > MAX_SYNCHRONOUS_ROWS) {
    const { output } = await execute(acceptImport, { options, rows, dryRun: true, signal });
    return { status: 202, body: acceptedJob(output, CONTACT_IMPORT_DRY_RUN) };
  }
  const { total, counts, errors, warnings } = (await execute(dryRunImport, { options, rows: () => first })).output;
  const shown = warnings.slice(0, MAX_SHOWN_WARNINGS).map(({ email_key: _, ...warning }) => shownWarning(warning));
  return {
    status: 200,
    body: { id: null, status: 'dry_run', total, ...counts, ...listedProblems(errors), ...(shown.length > 0 && { warnings: shown }) },
  };
}

const withWarnings = (warnings: readonly string[], response: HttpResponse): HttpResponse =>
  warnings.length === 0 ? response : { ...response, body: { ...(response.body as object), warnings: [...warnings, ...ofRows(response.body)] } };

const ofRows = (body: unknown): readonly unknown[] => (body as { readonly warnings?: readonly unknown[] }).warnings ?? [];

/** `unknown field: contacts[3].x`, of the first rows that have one. */
function unknownFieldsIn(contacts: readonly unknown[]): string[] {
  const warnings: string[] = [];
  for (const [i, contact] of contacts.entries()) {
    if (warnings.length >= MAX_NAMED_WARNINGS) break;
    if (typeof contact !== 'object' || contact === null || Array.isArray(contact)) continue;
    for (const name of Object.keys(contact))
      if (!Object.hasOwn(contactInput.properties, name)) warnings.push(`unknown field: contacts[${i}].${name}`);
  }
  return warnings.slice(0, MAX_NAMED_WARNINGS);
}

function accepted({ job_id, total, created_at }: StoredJob): ImportView {
  const nothing = { processed: 0, error_count: 0, errors: [], reverted: null };
  return { id: job_id, status: 'queued', total: total ?? 0, ...zeroCounts, ...nothing, created_at, finished_at: null };
}

function optionsOf(
  {
    list_ids = [],
    fields_mode = 'overwrite',
    on_conflict,
    consent,
    confirmed = false,
    proof: given,
    start_journeys = false,
  }: Body & {
    readonly on_conflict: OnConflict;
  },
  base_url: string | null,
): ImportOptions {
  const { proof, lawful_basis = 'consent', source = 'import', ...consentFields } = consent ?? {};
  return {
    list_ids: [...new Set(list_ids)],
    fields_mode,
    on_conflict,
    consent: consent ? { ...(consentFields as Pick<typeof consent, 'channel' | 'purpose' | 'status' | 'occurred_at'>), lawful_basis, source } : null,
    proof: proofOf(given) ?? (proof ? { ...noProof, ...proof } : null),
    base_url,
    ...(confirmed && { confirmed }),
    ...(start_journeys && { start_journeys }),
  };
}

interface GivenRows {
  readonly rows: Rows;
  /** What the caller should know; after the rows were read. */
  readonly warnings: () => Promise<readonly string[]>;
}

/** Throws `validation_error` unless there is either a file or a list of contacts, and every list exists. */
async function rowsOf(services: Services, call: ImportCall): Promise<GivenRows> {
  const { body, ruleContext } = call;
  const file = uploadedFile(body);
  const problems = await optionProblems(body, { context: ruleContext(), isMalformed: () => false, params: {} }, file !== null);
  const { contacts = [] } = body;
  if (problems.length > 0) throw invalid([...problems, ...(await rowProblems(contacts, ruleContext()))]);
  if (file) return rowsOfFile(services, call, file);
  const given = contacts.map((contact, i) => ({ row: i + 1, contact, problems: [] }));
  return { rows: () => checkedRows(given, ruleContext), warnings: async () => unknownFieldsIn(contacts) };
}

/** Throws `invalid_parameter` and `validation_error` for what can be known of the whole file before its first row is stored. */
async function rowsOfFile({ log }: Services, { body, caller, ruleContext }: ImportCall, bytes: Buffer): Promise<GivenRows> {
  const { delimiter = null, encoding = null, strict = false } = body;
  const file = openCsv(bytes, { encoding, delimiter });
  const fields = await loadCustomFields(log, caller.account);
  const settings = (await loadSettings(log, caller.account)) ?? defaultSettings('', 'UTC');
  const mapping = { ...body.mapping, ...Object.fromEntries((body.ignore_columns ?? []).map((name) => [name, null])) };
  const columns = columnsOf(file, mapping, fields);
  const readers = await cellReaders(file, columns, body, settings, () => ruleContext().yieldToEventLoop());
  let leftOut: LeftOutCells | null = null;
  const rows = (): AsyncIterable<ImportRow> => {
    if (strict) return checkedRows(readCsvRows(file, readers), ruleContext);
    leftOut = new LeftOutCells();
    return leniently(readCsvRows(file, readers), ruleContext, fields, leftOut);
  };
  const cellWarnings = async (): Promise<string[]> => {
    // The rows of an import that was accepted before are not read again.
    if (!strict && !leftOut?.isComplete) for await (const _ of rows());
    return leftOut?.warnings((field) => columns.find((column) => column?.field === field)?.name ?? field) ?? [];
  };
  const unknown = unknownColumns(file, mapping, fields).map((name) => `unknown column: ${name}`);
  return { rows, warnings: async () => [...file.warnings, ...unknown, ...(await cellWarnings())] };
}

/** Rules of an import beyond its schema, except those of its rows. */
async function optionProblems(body: WellFormed<Body>, { context, isMalformed }: RuleContext, hasFile: boolean): Promise<FieldProblem[]> {
  const ofConfirmed = confirmedProblems(body, (field) => isMalformed(field) || isMalformed('consent'), [body.consent?.proof as Body['proof']]);
  const lists = [...(await unknownLists(context, body.list_ids ?? [])), ...ofConfirmed];
  if (hasFile) {
    const rows = body.contacts ? [{ field: 'options.contacts', code: 'not_allowed', message: 'Send the rows in the file, or as JSON.' }] : [];
    return [...lists, ...rows, ...encodingProblems('options.encoding', body.encoding), ...cellOptionProblems(body as CellOptions)];
  }
  const ofFiles = FILE_OPTIONS.filter((field) => body[field] !== undefined);
  const message = 'This needs a CSV, sent as multipart/form-data.';
  const rowless = !isMalformed('contacts') && (body.contacts ?? []).length === 0;
  return [
    ...lists,
    ...ofFiles.map((field) => ({ field, code: 'not_allowed', message })),
    ...(rowless ? [{ field: 'contacts', code: 'required', message: 'Send at least one row.' }] : []),
  ];
}
