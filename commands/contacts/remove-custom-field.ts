import { type CustomFieldEvent, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { notFound } from '../../domain/kernel/errors.js';
import { record, text } from '../../domain/kernel/schema.js';
import { namedField } from '../../domain/segments/fields.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { command } from '../runtime/command.js';
import { requireUnused } from '../segments/require-unused.js';

/** Removes a custom field; contacts no longer show it. A repeat changes nothing. Throws `not_found`, and `in_use` if rules name it. */
export const removeCustomField = command({
  name: 'RemoveCustomField',
  input: record({ field_id: text }),

  async handle({ field_id }, context): Promise<void> {
    const stream = customFieldsStream(context.cause.account);
    const fields = await loadCustomFields(context.log, context.cause.account);
    const field = [...fields.values()].find((one) => one.field_id === field_id);
    if (field) await requireUnused(context, 'custom field', namedField(field.key));
    const { position } = await context.decide(customFields, stream, { type: 'Remove', field_id, now: context.now });
    if (position !== null) return;
    const past = (await context.log.read<CustomFieldEvent>(stream)) ?? [];
    if (!past.some(({ event }) => event.data.field_id === field_id)) throw notFound('custom_field', field_id);
  },
});
