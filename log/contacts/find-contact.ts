import { contactErased } from '../../domain/contacts/contact.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { EventLog } from '../event-log.js';
import type { Until } from '../load-aggregate.js';
import { type LoadedContact, loadContact, loadRoot } from './load-contact.js';
import { type UnitedContact, uniteContact } from './unite-contact.js';

/** A contact that is there, under whichever of its ids it was asked for. */
export interface FoundContact {
  /** The one that was named. */
  readonly named: LoadedContact;
  /** The one as which it answers. */
  readonly root: LoadedContact;
  readonly united: UnitedContact;
}

/**
 * The contact of an account, from the log. Throws `not_found` where there is none (any more), or where it is another
 * account's, and `contact_erased`, also for what it was before it was erased.
 */
export async function findContact(log: EventLog, account: string, id: string, until?: Until): Promise<FoundContact> {
  const named = await loadContact(log, id, until);
  if (named.account !== account || named.state.status === 'new') throw notFound('contact', id);
  const root = await loadRoot(log, named, until);
  if (named.erased || root.erased) throw contactErased(id);
  if (root.state.status !== 'active') throw notFound('contact', id);
  return { named, root, united: await uniteContact(log, root, until) };
}
