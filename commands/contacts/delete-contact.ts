import Type from 'typebox';
import { contact, contactErased, contactStream } from '../../domain/contacts/contact.js';
import { notFound } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { identifyingKeysOf } from '../../log/contacts/load-claims.js';
import { loadContact } from '../../log/contacts/load-contact.js';
import { tryAppend } from '../append.js';
import { type Context, command } from '../kernel.js';
import { releaseKeys } from './claims.js';
import { completeLinksToRoot } from './merge.js';

/**
 * Takes a contact out of the account with all that is merged into it: nothing finds it any more, and its addresses are free
 * for another one. What happened stays in the log; suppressions and the consent ledger stay as they are. Done twice, it is
 * no error. Throws `not_found` and `contact_erased`.
 */
export const deleteContact = command({
  name: 'DeleteContact',
  input: Type.Object({ contact_id: text }),

  async handle({ contact_id }, context): Promise<{ readonly contact_id: string }> {
    const { log } = context;
    const named = await loadContact(log, contact_id);
    if (named.account !== context.cause.account || named.state.status === 'new') throw notFound('contact', contact_id);
    const root = await completeLinksToRoot(context, named);
    if (named.erased || root.erased) throw contactErased(contact_id);
    await remove(context, root.id);
    return { contact_id: root.id };
  },
});

/**
 * The contact itself last, and only as it was looked at: until it is deleted whoever was killed in between can be told to do
 * it again, and nobody is left behind who was merged into it meanwhile. `link` is that by which it belongs to what is
 * deleted: one that has left is kept.
 */
async function remove(context: Context, id: string, link?: string): Promise<void> {
  const { log, now } = context;
  for (;;) {
    const loaded = await loadContact(log, id);
    const { state, revision } = loaded;
    // Merged into another one at this very moment: it goes with that one.
    if (link === undefined && state.status === 'merged') return remove(context, (await completeLinksToRoot(context, loaded)).id);
    if (state.status === 'new' || (link !== undefined && !(state.status === 'merged' && state.merge_id === link))) return;
    for (const { contact_id, merge_id } of [...state.parts].reverse()) await remove(context, contact_id, merge_id);
    const events = contact.decide({ type: 'Delete', now }, state);
    if (events.length > 0 && !(await tryAppend(context, contactStream(id), revision, events))) continue;
    return releaseKeys(context, id, identifyingKeysOf(state));
  }
}
