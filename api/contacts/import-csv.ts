import { baseFields, contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../../domain/contacts/facts.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { valueFromText } from '../../formats/contacts/custom-field-values.js';
import { type CsvFile, type CsvRow, namesOfColumns } from '../http/csv/csv-file.js';

/** A row of an import before its shape is validated. */
export interface ReadRow {
  readonly row: number;
  /** Null if the row is not a contact. */
  readonly contact: unknown;
  /** Problems of the cells whose text is not a valid value of their field. */
  readonly problems: readonly FieldProblem[];
}

export interface ColumnOptions {
  /** By column name: the field that it fills, or null for a column that is ignored. */
  readonly mapping: Readonly<Record<string, string | null>>;
}

const MAX_COLUMNS = 400;

/** Column names in the exports of other services. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  tags: 'tags',
  ...Object.fromEntries(baseFields.flatMap((name) => [name, ...contactFields[name].columns].map((column) => [column, name]))),
};

/**
 * The rows of a CSV as contacts. Empty cells are absent values. Throws `invalid_parameter` for a file whose first row cannot be read, and
 * `validation_error` for a mapping to unknown fields or without a field that identifies a contact.
 */
export function* readCsvRows(file: CsvFile, { mapping }: ColumnOptions, fields: CustomFields): Generator<ReadRow> {
  if (file.headerProblem) throw invalidCsv(`has no names of columns that can be read: ${file.headerProblem.message}`);
  const targets = columnTargets(file, mapping, fields);
  for (const row of file.rows()) yield row.problem ? { row: row.row, contact: null, problems: [row.problem] } : rowOf(row, targets);
}

/** Columns that fill no field, and that the mapping does not leave out. */
export const unknownColumns = ({ header }: CsvFile, { mapping }: ColumnOptions, fields: CustomFields): string[] =>
  header.filter((name) => name !== '' && !Object.hasOwn(mapping, name) && guessField(name, fields) === null);

/** The field of a column, and the parser of its cells; undefined for a text of another type. */
interface ColumnTarget {
  readonly field: string;
  readonly valueOf: (text: string) => unknown;
}

function columnTargets({ header, delimiter }: CsvFile, mapping: ColumnOptions['mapping'], fields: CustomFields): (ColumnTarget | null)[] {
  if (header.length > MAX_COLUMNS) throw invalidCsv(`has ${header.length} columns; at most ${MAX_COLUMNS} are read`);
  const problems: FieldProblem[] = [];
  const seen = `The columns of the file are ${namesOfColumns(header)}.`;
  const named = header.map((name) => {
    const wanted = Object.hasOwn(mapping, name) ? ownField(mapping, name) : guessField(name, fields);
    if (wanted === null || wanted === undefined) return null;
    const target = columnTarget(wanted, fields);
    if (!target) problems.push({ field: `options.mapping.${name}`, code: 'unknown_field', message: `There is no field '${wanted}'.` });
    return target;
  });
  for (const name of Object.keys(mapping)) {
    if (header.includes(name)) continue;
    problems.push({ field: `options.mapping.${name}`, code: 'unknown_column', message: `The file has no column '${name}'. ${seen}` });
  }
  const filled = named.flatMap((target) => (target ? [target.field] : []));
  const twice = [...new Set(filled.filter((field, i) => filled.indexOf(field) !== i))];
  for (const field of twice) {
    const columns = header.filter((_, i) => named[i]?.field === field);
    problems.push({ field: 'options.mapping', code: 'duplicate', message: `Two columns fill '${field}': ${namesOfColumns(columns)}.` });
  }
  const unique = [...fields.values()].filter((field) => field.unique).map(({ key }) => customFieldName(key));
  if (problems.length === 0 && !filled.some((field) => field === 'email' || field === 'phone' || unique.includes(field))) {
    const needed = 'The first row has the names of the columns, and one of them must be email, phone or a unique custom field.';
    const found = header.length === 0 ? 'The file is empty.' : `${seen} They are separated by ${delimiterNames.get(delimiter) ?? `'${delimiter}'`}.`;
    problems.push({ field: 'file', code: 'required', message: `No column identifies a contact. ${needed} ${found}` });
  }
  if (problems.length > 0) throw invalid(problems);
  return named;
}

const delimiterNames: ReadonlyMap<string, string> = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]);

function guessField(name: string, fields: CustomFields): string | null {
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (Object.hasOwn(COLUMN_ALIASES, plain)) return ownField(COLUMN_ALIASES, plain) as string;
  if (name.startsWith(CUSTOM_FIELD_PREFIX) && fields.has(name.slice(CUSTOM_FIELD_PREFIX.length))) return name;
  return fields.has(plain) ? customFieldName(plain) : null;
}

function columnTarget(field: string, fields: CustomFields): ColumnTarget | null {
  if (field === 'tags') return { field, valueOf: (text) => splitList(text, /[;,]/) };
  if (isBaseField(field)) return { field, valueOf: (text) => text };
  const custom = field.startsWith(CUSTOM_FIELD_PREFIX) ? fields.get(field.slice(CUSTOM_FIELD_PREFIX.length)) : undefined;
  if (!custom) return null;
  if (custom.type === 'string_list') return { field, valueOf: (text) => splitList(text, /;/) };
  if (custom.type === 'json') return { field, valueOf: parseJsonCell };
  return { field, valueOf: (text) => valueFromText(text, custom) };
}

const splitList = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');

function parseJsonCell(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowOf({ row, cells }: CsvRow, targets: readonly (ColumnTarget | null)[]): ReadRow {
  if (cells.length > targets.length) {
    const message = `The row has ${cells.length} cells, the file has ${targets.length} columns.`;
    return { row, contact: null, problems: [{ field: '', code: 'too_many_cells', message }] };
  }
  const contact: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [i, target] of targets.entries()) {
    const text = cells[i];
    if (!target || !text) continue;
    const { field } = target;
    const value = target.valueOf(text);
    if (value === undefined) problems.push({ field, code: 'invalid_type', message: 'The text is not a value of this type.' });
    else if (field.startsWith(CUSTOM_FIELD_PREFIX)) setOwnField(custom, field.slice(CUSTOM_FIELD_PREFIX.length), value);
    else setOwnField(contact, field, value);
  }
  if (Object.keys(custom).length > 0) contact.custom_fields = custom;
  return { row, contact, problems };
}

const invalidCsv = (what: string): DomainError => new DomainError('invalid_parameter', `The CSV ${what}.`);
