import { type ContactKeyEvent, contactKeyStream } from '../../../domain/contacts/contact-key.js';
import { heldKeysOf } from '../../../domain/contacts/facts.js';
import { type LoadedContact, loadContact } from '../../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../../log/runtime/event-log.js';

/** The contacts to erase for an address, which is given by the keys of all its spellings: the one that has it, and those that had it when they were deleted. Not all that ever had it. */
export async function findContactsToErase(log: EventLog, addressKeys: readonly string[]): Promise<string[]> {
  const claims = (await Promise.all(addressKeys.map((key) => log.read<ContactKeyEvent>(contactKeyStream(key))))).flatMap((read) => read ?? []);
  const claimants = [...new Set(claims.map(({ event }) => event.data.contact_id))];
  const loaded = await Promise.all(claimants.map((id) => loadContact(log, id)));
  const has = ({ state }: LoadedContact): boolean =>
    state.status !== 'new' && state.status !== 'erased' && heldKeysOf(state.facts).some(({ key }) => addressKeys.includes(key));
  return loaded.filter(has).map(({ id }) => id);
}
