import { isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomField, CustomFields } from '../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../../domain/contacts/facts.js';
import { isOtherAddressField } from '../../domain/contacts/other-addresses.js';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { type CsvFile, namesOfColumns } from '../http/csv/csv-file.js';
import type { ColumnPlan, ColumnWishes, PlannedColumn } from './columns/column-plan.js';

/** A column that fills a field. */
export interface Column {
  readonly name: string;
  /** `email`, `tags`, `custom_fields.plan`. */
  readonly field: string;
  /** Null of a field that every contact has. */
  readonly custom: CustomField | null;
  /** Phone numbers with the country prefix and without a plus. */
  readonly isInternational: boolean;
  /** Of columns that fill one field, the first with a value in this order fills it. */
  readonly rank: number;
}

const MAX_COLUMNS = 400;

/** The names of the columns of a file. Throws `invalid_parameter` if its first row cannot be read. */
export function headerOf({ header, headerProblem }: CsvFile): readonly string[] {
  if (headerProblem) throw invalidCsv(`has no names of columns that can be read: ${headerProblem.message}`);
  if (header.length > MAX_COLUMNS) throw invalidCsv(`has ${header.length} columns; at most ${MAX_COLUMNS} are read`);
  return header;
}

/**
 * The columns of a file that fill a field, in its order; null for the others. Throws `validation_error` for a mapping to unknown fields or
 * of unknown columns, and for a file without a field that identifies a contact.
 */
export function columnsOf(file: CsvFile, plan: ColumnPlan, wishes: Pick<ColumnWishes, 'mapping' | 'ignored' | 'fields'>): (Column | null)[] {
  const { fields } = wishes;
  const mapped = new Set(plan.columns.flatMap(({ by, field }) => (by === 'mapping' && field !== null ? [field] : [])));
  const problems: FieldProblem[] = [];
  const named = plan.columns.map(({ name, field, isInternational, rank, by }): Column | null => {
    if (field === null || (by === 'table' && mapped.has(field))) return null;
    const target = columnOf(name, field, fields);
    if (!target && by === 'mapping') problems.push({ field: `options.mapping.${name}`, code: 'unknown_field', message: unknownField(field) });
    return target && { ...target, isInternational, rank };
  });
  problems.push(...mappingProblems(file, plan, wishes, mapped));
  const unique = [...fields.values()].filter((field) => field.unique).map(({ key }) => customFieldName(key));
  if (problems.length === 0 && !named.some((one) => one && (one.field === 'email' || one.field === 'phone' || unique.includes(one.field))))
    problems.push(noIdentifier(file));
  if (problems.length > 0) throw invalid(problems);
  return named;
}

function mappingProblems(
  { header }: CsvFile,
  plan: ColumnPlan,
  { mapping, ignored }: Pick<ColumnWishes, 'mapping' | 'ignored'>,
  mapped: ReadonlySet<string>,
): FieldProblem[] {
  const seen = `The columns of the file are ${namesOfColumns(header)}.`;
  const unknown = [...Object.keys(mapping), ...ignored].filter((name) => !header.includes(name));
  const twice = [...mapped].flatMap((field) => {
    const columns = plan.columns.filter((one) => one.field === field && (one.by === 'mapping' || isOwnName(one))).map(({ name }) => name);
    return columns.length > 1 ? [`Two columns fill '${field}': ${namesOfColumns(columns)}.`] : [];
  });
  return [
    ...plan.problems.map((problem) => ({ ...problem, field: `options.${problem.field}` })),
    ...unknown.map((name) => {
      const field = ignored.includes(name) ? 'options.ignore_columns' : `options.mapping.${name}`;
      return { field, code: 'unknown_column', message: `The file has no column '${name}'. ${seen}` };
    }),
    ...twice.map((message) => ({ field: 'options.mapping', code: 'duplicate', message })),
  ];
}

/** A column that has the name of the field itself; what is merely recognized gives way to the mapping. */
const isOwnName = ({ by, rank }: PlannedColumn): boolean => by === 'table' && rank === 0;

function noIdentifier({ header, delimiter }: CsvFile): FieldProblem {
  const needed = 'The first row has the names of the columns, and one of them must be email, phone or a unique custom field.';
  const found =
    header.length === 0
      ? 'The file is empty.'
      : `The columns of the file are ${namesOfColumns(header)}. They are separated by ${delimiterNames.get(delimiter) ?? `'${delimiter}'`}.`;
  return { field: 'file', code: 'required', message: `No column identifies a contact. ${needed} ${found}` };
}

const unknownField = (field: string): string =>
  `There is no field '${field}'. Use email, phone, first_name, tags, custom_fields.<key>, lists.<name>, consent.<channel> or suppression.<channel>.`;

const delimiterNames: ReadonlyMap<string, string> = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]);

function columnOf(name: string, field: string, fields: CustomFields): Omit<Column, 'isInternational' | 'rank'> | null {
  if (field === 'tags' || field === 'name' || isBaseField(field) || isOtherAddressField(field)) return { name, field, custom: null };
  const custom = field.startsWith(CUSTOM_FIELD_PREFIX) ? fields.get(field.slice(CUSTOM_FIELD_PREFIX.length)) : undefined;
  return custom ? { name, field, custom } : null;
}

const invalidCsv = (what: string): DomainError => new DomainError('invalid_parameter', `The CSV ${what}.`);
