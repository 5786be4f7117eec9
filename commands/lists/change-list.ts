import { count, nullable, oneOf, optional, record, text, textOf } from '../../domain/kernel/schema.js';
import { type ListDetails, list, listStream, optIns, toListDetails } from '../../domain/lists/list.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { command } from '../runtime/command.js';

/** Changes a list. Throws `not_found`, `version_conflict`. */
export const changeList = command({
  name: 'ChangeList',
  input: record({
    list_id: text,
    change: record({ name: optional(text), description: optional(nullable(textOf({}))), opt_in: optional(oneOf(...optIns)) }),
    expected: nullable(count),
  }),

  async handle({ list_id, change, expected }, context): Promise<ListDetails> {
    await loadList(context.log, context.cause.account, list_id);
    const { state } = await context.decide(list, listStream(list_id), { type: 'Change', list_id, change, expected, now: context.now });
    return toListDetails(state);
  },
});
