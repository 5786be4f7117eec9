import type { ContactEvent, ExistingContact } from '../../domain/contacts/contact.js';
import { type ContactKey, type ContactKeyEvent, contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { type LoadedContact, loadContact } from '../../log/contacts/load-contact.js';
import type { EventAppend } from '../../log/event-log.js';
import { loadAggregate } from '../../log/load-aggregate.js';
import type { LogEvent } from '../../log/log-event.js';
import { toExpected, tryAppend, tryAppendAll } from '../append.js';
import type { Context } from '../kernel.js';
import { contactKeyLookup } from './dependencies.js';

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
export async function loadClaims(context: Pick<Context, 'log'>, keys: readonly IdentifyingKey[]): Promise<LoadedClaim[]> {
  const contacts = new Map<string, Promise<LoadedContact>>();
  const load = (id: string): Promise<LoadedContact> => {
    const known = contacts.get(id) ?? loadContact(context.log, id);
    contacts.set(id, known);
    return known;
  };
  return Promise.all(keys.map((key) => loadClaim(context, key, load)));
}

/**
 * The same, but for keys that certainly nobody had a moment ago: those are not looked up. Where somebody has claimed one
 * since, whoever claims it next is told.
 */
export async function loadLikelyClaims(context: Pick<Context, 'log' | 'use'>, keys: readonly IdentifyingKey[]): Promise<LoadedClaim[]> {
  const lookup = context.use(contactKeyLookup);
  const mayBeHeld = ({ key }: IdentifyingKey): boolean => lookup.mightContain(key);
  const loaded = await loadClaims(context, keys.filter(mayBeHeld));
  if (loaded.length === keys.length) return loaded;
  const byName = new Map(loaded.map((claim) => [claim.name, claim]));
  return keys.map(
    (naming) => byName.get(naming.name) ?? { ...naming, state: contactKey.initial, revision: -1, holder: null, stale: null, last: null },
  );
}

async function loadClaim({ log }: Pick<Context, 'log'>, naming: IdentifyingKey, load: (id: string) => Promise<LoadedContact>): Promise<LoadedClaim> {
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

/**
 * What claims keys for a contact, as they were looked at. Everybody claims in the same order and stops at the first that is
 * gone, so of those who want the same keys one gets them all. Null where one of them is somebody else's already.
 */
export function claimAppends({ now }: Pick<Context, 'now'>, claims: readonly LoadedClaim[], contact_id: string): EventAppend[] | null {
  const appends = [...claims]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, state, revision, stale }) => {
      const events = contactKey.decide({ type: 'ClaimContactKey', contact_id, stale, now }, state);
      return { stream: contactKeyStream(key), expected: toExpected(revision), events };
    });
  return appends.every(({ events }) => events.length > 0) ? appends : null;
}

/** Claims keys for a contact; false where somebody else was faster with one of them. */
export async function appendClaims(context: Context, claims: readonly LoadedClaim[], contact_id: string): Promise<boolean> {
  const appends = claimAppends(context, claims, contact_id);
  return appends !== null && tryAppendAll(context, appends);
}

/** Frees keys that a contact does not have any more. What a crash leaves behind is seen to be stale by whoever meets it. */
export async function releaseKeys(context: Context, contact_id: string, keys: readonly IdentifyingKey[]): Promise<void> {
  for (const claim of await loadClaims(context, keys)) {
    if (claim.stale !== contact_id) continue;
    // Whoever has claimed it since keeps it.
    await tryAppend(context, contactKeyStream(claim.key), claim.revision, [{ type: 'ContactKeyReleased', data: { contact_id, at: context.now } }]);
  }
}
