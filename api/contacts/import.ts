import Type, { type Static } from 'typebox';
import { acceptImport, MAX_SYNCHRONOUS_ROWS } from '../../commands/contacts/accept-import.js';
import { dryRunImport } from '../../commands/contacts/dry-run-import.js';
import type { StoredJob } from '../../commands/jobs/store-job.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { withRule } from '../../commands/runtime/rules.js';
import type { OnConflict } from '../../domain/accounts/settings.js';
import { noProof } from '../../domain/consent/consent.js';
import { CONTACT_IMPORT_DRY_RUN, type ImportOptions, type ImportRow, zeroCounts } from '../../domain/contacts/import.js';
import { findImport } from '../../log/aggregates/contacts/load-import.js';
import { loadOnConflict } from '../../log/aggregates/contacts/load-on-conflict.js';
import { type ImportView, MAX_SHOWN_WARNINGS, readImport, shownWarning } from '../../projections/contacts/imports.js';
import { proofOf } from '../consent/confirmed.js';
import { listedProblems } from '../http/items.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { contactRouteDefaults } from './contacts.js';
import { type AppliedColumn, type GivenRows, givenRows, optionProblems, type Rows, rowProblems } from './given-rows.js';
import { readImportForm } from './import-file.js';
import { CONTACTS_PER_IMPORT, IMPORT_BODY_BYTES, importDryRun, importForm, importRequest, importResource } from './import-schemas.js';

type Body = Static<typeof importRequest>;
type ImportRequest = Request<unknown, unknown, Body>;

const result = Type.Union([importResource, importDryRun]);

/** The form parser replaces an uploaded file by its hash. */
const FILE_HASH = /^[0-9a-f]{64}$/;

/** The body of an import and of its preview. */
export const importBody = withRule(importRequest, async (body, about) => [
  ...(await optionProblems(body, about, FILE_HASH.test(body.file ?? ''))),
  ...(await rowProblems(body, about.context, about.strict)),
]);

const description = `As JSON with up to ${CONTACTS_PER_IMPORT} \`contacts\`, or as a form with a CSV as \`file\` and everything else as JSON in \`options\`. Rows find contacts as \`POST /v1/contacts\` does: given values replace existing ones (with \`fields_mode\` \`fill_empty\` they only fill empty ones), null and empty cells change nothing, tags are united, and what happens to a row whose addresses belong to several people depends on \`on_conflict\`, or else on the setting \`identity.on_conflict\`. \`list_ids\`: lists that all contacts are added to. \`consent\`: recorded for contacts without any statement for the channel and purpose. An import does not subscribe contacts again that have unsubscribed.

Up to ${MAX_SYNCHRONOUS_ROWS} rows are processed before the response, which has the result; more are accepted as a job, which is on disk and continues after a restart. Each invalid row is listed with its number, field and code, and does not affect the others. A dry run of more rows is a job, too: \`GET /v1/jobs/:id\` has its counts, \`GET /v1/jobs/:id/errors\` its errors. The stored rows become unreadable when the job ends.`;

/** The import of contacts. */
export function importRoutes(services: Services): AnyRoute[] {
  const { log } = services;

  async function importAll(request: ImportRequest): Promise<HttpResponse> {
    const given = await givenRows(services, request);
    const response = await importRows(request, given, await importOptionsOf(services, request));
    return withWarnings(await given.warnings(), withColumns(given.columns, response));
  }

  async function importRows(request: ImportRequest, { rows, stopped }: GivenRows, given: ImportOptions): Promise<HttpResponse> {
    const { body, caller, execute } = request;
    const options = stopped ? { ...given, stopped } : given;
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

/** A job of another kind has no columns. */
const withColumns = (columns: readonly AppliedColumn[], response: HttpResponse): HttpResponse =>
  columns.length === 0 || 'kind' in (response.body as object) ? response : { ...response, body: { ...(response.body as object), columns } };

const withWarnings = (warnings: readonly string[], response: HttpResponse): HttpResponse =>
  warnings.length === 0 ? response : { ...response, body: { ...(response.body as object), warnings: [...warnings, ...ofRows(response.body)] } };

const ofRows = (body: unknown): readonly unknown[] => (body as { readonly warnings?: readonly unknown[] }).warnings ?? [];

function accepted({ job_id, total, created_at }: StoredJob): ImportView {
  const nothing = { processed: 0, error_count: 0, errors: [], reverted: null };
  return { id: job_id, status: 'queued', total: total ?? 0, ...zeroCounts, ...nothing, created_at, finished_at: null };
}

/** The options of an import, as its job stores them. */
export async function importOptionsOf(
  { log, publicUrl }: Services,
  { body, caller }: Pick<ImportRequest, 'body' | 'caller'>,
): Promise<ImportOptions> {
  const on_conflict = body.on_conflict ?? (await loadOnConflict(log, caller.account));
  return optionsOf({ ...body, on_conflict }, publicUrl || null);
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
