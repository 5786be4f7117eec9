import { numberOfText } from './cells/numbers.js';
import type { CustomField } from './custom-field.js';
import { CUSTOM_FIELD_PREFIX } from './facts.js';

/** Whether values of the field have a key: those of a unique field, and personal ones that can be searched by their HMAC. */
export const hasKey = ({ unique, pii, type }: CustomField): boolean => unique || (pii && type !== 'string_list' && type !== 'json');

/** The text whose HMAC is the key of a value. No address has this form. */
export const customFieldKeyText = (key: string, value: unknown): string => `${CUSTOM_FIELD_PREFIX}${key}/${typeof value}/${String(value)}`;

/** A value from a URL's query, or undefined if it has another type. */
export function valueFromText(text: string, field: CustomField): unknown {
  if (field.type === 'number') return valueFor(numberOfText(text, '.'), field);
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return field.type === 'string_list' ? text : valueFor(text, field);
}

/** The value in normal form, or undefined if it has another type. */
export function valueFor(given: unknown, { type }: CustomField): unknown {
  switch (type) {
    case 'string':
      return typeof given === 'string' ? given : undefined;
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined;
    case 'date':
      return typeof given === 'string' && isDate(given) ? given : undefined;
    case 'datetime':
      return typeof given === 'string' ? instantOf(given) : undefined;
    case 'string_list':
      return Array.isArray(given) && given.every((one) => typeof one === 'string') ? [...new Set(given)] : undefined;
    case 'json':
      return given;
    default:
      return type satisfies never;
  }
}

/** The moment in UTC. The year has four digits there, too, so that values compare as texts. */
function instantOf(text: string): string | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  const instant = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return /^\d{4}-/.test(instant) ? instant : undefined;
}

/** Whether the day exists: `Date` takes the 31st of February for one in March. */
function isDate(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
