import Type from 'typebox';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { type FoundContact, findContact } from '../../log/contacts/find-contact.js';
import { executeOnce } from '../idempotency.js';
import { type Context, command } from '../kernel.js';
import { completeLinksToRoot, mergeContacts } from './merge.js';
import { MAX_ROUNDS } from './upsert.js';

export interface MergedContact {
  /** The older of the two, which answers for both. */
  readonly contact_id: string;
  /** Takes the link away again. */
  readonly merge_id: string;
}

/**
 * Says that two contacts are one person. The older one stays, whichever was named. Two that are one already stay so.
 * Throws `not_found`, `contact_erased`, and `validation_error` for a contact that is to be merged with itself.
 */
export const mergeContact = command({
  name: 'MergeContact',
  input: Type.Object({ contact_id: text, source_contact_id: text }),

  handle({ contact_id, source_contact_id }, context): Promise<MergedContact> {
    const find = (id: string): Promise<FoundContact> => findContact(context.log, context.cause.account, id);
    return executeOnce(
      context,
      () =>
        context.exclusively([contact_id, source_contact_id], () =>
          mergeExclusively(context, () => Promise.all([find(contact_id), find(source_contact_id)])),
        ),
      async () => {
        if (contact_id === source_contact_id) {
          throw invalid([{ field: 'source_contact_id', code: 'same_contact', message: 'Name another contact than the one of the path.' }]);
        }
        await Promise.all([find(contact_id), find(source_contact_id)]);
      },
    );
  },
});

async function mergeExclusively(context: Context, find: () => Promise<[FoundContact, FoundContact]>): Promise<MergedContact> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [target, source] = await find();
    if (target.root.id === source.root.id) {
      for (const { named } of [target, source]) await completeLinksToRoot(context, named);
      return { contact_id: target.root.id, merge_id: linkBetween(source, target) };
    }
    const merge_id = await mergeContacts(context, target.root, source.root, 'request');
    if (merge_id === null) continue;
    const [merged] = await find();
    return { contact_id: merged.root.id, merge_id };
  }
  throw new DomainError('conflict', 'Others merge the same contacts at the same moment. Try again.');
}

/** One of the two is a part, or both are. */
function linkBetween(...found: readonly FoundContact[]): string {
  for (const { named } of found) if (named.state.status === 'merged') return named.state.merge_id;
  throw new Error('two contacts have one root and neither is merged');
}
