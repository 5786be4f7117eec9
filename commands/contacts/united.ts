import { erased, type KnownContact } from '../../domain/contacts/contact.js';
import { notFound } from '../../domain/kernel/errors.js';
import type { EventLog } from '../../log/event-log.js';
import { type LoadedContact, loadContact, rootOf } from './contact-tree.js';

/** A contact by one of its ids, and the contact as which it answers. */
export interface FoundContact {
  /** The one that was named: what is said under its id is said of it. */
  readonly about: LoadedContact;
  readonly root: KnownContact;
}

/**
 * A contact of an account by its id, also by one that is merged into another. `until`: as it was at that time (RFC 3339).
 * Throws `not_found`, also for another account's and for a deleted one, and `contact_erased`, whatever the time.
 */
export async function findContact(log: EventLog, account: string, id: string, until?: string): Promise<FoundContact> {
  const present = await loadContact(log, id);
  if (present.account !== account) throw notFound('contact', id);
  const { state: now } = await rootOf(log, present);
  if (now.status === 'erased' || present.state.status === 'erased') throw erased(id);
  const about = until === undefined ? present : await loadContact(log, id, until);
  const { state } = until === undefined ? { state: now } : await rootOf(log, about, until);
  if (state.status === 'new' || state.status === 'deleted') throw notFound('contact', id);
  return { about, root: state };
}

/**
 * What is kept of each contact in a stream beside its own (consents, memberships), of all parts of one read as one: each
 * link by the rule of `unite`. `until`: by the links there were at that time.
 */
export async function unitedOf<S>(
  log: EventLog,
  root: Pick<KnownContact, 'id' | 'parts'>,
  of: {
    readonly load: (contactId: string) => Promise<S>;
    readonly unite: (left: S, right: S, unitedAt: string) => S;
    readonly until?: string | undefined;
  },
): Promise<S> {
  let state: S = await of.load(root.id);
  for (const { contact_id, merge_id, at } of root.parts) {
    const { state: part } = await loadContact(log, contact_id, of.until);
    // A link counts once both ends know of it.
    if (part.status === 'merged' && part.merge_id === merge_id) state = of.unite(state, await unitedOf<S>(log, part, of), at);
  }
  return state;
}
