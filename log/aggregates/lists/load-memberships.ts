import { type Memberships, membershipStream, uniteMemberships } from '../../../domain/lists/membership.js';
import type { EventLog } from '../../runtime/event-log.js';
import { type UnitedContact, uniteOver } from '../contacts/unite-contact.js';
import { keptFolds } from '../kept-folds.js';
import type { Until } from '../load-aggregate.js';
import { loadState } from '../load-state.js';

/** The memberships in one contact's own stream. Their sources stay sealed: `openSources` opens them. */
export async function loadMemberships(log: EventLog, contactId: string, until?: Until): Promise<Memberships> {
  const { state } = await loadState(log, keptFolds.membership, membershipStream(contactId), { until, sealed: true });
  return state;
}

/** The memberships of a contact and of all contacts merged into it, united. `contact` is the contact as of `until`. */
export const loadUnitedMemberships = (log: EventLog, contact: UnitedContact, until?: Until): Promise<Memberships> =>
  uniteOver(contact, ({ id }) => loadMemberships(log, id, until), uniteMemberships);
