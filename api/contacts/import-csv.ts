import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { baseFields, contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../../domain/contacts/facts.js';
import { isOtherAddressField, otherAddressFields, otherAddressNames } from '../../domain/contacts/other-addresses.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { valueFromText } from '../../formats/contacts/custom-field-values.js';

/** A row of an import before its shape is validated. */
export interface ReadRow {
  readonly row: number;
  /** Null if the row is not a contact. */
  readonly contact: unknown;
  /** Problems of the cells whose text is not a valid value of their field. */
  readonly problems: readonly FieldProblem[];
}

export interface CsvOptions {
  /** By column name: the field that it fills, or null for a column that is ignored. */
  readonly mapping: Readonly<Record<string, string | null>>;
  /** Default: the one of `,`, `;` and tab that occurs most often in the first line. */
  readonly delimiter: string | null;
}

/** Bytes per chunk for the parser, so that only this much of the file is in memory as text. */
const SLICE_BYTES = 64 * 1024;
const MAX_RECORD_BYTES = 128_000;
const MAX_COLUMNS = 400;

/** Column names in the exports of other services. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  tags: 'tags',
  ...Object.fromEntries(baseFields.flatMap((name) => [name, ...contactFields[name].columns].map((column) => [column, name]))),
  ...Object.fromEntries(otherAddressNames.flatMap((name) => [name, ...otherAddressFields[name].columns].map((column) => [column, name]))),
};

/**
 * Reads the rows of a CSV, numbered from 1 after the header row. Empty cells are absent values. Throws
 * `invalid_parameter` for a text that is not CSV, and `validation_error` for a mapping to unknown fields or without a field that
 * identifies a contact.
 */
export async function* readCsvRows(file: Buffer, options: CsvOptions, fields: CustomFields): AsyncGenerator<ReadRow> {
  let targets: readonly (ColumnTarget | null)[] | null = null;
  let row = 0;
  const parser = Readable.from(slices(file)).pipe(parse(formatOf(file, options)));
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (!targets) targets = columnTargets(cells, options.mapping, fields);
      else yield rowOf(++row, cells, targets);
    }
  } catch (e) {
    if (e instanceof DomainError) throw e;
    if (e instanceof CsvError) throw invalidCsv(`cannot be read: ${e.message}`);
    throw e;
  }
}

/** Columns that fill no field, and that the mapping does not leave out. None of a header row that cannot be read. */
export function unknownColumns(file: Buffer, options: CsvOptions, fields: CustomFields): string[] {
  try {
    const [header = []] = parseAtOnce(file.toString('utf8', 0, SLICE_BYTES), { ...formatOf(file, options), to: 1 }) as string[][];
    const names = header.map((cell) => cell.trim());
    return names.filter((name) => name !== '' && !Object.hasOwn(options.mapping, name) && guessField(name, fields) === null);
  } catch {
    return [];
  }
}

const formatOf = (file: Buffer, { delimiter }: CsvOptions) => ({
  bom: true,
  delimiter: delimiter ?? delimiterOf(file),
  skip_empty_lines: true,
  relax_column_count: true,
  max_record_size: MAX_RECORD_BYTES,
});

export function requireUtf8(file: Buffer): void {
  if (!isUtf8(file)) throw invalidCsv('is not valid UTF-8');
}

function* slices(file: Buffer): Generator<Buffer> {
  for (let from = 0; from < file.length; from += SLICE_BYTES) yield file.subarray(from, from + SLICE_BYTES);
}

function delimiterOf(file: Buffer): string {
  const end = file.indexOf('\n');
  const line = file.toString('utf8', 0, Math.min(end === -1 ? SLICE_BYTES : end, SLICE_BYTES));
  const most = [',', ';', '\t'].map((delimiter) => ({ delimiter, times: line.split(delimiter).length }));
  return most.reduce((a, b) => (b.times > a.times ? b : a)).delimiter;
}

/** The field of a column, and the parser of its cells; undefined for a text of another type. */
interface ColumnTarget {
  readonly field: string;
  readonly valueOf: (text: string) => unknown;
}

function columnTargets(header: readonly string[], mapping: CsvOptions['mapping'], fields: CustomFields): (ColumnTarget | null)[] {
  if (header.length > MAX_COLUMNS) throw invalidCsv(`has more than ${MAX_COLUMNS} columns`);
  const problems: FieldProblem[] = [];
  const named = header.map((cell) => {
    const name = cell.trim();
    const wanted = Object.hasOwn(mapping, name) ? ownField(mapping, name) : guessField(name, fields);
    if (wanted === null || wanted === undefined) return null;
    const target = columnTarget(wanted, fields);
    if (!target) problems.push({ field: `options.mapping.${name}`, code: 'unknown_field', message: `There is no field '${wanted}'.` });
    return target;
  });
  for (const name of Object.keys(mapping)) {
    if (header.some((cell) => cell.trim() === name)) continue;
    problems.push({ field: `options.mapping.${name}`, code: 'unknown_column', message: `The file has no column '${name}'.` });
  }
  const filled = named.flatMap((target) => (target ? [target.field] : []));
  const twice = [...new Set(filled.filter((field, i) => filled.indexOf(field) !== i))];
  for (const field of twice) problems.push({ field: 'options.mapping', code: 'duplicate', message: `Two columns fill '${field}'.` });
  const unique = [...fields.values()].filter((field) => field.unique).map(({ key }) => customFieldName(key));
  if (problems.length === 0 && !filled.some((field) => field === 'email' || field === 'phone' || unique.includes(field))) {
    const message =
      'No column identifies a contact: the first row has the column names, and one of them must be email, phone or a unique custom field.';
    problems.push({ field: 'file', code: 'required', message });
  }
  if (problems.length > 0) throw invalid(problems);
  return named;
}

function guessField(name: string, fields: CustomFields): string | null {
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (Object.hasOwn(COLUMN_ALIASES, plain)) return ownField(COLUMN_ALIASES, plain) as string;
  if (name.startsWith(CUSTOM_FIELD_PREFIX) && fields.has(name.slice(CUSTOM_FIELD_PREFIX.length))) return name;
  return fields.has(plain) ? customFieldName(plain) : null;
}

function columnTarget(field: string, fields: CustomFields): ColumnTarget | null {
  if (field === 'tags') return { field, valueOf: (text) => splitList(text, /[;,]/) };
  if (isBaseField(field)) return { field, valueOf: (text) => text };
  if (isOtherAddressField(field)) return { field, valueOf: (text) => splitList(text, /[;,]/) };
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

function rowOf(row: number, cells: readonly string[], targets: readonly (ColumnTarget | null)[]): ReadRow {
  if (cells.length > targets.length) {
    const message = `The row has ${cells.length} cells, the file has ${targets.length} columns.`;
    return { row, contact: null, problems: [{ field: '', code: 'too_many_cells', message }] };
  }
  const contact: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [i, target] of targets.entries()) {
    const text = cells[i]?.trim();
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
