import type { MembershipStatus } from '../../domain/lists/membership.js';
import { loadContact, loadRoot } from '../../log/contacts/load-contact.js';
import { uniteContact } from '../../log/contacts/unite-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { loadMemberships, loadUnitedMemberships } from '../../log/lists/load-memberships.js';

export interface MemberAt {
  readonly contact_id: string;
  readonly status: MembershipStatus;
  readonly source: string;
  readonly since: string;
}

/**
 * How somebody stood to a list at a time (RFC 3339), from the log alone; null where it did not. Of several contacts that
 * were one person then, only the first that had said anything of the list answers, so that each is counted once.
 */
export async function loadMemberAt(log: EventLog, listId: string, contactId: string, asOf: string): Promise<MemberAt | null> {
  const named = await loadContact(log, contactId, asOf);
  if (named.state.status === 'new') return null;
  const root = await loadRoot(log, named, asOf);
  if (root.state.status !== 'active') return null;
  const whole = await uniteContact(log, root, asOf);
  for (const { id } of whole.members) {
    if (!(listId in (await loadMemberships(log, id, asOf)))) continue;
    if (id !== contactId) return null;
    break;
  }
  const said = (await loadUnitedMemberships(log, whole, asOf))[listId];
  return said ? { contact_id: root.id, status: said.value.status, source: said.value.source, since: said.at } : null;
}
