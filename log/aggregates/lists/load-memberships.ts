import { type Memberships, membership, membershipStream, unifyMemberships } from '../../../domain/lists/membership.js';
import type { EventLog } from '../../runtime/event-log.js';
import { type UnifiedContact, unifyOver } from '../contacts/load-contact.js';
import { loadAggregate, type ReadBound } from '../load-aggregate.js';

/** The memberships in one contact's own stream. Their sources stay sealed: `openSources` opens them. */
export async function loadMemberships(log: EventLog, contactId: string, until?: ReadBound): Promise<Memberships> {
  const { state } = await loadAggregate(log, membership, membershipStream(contactId), { until, sealed: true });
  return state;
}

/** The memberships of a contact and of all contacts merged into it, unified. `contact` is the contact as of `until`. */
export const loadUnifiedMemberships = (log: EventLog, contact: UnifiedContact, until?: ReadBound): Promise<Memberships> =>
  unifyOver(contact, ({ id }) => loadMemberships(log, id, until), unifyMemberships);
