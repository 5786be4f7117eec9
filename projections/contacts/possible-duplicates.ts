/**
 * Contacts that have one number in its two spellings. Since numbers of one subscriber are known by all of their spellings there are no new
 * ones; those of earlier versions stay as they are until somebody merges them.
 */

import { membersOf } from '../../domain/contacts/contact-tree.js';
import { type Facts, heldKeysOf, otherSpellingIn } from '../../domain/contacts/facts.js';
import { addressOf } from '../../domain/contacts/other-addresses.js';
import { spelledKey } from '../../domain/contacts/phone-spellings.js';
import type { Docs } from '../../domain/kernel/read-models.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { ContactDoc } from './projection.js';

/** The ids of the contacts that have a number of a contact, given by its id and its members, in its other spelling; from the log. */
export async function loadPossibleDuplicates(log: EventLog, id: string, members: readonly { readonly facts: Facts }[]): Promise<string[]> {
  const numbers = members.flatMap(({ facts }) =>
    heldKeysOf(facts)
      .filter(({ name }) => addressOf(name) === 'phone')
      .map(({ key }) => [facts, key] as const),
  );
  const spellings = numbers.flatMap(([facts, key]) => otherSpellingIn(facts, key) ?? []);
  const claims = await loadClaims(
    { log },
    spellings.map((key) => ({ name: 'phone', key })),
  );
  const holders = await Promise.all(claims.map(async ({ holder }) => holder && loadRoot(log, holder)));
  const others = holders.flatMap((holder) => (holder && holder.state.status === 'active' && holder.id !== id ? [holder.id] : []));
  return [...new Set(others)].sort();
}

/** Whether another contact in the read model has a number of this one. */
export async function hasTwin(docs: Docs<ContactDoc>, { id, account, tree }: ContactDoc): Promise<boolean> {
  const numbers = membersOf(tree).flatMap(({ own }) => heldKeysOf(own.facts).flatMap(({ name }) => spelledKey(name) ?? []));
  for (const keys of new Set(numbers)) {
    const found = await docs.find({ where: { account, keys }, order: { field: 'sort' }, limit: 2 });
    if (found.some((one) => one.id !== id)) return true;
  }
  return false;
}
