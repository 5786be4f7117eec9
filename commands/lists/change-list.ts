import { boundedText, count, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { contactList, type ListDetails, listStream, optIns, toListDetails } from '../../domain/lists/list.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { command } from '../runtime/command.js';

/** Changes a list. Throws `not_found`, `version_conflict`. */
export const changeList = command({
  name: 'ChangeList',
  input: record({
    list_id: text,
    change: record({ name: optional(text), description: optional(nullable(boundedText({}))), opt_in: optional(oneOf(...optIns)) }),
    expected: nullable(count),
  }),

  async handle({ list_id, change, expected }, context): Promise<ListDetails> {
    await loadList(context.log, context.cause.account, list_id);
    const { state } = await context.decide(contactList, listStream(list_id), { type: 'Change', list_id, change, expected, now: context.now });
    return toListDetails(state);
  },
});
