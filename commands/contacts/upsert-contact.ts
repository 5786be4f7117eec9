import Type from 'typebox';
import { contactSources } from '../../domain/contacts/contact.js';
import { type CustomFieldEvent, type CustomFields, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { fold } from '../../domain/kernel/decider.js';
import { invalid } from '../../domain/kernel/errors.js';
import { oneOf } from '../../domain/kernel/schema.js';
import { type Context, command } from '../kernel.js';
import { contactInput, readContactInput } from './contact-input.js';
import { type Upserted, upsertContact as upsert } from './upsert.js';

/**
 * Says something of the contact that an email, a phone or a unique custom field names, or makes it. What is given
 * replaces what was known; what is not given stays. Throws `validation_error` with every wrong field, `conflict`.
 */
export const upsertContact = command({
  name: 'UpsertContact',
  input: Type.Object({
    contact: contactInput,
    source: oneOf(...contactSources),
    on_conflict: Type.Optional(oneOf('merge', 'reject', 'keep_separate')),
  }),

  async handle({ contact, source, on_conflict = 'merge' }, context): Promise<Upserted> {
    const { account } = context.cause;
    const fields = await customFieldsOf(context);
    const reading = readContactInput(contact, { account, addresses: context.addresses, fields });
    if ('problems' in reading) throw invalid(reading.problems);
    if (reading.row.keys.length === 0) {
      throw invalid([{ field: 'email', code: 'required', message: 'Name the contact by its email, its phone or a unique custom field.' }]);
    }
    return upsert(context, reading.row, { source, import_id: null, on_conflict });
  },
});

export async function customFieldsOf({ log, cause }: Pick<Context, 'log' | 'cause'>): Promise<CustomFields> {
  const events = (await log.read<CustomFieldEvent>(customFieldsStream(cause.account))) ?? [];
  return fold(
    customFields,
    events.map(({ event }) => event),
  );
}
