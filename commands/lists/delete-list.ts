import { record, text } from '../../domain/kernel/schema.js';
import { contactList, listStream } from '../../domain/lists/list.js';
import { namedList } from '../../domain/segments/fields.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { command } from '../runtime/command.js';
import { requireUnused } from '../segments/require-unused.js';

/** Deletes a list. The history of its memberships stays in the log. Throws `not_found`, and `in_use` if rules name it. */
export const deleteList = command({
  name: 'DeleteList',
  input: record({ list_id: text }),

  async handle({ list_id }, context): Promise<void> {
    await loadList(context.log, context.cause.account, list_id, { includeDeleted: true });
    await requireUnused(context, 'list', namedList(list_id));
    await context.decide(contactList, listStream(list_id), { type: 'Delete', list_id, now: context.now });
  },
});
