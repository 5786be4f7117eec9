import { boundedText, nullable, oneOf, record, text } from '../../domain/kernel/schema.js';
import { contactList, type ListDetails, listStream, optIns, toListDetails } from '../../domain/lists/list.js';
import { command } from '../runtime/command.js';

/** Creates a list. */
export const createList = command({
  name: 'CreateList',
  input: record({ name: text, description: nullable(boundedText({})), opt_in: oneOf(...optIns) }),

  async handle({ name, description, opt_in }, context): Promise<ListDetails> {
    const list_id = context.newId('lst');
    const create = { type: 'Create', list_id, name, description, opt_in, now: context.now } as const;
    const { state } = await context.decide(contactList, listStream(list_id), create, { assumeNew: true });
    return toListDetails(state);
  },
});
