import { record, text } from '../../domain/kernel/schema.js';
import { partialStream, templatePartial } from '../../domain/templates/partial.js';
import { command } from '../runtime/command.js';

/** Deletes a partial. Templates that include it render no more until it is stored again. Repeating it is not an error. */
export const deletePartial = command({
  name: 'DeleteTemplatePartial',
  input: record({ key: text }),

  async handle({ key }, context): Promise<void> {
    await context.decide(templatePartial, partialStream(context.cause.account, key), { type: 'Delete', key, now: context.now });
  },
});
