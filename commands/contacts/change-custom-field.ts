import { customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { type CustomFieldResource, toCustomFieldResource } from '../../domain/contacts/custom-field-resource.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { command } from '../kernel.js';
import { findField, label, options, requireDistinct } from './define-custom-field.js';

/** Changes the label and the allowed values of a custom field. Throws `not_found`. */
export const changeCustomField = command({
  name: 'ChangeCustomField',
  input: record({ field_id: text, label: optional(label), options: optional(options) }),

  async handle({ field_id, options: given, ...change }, context): Promise<CustomFieldResource> {
    requireDistinct(given ?? null);
    const stream = customFieldsStream(context.cause.account);
    const options = given === undefined ? {} : { options: given };
    const { state } = await context.decide(customFields, stream, { type: 'Change', field_id, ...change, ...options, now: context.now });
    return toCustomFieldResource(findField(state, field_id));
  },
});
