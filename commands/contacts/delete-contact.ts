import Type from 'typebox';
import { contact, contactStream, erased, type KnownContact } from '../../domain/contacts/contact.js';
import { notFound } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { command } from '../kernel.js';
import { keysOf, releaseKeys } from './claims.js';
import { loadContact, rootOf, wholeOf } from './contact-tree.js';

/**
 * Takes a contact out of the account with all that is merged into it: nothing finds it any more, and its addresses are free
 * for another one. What happened stays in the log; suppressions and the consent ledger stay as they are. Done twice, it is
 * no error. Throws `not_found` and `contact_erased`.
 */
export const deleteContact = command({
  name: 'DeleteContact',
  input: Type.Object({ contact_id: text }),

  async handle({ contact_id }, context): Promise<{ readonly contact_id: string }> {
    const { log, now } = context;
    const named = await loadContact(log, contact_id);
    if (named.account !== context.cause.account || named.state.status === 'new') throw notFound('contact', contact_id);
    const root = await rootOf(log, named);
    if (named.erased || root.erased) throw erased(contact_id);
    const { members } = await wholeOf(log, root.state as KnownContact);
    // The contact itself last: until it is deleted whoever was killed in between can be told to do it again.
    for (const { id } of [...members].reverse()) {
      const { state } = await context.decide(contact, contactStream(id), { type: 'Delete', now });
      if (state.status !== 'new') await releaseKeys(context, id, keysOf(state));
    }
    return { contact_id: root.id };
  },
});
