import { customFieldProblems, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { type CustomFieldResource, toCustomFieldResource } from '../../domain/contacts/custom-field-resource.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { command } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';
import { customFieldLabel, findField, options, requireAllowed } from './define-custom-field.js';

const change = { label: optional(customFieldLabel), options: optional(options) };

/** A change of the custom field whose `id` is in the path. */
export const customFieldChange = withRule(record(change), async ({ options }, { context, params }) => {
  const fields = await loadCustomFields(context.log, context.cause.account);
  const { type } = [...fields.values()].find(({ field_id }) => field_id === params.id) ?? {};
  return customFieldProblems({ ...(type && { type }), options: options as string[] | null });
});

/** Changes the label and the allowed values of a custom field. Throws `not_found`. */
export const changeCustomField = command({
  name: 'ChangeCustomField',
  input: record({ field_id: text, ...change }),

  async handle({ field_id, options: given, ...rest }, context): Promise<CustomFieldResource> {
    requireAllowed({ options: given ?? null });
    const stream = customFieldsStream(context.cause.account);
    const options = given === undefined ? {} : { options: given };
    const { state } = await context.decide(customFields, stream, { type: 'Change', field_id, ...rest, ...options, now: context.now });
    return toCustomFieldResource(findField(state, field_id));
  },
});
