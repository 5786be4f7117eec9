import { oneOf, record, text } from '../../domain/kernel/schema.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { command } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';

/**
 * Unsubscribes a contact from a list. Afterward only the person itself can subscribe again. Without effect if the contact
 * is not on the list. Throws `not_found` for the list or the contact, `contact_erased`.
 */
export const leaveList = command({
  name: 'LeaveList',
  input: record({ list_id: text, contact_id: text, by: oneOf('person', 'account'), source: text }),

  async handle({ list_id, contact_id, by, source }, context): Promise<{ changed: boolean }> {
    const { log, cause, now } = context;
    await loadList(log, cause.account, list_id);
    const found = await findContact(log, cause.account, contact_id);
    await requireMode(context, found);
    const { named, unified } = found;
    const memberships = await loadUnifiedMemberships(log, unified);
    const leave = { type: 'Unsubscribe', contact_id: named.id, list_id, by, source, unified: memberships, now } as const;
    const { position } = await context.decide(membership, membershipStream(named.id), leave);
    return { changed: position !== null };
  },
});
