import Type, { type Static } from 'typebox';
import { previewImport, type RowPreview } from '../../commands/contacts/preview-import.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import type { ImportRow } from '../../domain/contacts/import.js';
import { type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { list, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import type { CsvFile } from '../http/csv/csv-file.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { problemDetails } from '../http/shared-schemas.js';
import { checkedRows, LeftOutCells } from './checked-rows.js';
import { type ColumnPlan, type ColumnWishes, mappingTargetOf, planColumns } from './columns/column-plan.js';
import { readJsonRows, scanJson } from './columns/json-rows.js';
import type { ColumnValues } from './columns/recognize.js';
import { contactRouteDefaults } from './contacts.js';
import { haveLists, openGiven, optionProblems, rowsReader, scanFile, unmappedProblems, wishesOf } from './given-rows.js';
import { importBody, importOptionsOf } from './import.js';
import { cellReaders } from './import-cells.js';
import { columnsOf } from './import-columns.js';
import { readImportForm, uploadedFile } from './import-file.js';
import { IMPORT_BODY_BYTES, importForm, type importRequest } from './import-schemas.js';

/** Rows that are shown. */
const SHOWN_ROWS = 100;
/** Rows at the beginning that the proposals are made by. */
const SAMPLED_ROWS = 1_000;
const SHOWN_SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 100;

const rowProblem = named('PreviewProblem', record({ field: text, code: text, message: text, ...problemDetails }));

const previewResource = named(
  'ContactImportPreview',
  record({
    columns: list(
      named(
        'PreviewColumn',
        record({
          name: text,
          proposed: nullable(Type.String({ description: 'As in `mapping`: what the column would fill or say. Null: it is left out.' })),
          reason: Type.String({ description: 'Why, as a sentence.' }),
          samples: list(text),
        }),
      ),
    ),
    rows: list(
      named(
        'PreviewRow',
        record({
          row: Type.Integer({ minimum: 1, description: 'From 1, without the header row.' }),
          would: named('RowPreviewOutcome', oneOf('create', 'merge', 'unchanged', 'fail')),
          contact_id: nullable(Type.String({ description: 'The contact that the row is about; null of one that does not exist yet.' })),
          warnings: list(text),
          errors: list(rowProblem),
        }),
      ),
    ),
    errors: Type.Array(rowProblem, { description: 'Why the import would not begin. Without `rows` if they cannot be read at all.' }),
    encoding: nullable(Type.String({ description: 'The encoding of the file; null of JSON.' })),
    delimiter: nullable(text),
    sampled_rows: Type.Integer({
      minimum: 0,
      description: `The proposals are made by so many rows, at most ${SAMPLED_ROWS}. The import looks at all rows before it begins, and may stop at a value that this preview has not seen.`,
    }),
    warnings: optional(list(text)),
  }),
);
type Preview = Static<typeof previewResource>;
type PreviewRequest = Request<unknown, unknown, Static<typeof importRequest>>;

/** The preview of an import of contacts. */
export function importPreviewRoutes(services: Services): AnyRoute[] {
  async function preview(request: PreviewRequest): Promise<HttpResponse> {
    const { body, ruleContext } = request;
    const bytes = uploadedFile(body);
    const problems = await optionProblems(body, { context: ruleContext(), isMalformed: () => false, params: {} }, bytes !== null);
    if (problems.length > 0) throw invalid(problems);
    const file = bytes && openGiven(bytes, body);
    const wishes = await wishesOf(services, request, file ? file.header.includes('lists') : haveLists(body.contacts ?? []));
    if (!file) return { status: 200, body: await previewOfJson(services, request, wishes) };
    return { status: 200, body: await previewOfFile(services, request, firstRows(file), wishes) };
  }

  return [
    route({
      ...contactRouteDefaults,
      method: 'POST',
      path: '/v1/contacts/import/preview',
      operationId: 'previewContactImport',
      summary: 'Preview an import',
      description: `Takes the same request as the import, and answers what each column is taken for and what would become of the first ${SHOWN_ROWS} rows. Nothing is stored.`,
      access: 'write',
      body: importBody,
      bodyLimit: IMPORT_BODY_BYTES,
      bodyTypes: { 'multipart/form-data': readImportForm },
      sentAs: { 'multipart/form-data': importForm },
      responses: { 200: { description: 'The proposals, and what would become of the first rows.', schema: previewResource } },
      errors: ['invalid_parameter'],
      handle: preview,
    }),
  ];
}

/** The file, as if it ended early: a large one must not be read to its end. */
function firstRows(file: CsvFile): CsvFile {
  const rows = function* () {
    let n = 0;
    for (const row of file.rows()) {
      if (n++ === SAMPLED_ROWS) return;
      yield row;
    }
  };
  return { ...file, rows };
}

async function previewOfFile(services: Services, request: PreviewRequest, file: CsvFile, wishes: ColumnWishes): Promise<Preview> {
  const { body, caller, ruleContext } = request;
  const pause = () => ruleContext().yieldToEventLoop();
  const scan = await scanFile(file, pause);
  const values = scan.columns();
  const plan = planColumns(values, wishes);
  const columns = shownColumns(plan, values);
  const about = { columns, encoding: file.encoding, delimiter: file.delimiter, sampled_rows: scan.rows };
  const warnings = file.warnings.length > 0 ? { warnings: [...file.warnings] } : {};
  const errors = unmappedProblems(plan, scan);
  try {
    const settings = (await loadSettings(services.log, caller.account)) ?? defaultSettings('', 'UTC');
    const cells = await cellReaders(file, columnsOf(file, plan, wishes), body, settings, pause);
    const leftOut = new CellsOfRows();
    const readers = { cells, statements: plan.columns.map(({ statement }) => statement) };
    const { rows } = rowsReader(file, readers, {
      strict: body.strict ?? false,
      fields: wishes.fields,
      ruleContext,
      unknownFields: request.unknownFields,
      leftOut: () => leftOut,
    });
    return { ...about, ...warnings, errors, rows: await previewOfRows(services, request, rows(), leftOut) };
  } catch (e) {
    if (!isDomainError(e) || e.code !== 'validation_error') throw e;
    return { ...about, ...warnings, errors: [...errors, ...((e.details.errors as FieldProblem[] | undefined) ?? [])], rows: [] };
  }
}

async function previewOfJson(services: Services, request: PreviewRequest, wishes: ColumnWishes): Promise<Preview> {
  const contacts = (request.body.contacts ?? []).slice(0, SAMPLED_ROWS);
  const scan = scanJson(contacts);
  const values = scan.columns();
  const plan = planColumns(values, wishes);
  if (plan.problems.length > 0) throw invalid(plan.problems);
  const rows = checkedRows(readJsonRows(contacts, plan), request);
  return {
    columns: shownColumns(plan, values),
    rows: await previewOfRows(services, request, rows, new CellsOfRows()),
    errors: unmappedProblems(plan, scan),
    ...{ encoding: null, delimiter: null, sampled_rows: scan.rows },
  };
}

function shownColumns({ columns }: ColumnPlan, values: readonly ColumnValues[]): Preview['columns'] {
  return columns.map((column, i) => {
    const samples = [...(values[i]?.values ?? [])].slice(0, SHOWN_SAMPLES).map((sample) => sample.slice(0, MAX_SAMPLE_LENGTH));
    return { name: column.name, proposed: mappingTargetOf(column), reason: column.reason, samples };
  });
}

/** Cells that are left out, by row. */
class CellsOfRows extends LeftOutCells {
  readonly rows = new Map<number, string[]>();

  override add(row: number, field: string, message: string): void {
    this.rows.set(row, [...(this.rows.get(row) ?? []), `${field}: ${message}`]);
  }
}

async function previewOfRows(
  services: Services,
  request: PreviewRequest,
  rows: AsyncIterable<ImportRow>,
  leftOut: CellsOfRows,
): Promise<Preview['rows']> {
  const first: ImportRow[] = [];
  for await (const row of rows) if (first.push(row) === SHOWN_ROWS) break;
  const { output }: { output: RowPreview[] } = await request.execute(previewImport, {
    options: await importOptionsOf(services, request),
    rows: first,
  });
  return output.map(({ row, would, contact_id, warnings, errors }) => ({
    ...{ row, would, contact_id },
    warnings: [...(leftOut.rows.get(row) ?? []), ...warnings],
    errors: [...errors],
  }));
}
