import { baseFields } from '../../domain/contacts/contact-fields.js';
import { customFieldName } from '../../domain/contacts/facts.js';
import { otherAddressNames } from '../../domain/contacts/other-addresses.js';
import type { ContactResource } from '../../domain/contacts/resource.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { withFormulaPrefix } from '../../formats/contacts/formula-prefix.js';

/** A contact as a line of JSON. */
export const jsonLine = (contact: ContactResource): string => `${JSON.stringify(contact)}\n`;

/** The header row of a CSV of contacts with these custom fields. An import of contacts reads the file again. */
export const csvHeader = (fields: readonly string[]): string =>
  csvRow(['id', ...baseFields, ...otherAddressNames, 'tags', ...fields.map(customFieldName), 'created_at', 'updated_at']);

/** A contact as a row of the same columns. */
export const csvLine = (contact: ContactResource, fields: readonly string[]): string =>
  csvRow(
    [
      contact.id,
      ...baseFields.map((name) => contact[name] ?? ''),
      ...otherAddressNames.map((name) => contact[name].join(';')),
      contact.tags.join(';'),
      ...fields.map((key) => cellOf(ownField(contact.custom_fields, key))),
      contact.created_at,
      contact.updated_at,
    ].map(withFormulaPrefix),
  );

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? value.join(';') : JSON.stringify(value);
}

/** A row after RFC 4180. Cells that a spreadsheet would run are the caller's to prefix. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
