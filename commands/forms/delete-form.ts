import { form, formStream } from '../../domain/forms/form.js';
import { record, text } from '../../domain/kernel/schema.js';
import { loadForm } from '../../log/aggregates/forms/load-form.js';
import { command } from '../runtime/command.js';
import { releaseSlug } from './claim-slug.js';

/** Deletes a form. Its submissions stay; other forms may take its slug. Throws `not_found`. */
export const deleteForm = command({
  name: 'DeleteForm',
  input: record({ form_id: text }),

  async handle({ form_id }, context): Promise<void> {
    const { definition } = await loadForm(context.log, context.cause.account, form_id, { includeDeleted: true });
    await context.decide(form, formStream(form_id), { type: 'Delete', form_id, now: context.now });
    await releaseSlug(context, definition.slug, form_id);
  },
});
