import { ownField } from '../../domain/kernel/own-fields.js';
import type { MembershipStatus } from '../../domain/lists/membership.js';
import { loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadMemberships, loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { openSources } from '../../log/runtime/open-sources.js';

export interface MemberAt {
  readonly contact_id: string;
  readonly status: MembershipStatus;
  readonly source: string;
  readonly since: string;
}

/**
 * The membership of a contact at a time (RFC 3339), from the log; null if it had none. Of contacts that were merged at that
 * time, only the first with a membership of its own returns it, so that a unified contact counts once.
 */
export async function loadMemberAt(log: EventLog, listId: string, contactId: string, asOf: string): Promise<MemberAt | null> {
  const named = await loadContact(log, contactId, asOf);
  if (named.state.status === 'new') return null;
  const root = await loadRoot(log, named, asOf);
  if (root.state.status !== 'active') return null;
  const whole = await unifyContact(log, root, asOf);
  for (const { id } of whole.members) {
    if (!Object.hasOwn(await loadMemberships(log, id, asOf), listId)) continue;
    if (id !== contactId) return null;
    break;
  }
  const membership = ownField(await loadUnifiedMemberships(log, whole, asOf), listId);
  if (!membership) return null;
  const { status, source } = membership.value;
  const [opened = null] = await openSources(log, [{ contact_id: root.id, status, source, since: membership.at }]);
  return opened;
}
