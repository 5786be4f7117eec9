import { cellOfParts } from '../../domain/contacts/cells/parts.js';
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
  csvRow(['id', ...baseFields, ...otherAddressNames, 'tags', 'lists', 'consents', ...fields.map(customFieldName), 'created_at', 'updated_at']);

/** A contact with what a file needs to be imported again: its lists by name, and its consents with their dates. */
export interface ExportedContact {
  readonly contact: ContactResource;
  readonly lists: readonly { readonly name: string; readonly status: string }[];
  readonly consents: readonly ExportedConsent[];
}

/** The latest entry for a channel and a purpose. */
export interface ExportedConsent {
  readonly channel: string;
  readonly purpose: string;
  readonly status: string;
  readonly lawful_basis: string;
  readonly occurred_at: string;
}

/** A contact as a row of the same columns. */
export const csvLine = ({ contact, lists: listed, consents: ledger }: ExportedContact, fields: readonly string[]): string =>
  csvRow(
    [
      contact.id,
      ...baseFields.map((name) => contact[name] ?? ''),
      ...otherAddressNames.map((name) => cellOfParts(contact[name])),
      cellOfParts(contact.tags),
      cellOfItems(listed),
      cellOfItems(ledger),
      ...fields.map((key) => cellOf(ownField(contact.custom_fields, key))),
      contact.created_at,
      contact.updated_at,
    ].map(withFormulaPrefix),
  );

const cellOfItems = (items: readonly object[]): string => (items.length > 0 ? JSON.stringify(items) : '');

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? cellOfParts(value) : JSON.stringify(value);
}

/** A row after RFC 4180. Cells that a spreadsheet would run are the caller's to prefix. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
