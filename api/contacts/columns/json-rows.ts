import { contactInput } from '../../../commands/contacts/contact-input.js';
import { CUSTOM_FIELD_PREFIX } from '../../../domain/contacts/facts.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { ColumnPlan, PlannedColumn } from './column-plan.js';
import { ColumnScan } from './column-scan.js';
import type { ReadRow } from './read-row.js';
import { statementsOf } from './row-statements.js';

type JsonContact = Readonly<Record<string, unknown>>;

const isContact = (value: unknown): value is JsonContact => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The columns of rows that are JSON: names that are no field of a contact, and its custom fields. */
export function scanJson(contacts: readonly unknown[]): ColumnScan {
  const names = [...new Set(contacts.filter(isContact).flatMap(columnNames))];
  const scan = new ColumnScan(names);
  for (const contact of contacts) scan.add(isContact(contact) ? names.map((name) => cellOf(contact, name)) : []);
  return scan;
}

const customOf = ({ custom_fields }: JsonContact): JsonContact => (isContact(custom_fields) ? custom_fields : {});

const columnNames = (contact: JsonContact): string[] => [
  ...Object.keys(contact).filter((name) => !Object.hasOwn(contactInput.properties, name)),
  ...Object.keys(customOf(contact)).map((key) => `${CUSTOM_FIELD_PREFIX}${key}`),
];

function cellOf(contact: JsonContact, name: string): string {
  const custom = name.startsWith(CUSTOM_FIELD_PREFIX) && !Object.hasOwn(contact, name);
  const value = custom ? ownField(customOf(contact), name.slice(CUSTOM_FIELD_PREFIX.length)) : ownField(contact, name);
  if (typeof value === 'string') return value.trim();
  const isEmpty = value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? '' : JSON.stringify(value);
}

/** Whether the plan says what a name means, so that it is not an unknown field. */
export function isMentionedBy({ columns }: ColumnPlan): (name: string) => boolean {
  const mentioned = new Set(columns.flatMap((column) => (isUsed(column) || column.by === 'ignored' ? [column.name] : [])));
  return (name) => mentioned.has(name);
}

/** Fields have their own names in JSON: of what the tables know, only what is said of consent counts. */
const isUsed = ({ by, statement }: PlannedColumn): boolean => by === 'mapping' || statement !== null;

/** Rows of JSON, with what they say of consent, and with values where the mapping has them. */
export function readJsonRows(contacts: readonly unknown[], { columns }: ColumnPlan): ReadRow[] {
  const used = columns.filter((column) => isUsed(column) || column.by === 'ignored');
  return contacts.map((contact, i): ReadRow => {
    const row = i + 1;
    if (!isContact(contact) || used.length === 0) return { row, contact, problems: [] };
    const stated = used.flatMap(({ name, statement }) => (statement ? [[statement, cellOf(contact, name)] as const] : []));
    const { statements, problems } = statementsOf(stated);
    if (problems.length > 0) return { row, contact: null, problems };
    return { row, contact: withMapped(contact, used), problems: [], ...(statements.length > 0 && { statements }) };
  });
}

function withMapped(contact: JsonContact, used: readonly PlannedColumn[]): JsonContact {
  const mapped: Record<string, unknown> = { ...contact };
  for (const { name, field, by, statement } of used) {
    const value = ownField(contact, name);
    if (Object.hasOwn(contact, name) && (by === 'mapping' || by === 'ignored' || statement)) delete mapped[name];
    if (by !== 'mapping' || field === null || value === undefined) continue;
    if (field.startsWith(CUSTOM_FIELD_PREFIX)) {
      const custom = isContact(mapped.custom_fields) ? { ...mapped.custom_fields } : {};
      setOwnField(custom, field.slice(CUSTOM_FIELD_PREFIX.length), value);
      mapped.custom_fields = custom;
    } else setOwnField(mapped, field, value);
  }
  return mapped;
}
