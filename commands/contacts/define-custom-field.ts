import Type from 'typebox';
import {
  CUSTOM_FIELD_KEY,
  type CustomField,
  type CustomFields,
  customFieldProblems,
  customFields,
  customFieldsStream,
  customFieldTypeSchema,
} from '../../domain/contacts/custom-field.js';
import { type CustomFieldResource, toCustomFieldResource } from '../../domain/contacts/custom-field-resource.js';
import { invalid, notFound } from '../../domain/kernel/errors.js';
import { boundedText, flag, list, nullable, optional, record } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';

export const customFieldLabel = boundedText({ minLength: 1, maxLength: 200 });
/** The allowed values, each once. */
export const options = nullable(list(boundedText({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 500, uniqueItems: true }));

export const customFieldDefinition = withRule(
  record({
    key: Type.String({ ...CUSTOM_FIELD_KEY, description: 'Lower case letters, digits and `_`. Fixed once made.' }),
    label: customFieldLabel,
    type: customFieldTypeSchema,
    options: optional(options),
    unique: optional(flag),
    pii: optional(flag),
  }),
  (definition) => customFieldProblems(definition as Parameters<typeof customFieldProblems>[0]),
);

/** Defines a custom field. Throws `conflict` if the key is taken, and `validation_error`. */
export const defineCustomField = command({
  name: 'DefineCustomField',
  input: customFieldDefinition,

  async handle({ options = null, unique = false, pii = false, ...given }, context): Promise<CustomFieldResource> {
    requireAllowed({ type: given.type, unique, options });
    const field_id = context.newId('fld');
    const stream = customFieldsStream(context.cause.account);
    const field = { field_id, ...given, options, unique, pii };
    const { state } = await context.decide(customFields, stream, { type: 'Define', field, now: context.now });
    return toCustomFieldResource(findField(state, field_id));
  },
});

/** Throws `validation_error` with all problems of a definition, of which any part may be missing. */
export function requireAllowed(definition: Parameters<typeof customFieldProblems>[0]): void {
  const problems = customFieldProblems(definition);
  if (problems.length > 0) throw invalid(problems);
}

/** Throws `not_found`. */
export function findField(fields: CustomFields, id: string): CustomField {
  for (const field of fields.values()) if (field.field_id === id) return field;
  throw notFound('custom_field', id);
}
