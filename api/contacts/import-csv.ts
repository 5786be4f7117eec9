import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { withoutFormulaPrefix } from '../../formats/contacts/formula-prefix.js';
import type { CsvFile } from '../http/csv/csv-file.js';
import type { ReadRow } from './columns/read-row.js';
import { type StatementColumn, statementsOf } from './columns/row-statements.js';
import type { CellReader } from './import-cells.js';

/** How the columns of a file are read; null for a column that fills nothing, or says nothing. */
export interface ColumnReaders {
  readonly cells: readonly (CellReader | null)[];
  readonly statements: readonly (StatementColumn | null)[];
}

/** The rows of a CSV as contacts. Empty cells are absent values. */
export function* readCsvRows(file: CsvFile, readers: ColumnReaders): Generator<ReadRow> {
  const byRank = readers.cells
    .flatMap((reader, i) => (reader ? [{ reader, i, key: reader.column.custom?.key ?? null }] : []))
    .sort((a, b) => a.reader.column.rank - b.reader.column.rank);
  const stated = readers.statements.flatMap((column, i) => (column ? [{ column, i }] : []));
  const width = readers.cells.length;
  for (const { row, cells, problem } of file.rows()) {
    if (problem) yield { row, contact: null, problems: [problem] };
    // Spreadsheets end rows with empty cells.
    else if (cells.length > width && cells.slice(width).some((cell) => cell !== ''))
      yield { row, contact: null, problems: [tooManyCells(cells.length, width)] };
    else yield rowOf(row, cells, byRank, stated);
  }
}

const tooManyCells = (cells: number, columns: number): FieldProblem => ({
  field: '',
  code: 'too_many_cells',
  message: `The row has ${cells} cells, the file has ${columns} columns.`,
});

/** `key`: of a custom field. */
interface PlacedReader {
  readonly reader: CellReader;
  readonly i: number;
  readonly key: string | null;
}

function rowOf(
  row: number,
  cells: readonly string[],
  readers: readonly PlacedReader[],
  stated: readonly { readonly column: StatementColumn; readonly i: number }[],
): ReadRow {
  const contact: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const { reader, i, key } of readers) {
    const text = cells[i];
    if (!text) continue;
    const { field } = reader.column;
    const read = reader.read(withoutFormulaPrefix(text));
    if ('code' in read) problems.push({ field, ...read });
    else if (key !== null) setOwnField(custom, key, read.value);
    else fill(contact, field, read.value);
  }
  splitName(contact);
  if (Object.keys(custom).length > 0) contact.custom_fields = custom;
  const said = stated.length > 0 ? statementsOf(stated.map(({ column, i }) => [column, cells[i] ?? ''])) : null;
  // What is not understood of consent is never a cell that is merely left out.
  if (said && said.problems.length > 0) return { row, contact: null, problems: [...problems, ...said.problems] };
  return { row, contact, problems, ...(said && said.statements.length > 0 && { statements: said.statements }) };
}

/** Several columns may fill one field: lists are joined, of other values the first one counts. */
function fill(contact: Record<string, unknown>, field: string, value: unknown): void {
  const known = ownField(contact, field);
  if (known === undefined) setOwnField(contact, field, value);
  else if (Array.isArray(known) && Array.isArray(value)) setOwnField(contact, field, [...new Set([...known, ...value])]);
}

/** `Lovelace, Ada` and `Ada Lovelace` have the family name `Lovelace`. */
function splitName(contact: Record<string, unknown>): void {
  const { name } = contact;
  delete contact.name;
  if (typeof name !== 'string') return;
  const comma = /^([^,]+),\s*(.+)$/.exec(name);
  const [first, ...others] = comma ? [comma[2] as string, comma[1] as string] : name.split(/\s+/);
  if (first) setOwnField(contact, 'first_name', first);
  if (others.length > 0) setOwnField(contact, 'last_name', others.join(' '));
}
