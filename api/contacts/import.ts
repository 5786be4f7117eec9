import Type, { type Static } from 'typebox';
import { type AcceptedRows, acceptImport, MAX_SYNCHRONOUS_ROWS } from '../../commands/contacts/accept-import.js';
import { contactInput } from '../../commands/contacts/contact-input.js';
import { dryRunImport } from '../../commands/contacts/dry-run-import.js';
import { workOnImport } from '../../commands/contacts/work-on-import.js';
import { noProof } from '../../domain/consent/consent.js';
import { type ImportOptions, type ImportRow, zeroCounts } from '../../domain/contacts/import.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { loadCustomFields } from '../../log/contacts/load-custom-fields.js';
import { findImport } from '../../log/contacts/load-import.js';
import { type ImportView, readImport } from '../../queries/contacts/imports.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { bodyValidator } from '../kernel/validation.js';
import { common } from './contacts.js';
import { readCsvRows, requireUtf8 } from './import-csv.js';
import { readImportForm, uploadedFile } from './import-file.js';
import { CONTACTS_PER_IMPORT, exampleImport, IMPORT_BODY_BYTES, importDryRun, importRequest, importResource } from './import-schemas.js';

type Body = Static<typeof importRequest>;
type Rows = () => AsyncIterable<ImportRow> | Iterable<ImportRow>;

const result = Type.Union([importResource, importDryRun]);
const checkContact = bodyValidator(contactInput);

const description = `As JSON with up to ${CONTACTS_PER_IMPORT} \`contacts\`, or as a form with a CSV as \`file\` and everything else as JSON in \`options\`. Rows find contacts as \`POST /v1/contacts\` does: values that are given replace those that are known (with \`fields_mode\` \`fill_empty\` they only fill), null and empty cells are no values, tags unite, and a row that names two contacts merges them unless \`on_conflict\` says otherwise. \`list_ids\` are lists that everybody is put on; \`consent\` is put into the ledger of those of whom nothing is said yet. Nobody who unsubscribed comes back by an import.

Up to ${MAX_SYNCHRONOUS_ROWS} rows are answered with the result; more are accepted as a job, which is on disk and goes on whatever happens. Each wrong row is named with its number, field and code; it leaves the others alone. The rows themselves are unreadable as soon as the job is over.`;

/** Bringing many contacts along from elsewhere. */
export function importRoutes(services: Services): AnyRoute[] {
  const { log } = services;

  async function importAll(request: Request<unknown, unknown, Body>): Promise<HttpResponse> {
    const { body, caller, execute } = request;
    const rows = await rowsOf(services, caller.account, body);
    const options = optionsOf(body, services.publicUrl || null);
    if (body.dry_run) {
      const { total, counts, errors } = (await execute(dryRunImport, { options, rows })).output;
      return { status: 200, body: { id: null, status: 'dry_run', total, ...counts, errors } };
    }
    const { output } = await execute(acceptImport, { options, rows });
    if (output.by === 'process') return { status: 202, body: accepted(output) };
    // A repeat of the request meets an import that is over, and is answered with what came of it.
    while (!(await execute(workOnImport, { import_id: output.import_id })).output.over);
    const job = await findImport(log, caller.account, output.import_id);
    const ended = 'outcome' in job ? ({ ...job, status: job.outcome } as const) : job;
    return { status: 200, body: await readImport(log, ended, Number.MAX_SAFE_INTEGER) };
  }

  return [
    route({
      ...common,
      method: 'POST',
      path: '/v1/contacts/import',
      operationId: 'importContacts',
      summary: 'Import contacts',
      description,
      access: 'write',
      body: importRequest,
      bodyLimit: IMPORT_BODY_BYTES,
      bodyTypes: { 'multipart/form-data': readImportForm },
      responses: {
        200: {
          description: `What became of up to ${MAX_SYNCHRONOUS_ROWS} rows, or would become of any in a dry run.`,
          schema: result,
          example: exampleImport,
        },
        202: {
          description: 'All rows are on disk and will be worked off.',
          schema: importResource,
          example: { ...exampleImport, status: 'queued', ...zeroCounts, total: 100_000, processed: 0, error_count: 0, errors: [], finished_at: null },
        },
      },
      errors: ['invalid_parameter', 'conflict'],
      example: {
        contacts: [
          { email: 'ada@example.com', first_name: 'Ada', tags: ['vip'] },
          { phone: '+14155550100', custom_fields: { plan: 'pro' } },
        ],
        fields_mode: 'overwrite',
        dry_run: false,
      },
      handle: importAll,
    }),
  ];
}

function accepted({ import_id, total, created_at }: AcceptedRows): ImportView {
  const nothing = { processed: 0, error_count: 0, errors: [], reverted: null };
  return { id: import_id, status: 'queued', total, ...zeroCounts, ...nothing, created_at, finished_at: null };
}

function optionsOf({ list_ids = [], fields_mode = 'overwrite', on_conflict = 'merge', consent }: Body, base_url: string | null): ImportOptions {
  const { proof, lawful_basis = 'consent', source = 'import', ...said } = consent ?? {};
  return {
    list_ids: [...new Set(list_ids)],
    fields_mode,
    on_conflict,
    consent: consent ? { ...(said as Pick<typeof consent, 'channel' | 'purpose' | 'status' | 'occurred_at'>), lawful_basis, source } : null,
    proof: proof ? { ...noProof, ...proof } : null,
    base_url,
  };
}

/** Throws `validation_error` unless there is either a file or a list of contacts. */
async function rowsOf({ log }: Services, account: string, body: Body): Promise<Rows> {
  const { contacts, mapping = {}, delimiter = null } = body;
  const file = uploadedFile(body);
  if (file) {
    if (contacts) throw invalid([{ field: 'options.contacts', code: 'not_allowed', message: 'Send the rows in the file, or as JSON.' }]);
    requireUtf8(file);
    const fields = await loadCustomFields(log, account);
    return () => checked(readCsvRows(file, { mapping, delimiter }, fields));
  }
  const problems: FieldProblem[] = [];
  for (const field of ['file', 'mapping', 'delimiter'] as const) {
    if (body[field] !== undefined)
      problems.push({ field, code: 'not_allowed', message: 'This goes with a CSV, which is sent as multipart/form-data.' });
  }
  if (!contacts || contacts.length === 0) problems.push({ field: 'contacts', code: 'required', message: 'Send at least one row.' });
  if (problems.length > 0) throw invalid(problems);
  return () => checked((contacts ?? []).map((contact, i) => ({ row: i + 1, contact })));
}

/** Rows whose shape is looked at. */
async function* checked(rows: AsyncIterable<ImportRow> | Iterable<{ readonly row: number; readonly contact: unknown }>): AsyncGenerator<ImportRow> {
  for await (const one of rows) yield 'problems' in one ? (one as ImportRow) : checkedRow(one.row, one.contact);
}

function checkedRow(row: number, given: unknown): ImportRow {
  const said = withoutNulls(given);
  const { problems } = checkContact(said);
  if (problems.length === 0) return { row, contact: said as Record<string, unknown> };
  return { row, problems: problems.map(({ field, code, message }) => ({ field: field === 'body' ? '' : field, code, message })) };
}

function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const known = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, name === 'custom_fields' && !Array.isArray(value) ? withoutNulls(value) : value]));
}
