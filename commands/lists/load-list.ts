import { notFound } from '../../domain/kernel/errors.js';
import { type ActiveList, type List, type ListEvent, list, listStream } from '../../domain/lists/list.js';
import { type Memberships, membership, membershipStream, uniteMemberships } from '../../domain/lists/membership.js';
import { type UnitedContact, uniteOver } from '../../log/contacts/unite-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { loadAggregate, type Until } from '../../log/load-aggregate.js';

/** A list without its counts, which are another read. */
export type ListDetails = Omit<ActiveList, 'status'>;

export function toListDetails(state: List): ListDetails {
  if (state.status === 'new') throw new Error('a list that was made is not new');
  const { id, name, description, opt_in, created_at, updated_at, version } = state;
  return { id, name, description, opt_in, created_at, updated_at, version };
}

/** A list of an account, from the log. Throws `not_found`, also where it was deleted. */
export async function loadList(log: EventLog, account: string, id: string, { deletedToo = false } = {}): Promise<ListDetails> {
  const { state, account: owner } = await loadAggregate(log, list, listStream(id));
  if (owner !== account || (state.status === 'deleted' && !deletedToo)) throw notFound('list', id);
  return toListDetails(state);
}

/** The account of a list, or null where there is none such. For routes that anybody may call. */
export async function loadListAccount(log: EventLog, id: string): Promise<string | null> {
  const [first] = (await log.read<ListEvent>(listStream(id), { limit: 1 })) ?? [];
  return first?.meta.account ?? null;
}

/** The lists of a contact with all that is merged into it, from the log alone. `whole` is as it was at `until`. */
export const loadUnitedMemberships = (log: EventLog, whole: UnitedContact, until?: Until): Promise<Memberships> =>
  uniteOver(whole, ({ id }) => loadMemberships(log, id, until), uniteMemberships);

/** What was said of one contact by itself. */
export async function loadMemberships(log: EventLog, contactId: string, until?: Until): Promise<Memberships> {
  const { state } = await loadAggregate(log, membership, membershipStream(contactId), { until });
  return state;
}
