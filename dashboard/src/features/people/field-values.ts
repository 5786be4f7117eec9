import type { Schemas } from '../../api/client.ts';
import type { Contact } from './person-name.tsx';

type CustomField = Schemas['CustomField'];
export type BaseField = 'email' | 'phone' | 'first_name' | 'last_name' | 'locale' | 'timezone';
export const baseFields: readonly BaseField[] = ['email', 'phone', 'first_name', 'last_name', 'locale', 'timezone'];

/** A field of a contact, as the API names it: `email`, or `custom_fields.plan`. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Of a custom field: how its value is written. */
  readonly custom: CustomField | null;
}

export const fieldValue = ({ name, custom }: Field, contact: Contact): unknown =>
  custom ? (contact.custom_fields[custom.key] ?? null) : contact[name as BaseField];

/** The value as a text to edit. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** The value that a text stands for; null for none. A text that cannot be read goes to the API as it is, which says what is wrong with it. */
export function asValue({ custom }: Field, text: string): unknown {
  if (text.trim() === '') return null;
  switch (custom?.type) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'string_list':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'json':
      return parsed(text);
    default:
      return text.trim();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a PATCH has for the field. */
export const changeOf = (field: Field, value: unknown): Record<string, unknown> =>
  field.custom ? { custom_fields: { [field.custom.key]: value } } : { [field.name]: value };
