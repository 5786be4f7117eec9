import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { customFieldKeyText, hasKey, valueFromText } from '../../domain/contacts/custom-field-values.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';

/** Values that contacts are found by, without addresses. */
export interface CustomFieldFilter {
  /** HMACs of unique and personal values. */
  readonly keys: readonly string[];
  /** Open custom fields with their values as text. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** `field` is the key of the custom field. */
  readonly problems: readonly FieldProblem[];
}

/** Reads filters by the exact values of custom fields. */
export function readCustomFieldFilter(
  values: Readonly<Record<string, string>>,
  fields: CustomFields,
  hmac: (text: string) => string,
): CustomFieldFilter {
  const keys: string[] = [];
  const plain: (readonly [string, string])[] = [];
  const problems: FieldProblem[] = [];
  for (const [key, text] of Object.entries(values)) {
    const field = fields.get(key);
    const value = field && field.type !== 'json' ? valueFromText(text, field) : undefined;
    if (!field || value === undefined) problems.push(problemOf(key, field !== undefined));
    else if (hasKey(field)) keys.push(hmac(customFieldKeyText(key, value)));
    else if (field.pii) problems.push(problemOf(key, true));
    else plain.push([key, String(value)]);
  }
  return { keys, fields: plain, problems };
}

const problemOf = (key: string, known: boolean): FieldProblem =>
  known
    ? { field: key, code: 'invalid_type', message: 'This is not a value of this field, or contacts cannot be filtered by it.' }
    : { field: key, code: 'unknown_field', message: `There is no custom field '${key}'.` };
