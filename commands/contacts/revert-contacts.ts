import { type RevertCounts, zeroReverted } from '../../domain/contacts/import.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { revertContact, unmergeImported } from './revert-contact.js';

/** Contacts that are reverted at once. */
const IN_FLIGHT = 64;

/** Reverts what an import changed of these contacts. Repeatable. */
export async function revertContacts(context: Context, importId: string, contacts: readonly string[]): Promise<RevertCounts> {
  const counts = { ...zeroReverted };
  // Links first: a contact with parts is not deleted.
  for (const work of [unmergeImported, revertContact]) {
    const revert = (id: string) => work(context.contextOfPart(`revert/${importId}/${work.name}/${id}`), importId, id);
    for (const outcome of await mapConcurrent(context, contacts, IN_FLIGHT, revert)) if (outcome) counts[outcome] += 1;
  }
  return counts;
}
