import { ownField } from '../../domain/kernel/own-fields.js';
import { boundedText, record, text } from '../../domain/kernel/schema.js';
import { type MembershipStatus, membership, membershipStream } from '../../domain/lists/membership.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { command } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';
import { type UnchangedReason, whyUnchanged } from './unchanged.js';

export interface ResubscribeResult {
  readonly contact_id: string;
  /** Null if the contact never was on the list. */
  readonly status: MembershipStatus | null;
  readonly changed: boolean;
  readonly unchanged?: UnchangedReason;
}

/**
 * Puts a contact back on a list that it has left or was taken off, with a reason and a proof, also on a list with double
 * opt-in. Throws `not_found` for the list or the contact, `contact_erased`.
 */
export const resubscribe = command({
  name: 'Resubscribe',
  input: record({ list_id: text, contact_id: text, reason: boundedText({}), proof: boundedText({}), source: text }),

  async handle({ list_id, contact_id, reason, proof, source }, context): Promise<ResubscribeResult> {
    const { log, cause, now } = context;
    await loadList(log, cause.account, list_id);
    const found = await findContact(log, cause.account, contact_id);
    await requireMode(context, found);
    const { named, root, unified: contact } = found;
    const unified = await loadUnifiedMemberships(log, contact);
    const about = { contact_id: named.id, list_id, unified, now };
    const { position } = await context.decide(membership, membershipStream(named.id), { type: 'Resubscribe', ...about, reason, proof, source });
    if (position !== null) return { contact_id: root.id, status: 'subscribed', changed: true };
    const status = ownField(unified, list_id)?.value.status;
    return { contact_id: root.id, status: status ?? null, changed: false, unchanged: whyUnchanged(status) };
  },
});
