import { customValueProblem } from '../../commands/contacts/contact-input.js';
import type { Settings } from '../../domain/accounts/settings.js';
import {
  type CellReading,
  type CellStyle,
  dateEvidence,
  numberEvidence,
  readCell,
  type StyleEvidence,
} from '../../domain/contacts/cells/cell-values.js';
import { type DecimalMark, decimalMarks } from '../../domain/contacts/cells/numbers.js';
import { partsOf } from '../../domain/contacts/cells/parts.js';
import { type DateOrder, dateOrderOf } from '../../domain/contacts/cells/times.js';
import { contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import { isOtherAddressField, otherAddressFields } from '../../domain/contacts/other-addresses.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { isPhoneCountry, normalizePhone } from '../../formats/contacts/addresses.js';
import { phoneHint } from '../../formats/contacts/parse-address.js';
import { textReaders } from '../../formats/contacts/text-readers.js';
import { dailyOffsets, zoneClocks } from '../../formats/messages/utc-offsets.js';
import { type CsvFile, namesOfColumns } from '../http/csv/csv-file.js';
import type { Column } from './import-columns.js';

/** How a caller says that the cells of a file are written. */
export interface CellOptions {
  readonly decimal?: DecimalMark;
  /** For all columns, or by the name of the column. */
  readonly date_format?: string | Readonly<Record<string, string>>;
  /** Of phone numbers without a prefix: ISO 3166. */
  readonly country?: string;
}

/** Reads the cells of a column that fills a field. */
export interface CellReader {
  readonly column: Column;
  /** Of a cell that is not empty. */
  readonly read: (text: string) => CellReading;
}

/** Rows that are looked at before other requests get the thread. */
const ROWS_AT_ONCE = 500;
const DATE_FORMAT_HINT = 'Use a format such as DD.MM.YYYY, MM/DD/YYYY, YYYY-MM-DD, unix or unix_ms.';

/** What is wrong with the options, without regard to the file. */
export function cellOptionProblems({ date_format, country }: Partial<CellOptions>): FieldProblem[] {
  const formats = typeof date_format === 'object' ? Object.entries(date_format) : date_format === undefined ? [] : [['', date_format] as const];
  const wrong = formats.filter(([, format]) => typeof format === 'string' && dateOrderOf(format) === undefined);
  const problems = wrong.map(([name, format]) => ({
    field: `options.date_format${name && `.${name}`}`,
    code: 'invalid_format',
    message: `'${format}' is no format of dates. ${DATE_FORMAT_HINT}`,
  }));
  if (country === undefined || isPhoneCountry(country.toUpperCase())) return problems;
  return [
    ...problems,
    { field: 'options.country', code: 'unknown_country', message: `'${country}' is no country. Use its code in ISO 3166, for example DE.` },
  ];
}

/**
 * Readers of the cells of a file by its columns. Where an option does not say how numbers and dates are written, all cells of a column
 * decide. Throws `validation_error` for each column in which nothing decides, with what to send.
 */
export async function cellReaders(
  file: CsvFile,
  columns: readonly (Column | null)[],
  options: CellOptions,
  { timezone, branding }: Pick<Settings, 'timezone' | 'branding'>,
  pause: () => Promise<void>,
): Promise<(CellReader | null)[]> {
  const country = options.country?.toUpperCase() ?? null;
  const offsetAt = dailyOffsets(zoneClocks(timezone));
  const found = columns.map((column) => (column ? evidenceOf(column, options) : null));
  if (found.some((evidence) => evidence !== null)) await lookAtCells(file, found, pause);
  const problems: FieldProblem[] = unknownFormats(file, options);
  const readers = columns.map((column, i) => {
    if (!column) return null;
    const decided = found[i]?.decide(column.custom?.type === 'number' ? decimalMarks[branding.locale] : null) ?? { style: null };
    if ('ask' in decided) problems.push(question(column, decided.ask));
    const style = 'style' in decided ? decided.style : null;
    const decimal = options.decimal ?? (style === '.' || style === ',' ? style : null);
    const order = orderOption(column, options) ?? (style === 'DMY' || style === 'MDY' ? style : null);
    return readerOf(column, { decimal, order, offsetAt }, country);
  });
  if (problems.length > 0) throw invalid(problems);
  return readers;
}

/** Null for a column whose cells can be read in one way only. */
function evidenceOf(column: Column, options: CellOptions): StyleEvidence | null {
  const type = column.custom?.type;
  if (type === 'number') return options.decimal === undefined ? numberEvidence() : null;
  return (type === 'date' || type === 'datetime') && orderOption(column, options) === null ? dateEvidence() : null;
}

async function lookAtCells(file: CsvFile, found: readonly (StyleEvidence | null)[], pause: () => Promise<void>): Promise<void> {
  for (const { row, cells } of file.rows()) {
    if (row % ROWS_AT_ONCE === 0) await pause();
    for (const [i, evidence] of found.entries()) if (evidence && cells[i]) evidence.add(cells[i]);
  }
}

function orderOption({ name }: Column, { date_format }: CellOptions): DateOrder | null {
  const format = typeof date_format === 'object' ? ownField(date_format, name) : date_format;
  return format === undefined ? null : (dateOrderOf(format) ?? null);
}

/** Formats of columns that the file does not have. */
function unknownFormats({ header }: CsvFile, { date_format }: CellOptions): FieldProblem[] {
  const names = typeof date_format === 'object' ? Object.keys(date_format) : [];
  return names
    .filter((name) => !header.includes(name))
    .map((name) => {
      const message = `The file has no column '${name}'. The columns of the file are ${namesOfColumns(header)}.`;
      return { field: `options.date_format.${name}`, code: 'unknown_column', message };
    });
}

/** What to ask the caller about a cell that can be read in two ways. */
function question({ name, custom }: Column, cell: string): FieldProblem {
  const shown = custom?.pii ? 'a cell' : `'${cell.slice(0, 60)}'`;
  if (custom?.type === 'number') {
    const message = `In the column '${name}', ${shown} can be read in two ways, and no other row decides. Send "decimal":"." if 1.5 is one and a half, or "decimal":",".`;
    return { field: 'options.decimal', code: 'ambiguous', message };
  }
  const formats = `{"${name}":"DD/MM/YYYY"} or {"${name}":"MM/DD/YYYY"}`;
  const message = `In the column '${name}', ${shown} can be read in two ways, and no other row decides. Send "date_format": ${formats}.`;
  return { field: `options.date_format.${name}`, code: 'ambiguous', message };
}

function readerOf(column: Column, style: CellStyle, country: string | null): CellReader {
  const { field, custom } = column;
  if (custom) return { column, read: (text) => checkedValue(readCell(text, custom, style), custom) };
  if (field === 'tags') return { column, read: (text) => ({ value: partsOf(text).flatMap(tagOf) }) };
  if (isOtherAddressField(field)) {
    const { of } = otherAddressFields[field];
    return { column, read: (text) => readEach(partsOf(text), (part) => readBaseCell(of, part, country)) };
  }
  return { column, read: (text) => readBaseCell(field, column.isInternational ? withPlus(firstOf(text)) : firstOf(text), country) };
}

function readBaseCell(field: string, text: string, country: string | null): CellReading {
  if (field === 'phone') return readPhone(text, country);
  const reading = isBaseField(field) ? contactFields[field].reading : 'text';
  if (reading === 'text') return { value: text };
  const { read, code, hint } = textReaders[reading];
  const value = read(text);
  return value === null ? { code, message: hint(text) } : { value };
}

/** The values of a cell that has several; the problem of the first that is none. */
function readEach(parts: readonly string[], read: (part: string) => CellReading): CellReading {
  const values: unknown[] = [];
  for (const part of parts) {
    const one = read(part);
    if ('code' in one) return one;
    values.push(one.value);
  }
  return { value: values };
}

/** A text of so many characters can be too long as JSON. */
const LONG_TEXT = 1_000;

/** What the type of a field does not say: its options, and the length of values. */
function checkedValue(read: CellReading, field: CustomField): CellReading {
  if (!('value' in read)) return read;
  const { value } = read;
  if (field.options === null && typeof value !== 'object' && (typeof value !== 'string' || value.length < LONG_TEXT)) return read;
  const problem = customValueProblem(field.key, value, field);
  return problem ? { code: problem[0], message: problem[1] } : read;
}

/** Google writes all addresses of a person into one cell. */
const firstOf = (text: string): string => {
  const end = text.indexOf(' ::: ');
  return end === -1 ? text : text.slice(0, end);
};

/** Google marks its own labels; the one of all contacts says nothing. */
const tagOf = (text: string): string[] => (text === '* myContacts' ? [] : [text.replace(/^\* /, '')]);

/** A number with its country prefix, and without a plus, as some services write it. */
export const withPlus = (text: string): string => (/^[1-9]\d{6,14}$/.test(text) ? `+${text}` : text);

function readPhone(text: string, country: string | null): CellReading {
  const phone = normalizePhone(text, country);
  if (phone !== null) return { value: phone };
  const message = `${phoneHint(text)}${country === null ? ' The option `country` reads numbers without a prefix.' : ''}`;
  return { code: 'invalid_phone', message };
}
