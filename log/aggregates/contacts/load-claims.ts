import type { ExistingContact } from '../../../domain/contacts/contact.js';
import { type ContactKey, type ContactKeyEvent, contactKey, contactKeyStream } from '../../../domain/contacts/contact-key.js';
import { type Facts, heldKeysOf } from '../../../domain/contacts/facts.js';
import { holdsItself, holdsKey, namesOfKey, plainKeyName } from '../../../domain/contacts/other-addresses.js';
import { spelledKey } from '../../../domain/contacts/phone-spellings.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { LogEvent } from '../../runtime/log-event.js';
import { loadHistory } from '../load-aggregate.js';
import { type LoadedContact, loadContact } from './load-contact.js';

/** A key of a contact: `name` is `email`, `phone`, `custom_fields.<key>` or that of a further address, `key` the HMAC of the value. */
export interface IdentifyingKey {
  readonly name: string;
  readonly key: string;
  /** Of a phone number: the keys of its other spellings. */
  readonly spellings?: readonly string[];
}

/** The keys of a contact. */
export const identifyingKeysOf = ({ facts }: ExistingContact): IdentifyingKey[] => heldKeysOf(facts).filter(({ name }) => spelledKey(name) === null);

/** All keys that a contact may have claimed: its own, and those of other spellings of its numbers. */
export const claimedKeysIn = (facts: Facts): IdentifyingKey[] => heldKeysOf(facts).map(({ name, key }) => ({ name: plainKeyName(name), key }));

export interface LoadedClaim extends IdentifyingKey {
  readonly state: ContactKey;
  readonly revision: number;
  /** The contact that holds the key, or null if the key is free. */
  readonly holder: LoadedContact | null;
  /** The contact that released the key although the claim still names it, or null. */
  readonly stale: string | null;
  /** The last event of the claim, or null if there is none. */
  readonly last: LogEvent<ContactKeyEvent> | null;
  /** The claims of the other spellings of the number. */
  readonly others?: readonly LoadedClaim[];
}

/**
 * The claims of some keys with their holders. Each contact is loaded once. A number whose contact has it in another spelling gives the
 * claim of that spelling, under the name that was asked for: its `key` is the one that the contact has.
 */
export async function loadClaims(source: { readonly log: EventLog }, keys: readonly IdentifyingKey[]): Promise<LoadedClaim[]> {
  const contacts = new Map<string, Promise<LoadedContact>>();
  const load = (id: string): Promise<LoadedContact> => {
    const known = contacts.get(id) ?? loadContact(source.log, id);
    contacts.set(id, known);
    return known;
  };
  return Promise.all(keys.map((key) => loadSpelledClaim(source, key, load)));
}

async function loadSpelledClaim(
  source: { readonly log: EventLog },
  { name, key, spellings = [] }: IdentifyingKey,
  load: (id: string) => Promise<LoadedContact>,
): Promise<LoadedClaim> {
  const own = await loadClaim(source, { name, key }, load);
  if (spellings.length === 0) return own;
  const all = [own, ...(await Promise.all(spellings.map((one) => loadClaim(source, { name, key: one }, load))))];
  const found = all.find(isWrittenSo) ?? all.find(({ holder }) => holder !== null) ?? own;
  return { ...found, others: all.filter((one) => one !== found) };
}

/** Whether the holder of a claim has the number in this spelling. */
const isWrittenSo = ({ name, key, holder }: LoadedClaim): boolean =>
  holder !== null && holder.state.status !== 'new' && holdsItself(holder.state.facts, name, key);

async function loadClaim(
  { log }: { readonly log: EventLog },
  naming: Pick<IdentifyingKey, 'name' | 'key'>,
  load: (id: string) => Promise<LoadedContact>,
): Promise<LoadedClaim> {
  const { state, revision, events } = await loadHistory(log, contactKey, contactKeyStream(naming.key));
  const last = events.at(-1) ?? null;
  const claim = { ...naming, state, revision, last };
  if (state.status === 'free') return { ...claim, holder: null, stale: null };
  const holder = await load(state.contact_id);
  return hasReleased(holder, naming, last?.position ?? '') ? { ...claim, holder: null, stale: holder.id } : { ...claim, holder, stale: null };
}

/**
 * Whether a contact released a key after it had claimed it. A deleted or erased contact has released all its keys, including
 * one that was claimed for it at the same moment. A contact that has not recorded the key yet has not released it: its claimer
 * is about to record it, at the revision from before the claim.
 */
function hasReleased({ state, past }: LoadedContact, { name, key }: Pick<IdentifyingKey, 'name' | 'key'>, claimedAt: string): boolean {
  if (state.status === 'new') return false;
  if (state.status === 'deleted' || state.status === 'erased') return true;
  if (holdsKey(state.facts, name, key)) return false;
  return namesOfKey(name, key).some((one) => (ownField(past.keyChanges, one) ?? '') > claimedAt);
}
