import { contactErased } from '../../../domain/contacts/contact.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../loaded-aggregate.js';
import { findOwnContact, type LoadedContact, loadRoot } from './load-contact.js';
import { type UnifiedContact, unifyContact } from './unify-contact.js';

/** A contact that exists, found by any of its ids. */
export interface FoundContact {
  /** The contact with the given id. */
  readonly named: LoadedContact;
  /** The root of that contact. */
  readonly root: LoadedContact;
  readonly unified: UnifiedContact;
}

/**
 * Finds a contact of an account by id, as of `until` if given. Throws `not_found` if it does not exist, is deleted, or belongs
 * to another account, and `contact_erased` if it is erased now, whatever `until` is.
 */
export async function findContact(log: EventLog, account: string, id: string, until?: ReadBound): Promise<FoundContact> {
  const named = await findOwnContact(log, account, id, until);
  if (!named) throw notFound('contact', id);
  const root = await loadRoot(log, named, until);
  if (named.erased || root.erased) throw contactErased(id);
  if (root.state.status !== 'active') throw notFound('contact', id);
  return { named, root, unified: await unifyContact(log, root, until) };
}
