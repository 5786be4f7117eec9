import { type CustomFieldEvent, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { notFound } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../kernel.js';

/** Removes a custom field; contacts no longer show it. A repeat changes nothing. Throws `not_found`. */
export const removeCustomField = command({
  name: 'RemoveCustomField',
  input: record({ field_id: text }),

  async handle({ field_id }, context): Promise<void> {
    const stream = customFieldsStream(context.cause.account);
    const { position } = await context.decide(customFields, stream, { type: 'Remove', field_id, now: context.now });
    if (position !== null) return;
    const past = (await context.log.read<CustomFieldEvent>(stream)) ?? [];
    if (!past.some(({ event }) => event.data.field_id === field_id)) throw notFound('custom_field', field_id);
  },
});
