/** The contacts that a journey may start for by a date. */
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { contactQueries } from '../../../projections/contacts/queries.js';

const PAGE = 200;

/** A page of the contacts that have a field, by its full name, in the order of their creation. */
export async function datedContacts(
  stores: { readonly log: EventLog; readonly views: ReadModels },
  account: string,
  field: string,
  after: string | null,
) {
  const filter = { account, keys: [], fields: [], after, descending: false, limit: PAGE };
  const found = await contactQueries(stores).page(filter);
  const has = ({ item }: (typeof found)[number]) => field === 'created_at' || typeof ownField(item.facts.values, field)?.value === 'string';
  return { ids: found.filter(has).map(({ item }) => item.unified.tree.id), next: found.length < PAGE ? null : (found.at(-1)?.cursor ?? null) };
}
