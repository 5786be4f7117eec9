import { baseFields, contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomField, CustomFields } from '../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../../domain/contacts/facts.js';
import { isOtherAddressField, otherAddressFields, otherAddressNames } from '../../domain/contacts/other-addresses.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { type CsvFile, namesOfColumns } from '../http/csv/csv-file.js';

/** By column name: the field that it fills, or null for a column that is ignored. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** A column that fills a field. */
export interface Column {
  readonly name: string;
  /** `email`, `tags`, `custom_fields.plan`. */
  readonly field: string;
  /** Null of a field that every contact has. */
  readonly custom: CustomField | null;
}

const MAX_COLUMNS = 400;

/** Column names in the exports of other services. */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  tags: 'tags',
  ...Object.fromEntries(baseFields.flatMap((name) => [name, ...contactFields[name].columns].map((column) => [column, name]))),
  ...Object.fromEntries(otherAddressNames.flatMap((name) => [name, ...otherAddressFields[name].columns].map((column) => [column, name]))),
};

/** Columns that fill no field, and that the mapping does not leave out. */
export const unknownColumns = ({ header }: CsvFile, mapping: ColumnMapping, fields: CustomFields): string[] =>
  header.filter((name) => name !== '' && !Object.hasOwn(mapping, name) && guessField(name, fields) === null);

/**
 * The columns of a file, in its order; null for those that fill nothing. Throws `invalid_parameter` for a file whose first row cannot be
 * read, and `validation_error` for a mapping to unknown fields or without a field that identifies a contact.
 */
export function columnsOf(file: CsvFile, mapping: ColumnMapping, fields: CustomFields): (Column | null)[] {
  const { header, delimiter, headerProblem } = file;
  if (headerProblem) throw invalidCsv(`has no names of columns that can be read: ${headerProblem.message}`);
  if (header.length > MAX_COLUMNS) throw invalidCsv(`has ${header.length} columns; at most ${MAX_COLUMNS} are read`);
  const problems: FieldProblem[] = [];
  const seen = `The columns of the file are ${namesOfColumns(header)}.`;
  const named = header.map((name) => {
    const wanted = Object.hasOwn(mapping, name) ? ownField(mapping, name) : guessField(name, fields);
    if (wanted === null || wanted === undefined) return null;
    const target = columnOf(name, wanted, fields);
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

function columnOf(name: string, field: string, fields: CustomFields): Column | null {
  if (field === 'tags' || isBaseField(field) || isOtherAddressField(field)) return { name, field, custom: null };
  const custom = field.startsWith(CUSTOM_FIELD_PREFIX) ? fields.get(field.slice(CUSTOM_FIELD_PREFIX.length)) : undefined;
  return custom ? { name, field, custom } : null;
}

const invalidCsv = (what: string): DomainError => new DomainError('invalid_parameter', `The CSV ${what}.`);
