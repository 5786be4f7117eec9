import { CUSTOM_FIELD_PREFIX } from '../../domain/contacts/facts.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { setOwnField } from '../../domain/kernel/own-fields.js';
import { withoutFormulaPrefix } from '../../formats/contacts/formula-prefix.js';
import type { CsvFile, CsvRow } from '../http/csv/csv-file.js';
import type { CellReader } from './import-cells.js';

/** A row of an import before its shape is validated. */
export interface ReadRow {
  readonly row: number;
  /** Null if the row is not a contact. */
  readonly contact: unknown;
  /** Problems of the cells whose text is not a valid value of their field. */
  readonly problems: readonly FieldProblem[];
}

/** The rows of a CSV as contacts. Empty cells are absent values. `readers`: of its columns; null for a column that fills nothing. */
export function* readCsvRows(file: CsvFile, readers: readonly (CellReader | null)[]): Generator<ReadRow> {
  for (const row of file.rows()) yield row.problem ? { row: row.row, contact: null, problems: [row.problem] } : rowOf(row, readers);
}

function rowOf({ row, cells }: CsvRow, readers: readonly (CellReader | null)[]): ReadRow {
  // Spreadsheets end rows with empty cells.
  if (cells.length > readers.length && cells.slice(readers.length).some((cell) => cell !== '')) {
    const message = `The row has ${cells.length} cells, the file has ${readers.length} columns.`;
    return { row, contact: null, problems: [{ field: '', code: 'too_many_cells', message }] };
  }
  const contact: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [i, reader] of readers.entries()) {
    const text = cells[i];
    if (!reader || !text) continue;
    const { field } = reader.column;
    const read = reader.read(withoutFormulaPrefix(text));
    if ('code' in read) problems.push({ field, ...read });
    else if (field.startsWith(CUSTOM_FIELD_PREFIX)) setOwnField(custom, field.slice(CUSTOM_FIELD_PREFIX.length), read.value);
    else setOwnField(contact, field, read.value);
  }
  if (Object.keys(custom).length > 0) contact.custom_fields = custom;
  return { row, contact, problems };
}
