import type { ContactEvent, ExistingContact } from '../../domain/contacts/contact.js';
import { type ContactKey, type ContactKeyEvent, contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate } from '../load-aggregate.js';
import type { LogEvent } from '../log-event.js';
import { type LoadedContact, loadContact } from './load-contact.js';

/** One thing that names a contact: `name` is `email`, `phone` or `custom_fields.<key>`, `key` the HMAC of what it says. */
export interface IdentifyingKey {
  readonly name: string;
  readonly key: string;
}

/** What names a contact by what is said of it. */
export const identifyingKeysOf = ({ facts }: ExistingContact): IdentifyingKey[] =>
  Object.entries(facts.keys).flatMap(([name, { value }]) => (value ? [{ name, key: value }] : []));

export interface LoadedClaim extends IdentifyingKey {
  readonly state: ContactKey;
  readonly revision: number;
  /** The contact that has it, or null where it is free. */
  readonly holder: LoadedContact | null;
  /** The contact that gave the key up although the claim still stands, or null. */
  readonly stale: string | null;
  /** What happened to the claim last, or null where nothing did. */
  readonly last: LogEvent<ContactKeyEvent> | null;
}

/** The claims of a row's keys, and the contacts that hold them: each contact is loaded once. */
export async function loadClaims(source: { readonly log: EventLog }, keys: readonly IdentifyingKey[]): Promise<LoadedClaim[]> {
  const contacts = new Map<string, Promise<LoadedContact>>();
  const load = (id: string): Promise<LoadedContact> => {
    const known = contacts.get(id) ?? loadContact(source.log, id);
    contacts.set(id, known);
    return known;
  };
  return Promise.all(keys.map((key) => loadClaim(source, key, load)));
}

async function loadClaim(
  { log }: { readonly log: EventLog },
  naming: IdentifyingKey,
  load: (id: string) => Promise<LoadedContact>,
): Promise<LoadedClaim> {
  const { state, revision, events } = await loadAggregate(log, contactKey, contactKeyStream(naming.key));
  const last = events.at(-1) ?? null;
  const claim = { ...naming, state, revision, last };
  if (state.status === 'free') return { ...claim, holder: null, stale: null };
  const holder = await load(state.contact_id);
  return hasReleased(holder, naming, last?.position ?? '') ? { ...claim, holder: null, stale: holder.id } : { ...claim, holder, stale: null };
}

/**
 * Whether a contact let go of a key after it had claimed it, as one that is gone did of all, also of what was claimed for it
 * at that very moment. A contact that has not said the key yet did not: whoever claimed it for the contact is about to say
 * so, and can only do it on the contact as it was before the claim.
 */
function hasReleased({ state, events }: LoadedContact, { name, key }: IdentifyingKey, claimedAt: string): boolean {
  if (state.status === 'new') return false;
  if (state.status === 'deleted' || state.status === 'erased') return true;
  if (state.facts.keys[name]?.value === key) return false;
  const speaks = (event: ContactEvent) => (event.type === 'ContactCreated' || event.type === 'ContactUpdated') && name in event.data.keys;
  return events.some(({ event, position }) => position > claimedAt && speaks(event));
}
