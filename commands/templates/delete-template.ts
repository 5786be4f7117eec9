import { record, text } from '../../domain/kernel/schema.js';
import { template, templateStream } from '../../domain/templates/template.js';
import { loadTemplate } from '../../log/aggregates/templates/load-template.js';
import { command } from '../runtime/command.js';

/** Deletes a template. Messages that were made from it stay as they are. Throws `not_found`. */
export const deleteTemplate = command({
  name: 'DeleteTemplate',
  input: record({ template_id: text }),

  async handle({ template_id }, context): Promise<void> {
    await loadTemplate(context.log, context.cause.account, template_id, { includeDeleted: true });
    await context.decide(template, templateStream(template_id), { type: 'Delete', template_id, now: context.now });
  },
});
