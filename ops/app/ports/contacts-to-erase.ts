import { type ContactKeyEvent, contactKeyStream } from '../../../domain/contacts/contact-key.js';
import { type LoadedContact, loadContact } from '../../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../../log/runtime/event-log.js';

/** The contacts to erase for an address: the one that has it, and those that had it when they were deleted. Not all that ever had it. */
export async function findContactsToErase(log: EventLog, addressKey: string): Promise<string[]> {
  const claims = (await log.read<ContactKeyEvent>(contactKeyStream(addressKey))) ?? [];
  const claimants = [...new Set(claims.map(({ event }) => event.data.contact_id))];
  const loaded = await Promise.all(claimants.map((id) => loadContact(log, id)));
  const has = ({ state }: LoadedContact): boolean =>
    state.status !== 'new' && state.status !== 'erased' && Object.values(state.facts.keys).some(({ value }) => value === addressKey);
  return loaded.filter(has).map(({ id }) => id);
}
