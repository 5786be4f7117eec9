import { isDomainError, notFound } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { ListDetails } from '../../../domain/lists/list.js';
import { isConfirmableBy, isRequestedBy, type Membership } from '../../../domain/lists/membership.js';
import type { ConfirmationRequest } from '../../../formats/lists/confirmation-link.js';
import type { EventLog } from '../../runtime/event-log.js';
import { findContact } from '../contacts/load-contact.js';
import { loadList } from './load-list.js';
import { loadMemberships } from './load-memberships.js';

const confirmationNotFound = (id: string) => notFound('confirmation', id);

/**
 * The list and the membership that a confirmation link is for. Throws `not_found` if the link has expired or was replaced by
 * a newer one, or if the list or the contact no longer exists.
 */
export async function loadConfirmation(
  log: EventLog,
  account: string,
  { contact_id, list_id, request_id }: ConfirmationRequest,
  now: string,
): Promise<{ list: ListDetails; membership: Membership }> {
  const own = ownField(await loadMemberships(log, contact_id), list_id)?.value;
  const isUsable = own && (own.status === 'subscribed' ? isRequestedBy(own, request_id) : isConfirmableBy(own, request_id, now));
  try {
    if (!isUsable) throw confirmationNotFound(request_id);
    await findContact(log, account, contact_id);
    return { list: await loadList(log, account, list_id), membership: own };
  } catch (e) {
    throw isDomainError(e) ? confirmationNotFound(request_id) : e;
  }
}
