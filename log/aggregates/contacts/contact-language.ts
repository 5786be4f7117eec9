import { type Language, languageOf } from '../../../domain/kernel/languages.js';
import type { EventLog } from '../../runtime/event-log.js';
import { type LoadedContact, loadContact, loadRoot, unifyContact } from './load-contact.js';

/** The language of the pages and mails for a contact; null where its own is not known, or none of theirs, and without such a contact. */
export async function loadContactLanguage(log: EventLog, contact: string | LoadedContact): Promise<Language | null> {
  const root = await loadRoot(log, typeof contact === 'string' ? await loadContact(log, contact) : contact);
  if (root.state.status !== 'active') return null;
  return languageOf((await unifyContact(log, root)).facts.values.locale?.value);
}
