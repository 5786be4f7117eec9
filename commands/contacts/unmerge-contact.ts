import Type from 'typebox';
import { notFound } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { findContact, loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { type Context, command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { removeLink } from './links.js';

export interface UnmergedContact {
  /** The contact that the other one was merged into. */
  readonly contact_id: string;
  /** The contact that is a root again, with every change that was made to it before and since. */
  readonly released_id: string;
}

/**
 * Undoes a merge. Both contacts are as if they had never been merged. A repeat changes nothing. Throws `not_found` for a link
 * that this contact never had.
 */
export const unmergeContact = command({
  name: 'UnmergeContact',
  input: Type.Object({ contact_id: text, merge_id: text }),

  handle({ contact_id, merge_id }, context): Promise<UnmergedContact> {
    return executeOnce(
      context,
      async ({ from, absorbed }) => {
        await removeLink(context, from, absorbed, merge_id);
        return { contact_id: from, released_id: absorbed };
      },
      () => linkOf(context, contact_id, merge_id),
    );
  },
});

/** The two ends of a link, searched in the contact and all that is merged into it. */
async function linkOf({ log, cause }: Context, id: string, merge_id: string): Promise<{ from: string; absorbed: string }> {
  const { unified } = await findContact(log, cause.account, id);
  for (const member of unified.members) {
    const { events } = await loadContact(log, member.id);
    for (const { event } of await events()) {
      if (event.type === 'ContactAbsorbed' && event.data.merge_id === merge_id) return { from: member.id, absorbed: event.data.absorbed };
    }
  }
  throw notFound('merge', merge_id);
}
