import { type UtcOffsetAt, utcClocks } from '../kernel/clocks.js';
import { beginOf, isDay, isoOf, readTime } from '../kernel/written-times.js';
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
export function valueFor(given: unknown, { type, clocks = utcClocks }: CustomField): unknown {
  switch (type) {
    case 'string':
      return typeof given === 'string' ? given : undefined;
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined;
    case 'date':
      return typeof given === 'string' && isDay(given) ? given : undefined;
    case 'datetime':
      return timeFor(given, clocks);
    case 'string_list':
      return Array.isArray(given) && given.every((one) => typeof one === 'string') ? [...new Set(given)] : undefined;
    case 'json':
      return given;
    default:
      return type satisfies never;
  }
}

/** The moment in UTC; of a day its beginning. */
function timeFor(given: unknown, clocks: UtcOffsetAt): string | undefined {
  const time = readTime(given, clocks);
  return (time && isoOf(beginOf(time, clocks))) ?? undefined;
}
