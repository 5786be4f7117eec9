import Type from 'typebox';
import { contactErased, type ExistingContact } from '../../domain/contacts/contact.js';
import { membersOf } from '../../domain/contacts/contact-tree.js';
import { notFound } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { claimedKeysIn } from '../../log/aggregates/contacts/load-claims.js';
import { findOwnContact, type LoadedContact, loadPath, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { command, type Plan } from '../runtime/command.js';
import { releaseKeys } from './claims.js';
import { appendsTo, completeLinks } from './links.js';

/**
 * Deletes a contact with all that is merged into it: queries no longer find it, and its addresses are free for other contacts.
 * Its events, suppressions and consents stay. A repeat changes nothing. Throws `not_found` and `contact_erased`.
 */
export const deleteContact = command({
  name: 'DeleteContact',
  input: Type.Object({ contact_id: text }),

  async handle({ contact_id }, context): Promise<{ readonly contact_id: string }> {
    const deleted = new Map<string, ExistingContact>();
    const id = await context.attempt(
      async () => {
        const loaded = await loadTree(context.log, context.cause.account, contact_id);
        for (const { id: member, own } of membersOf(loaded.tree)) deleted.set(member, own.state);
        return loaded;
      },
      (loaded) => planDeletion(loaded, context.now),
    );
    for (const [member, state] of deleted) await releaseKeys(context, member, claimedKeysIn(state.facts));
    return { contact_id: id };
  },
});

type LoadedTree = Awaited<ReturnType<typeof loadTree>>;

/** A contact with the way to its root, and all that is merged into the root. Throws `not_found` and `contact_erased`. */
async function loadTree(log: EventLog, account: string, id: string) {
  const named = await findOwnContact(log, account, id);
  if (!named) throw notFound('contact', id);
  const path = await loadPath(log, named);
  const root = path.at(-1) as LoadedContact;
  if (named.erased || root.erased) throw contactErased(id);
  return { path, tree: (await unifyContact(log, root)).tree };
}

/**
 * Deletes parts before what they are merged into, and the root last, at the revision that was loaded: so an interrupted
 * deletion can be repeated, and a contact that is merged into the root meanwhile is not left behind.
 */
function planDeletion({ path, tree }: LoadedTree, now: string): Plan<string> {
  const half = completeLinks(path, now);
  if (half.length > 0) return { appends: half };
  const members = membersOf(tree).reverse();
  return { appends: members.flatMap(({ own }) => appendsTo(own, { type: 'Delete', now })), result: tree.id };
}
