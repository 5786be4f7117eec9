import { contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { type IdentifyingKey, type LoadedClaim, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { toExpected, tryAppend } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';

/**
 * Loads claims, but skips keys that had no contact a moment ago according to the lookup in memory. If one was claimed since,
 * the append of its claim is refused.
 */
export async function loadLikelyClaims(context: Pick<Context, 'log' | 'ports'>, keys: readonly IdentifyingKey[]): Promise<LoadedClaim[]> {
  const lookup = context.ports.lookups.contactKeys;
  const mayBeHeld = ({ key, spellings = [] }: IdentifyingKey): boolean =>
    lookup.mightContain(key) || spellings.some((one) => lookup.mightContain(one));
  const loaded = await loadClaims(context, keys.filter(mayBeHeld));
  if (loaded.length === keys.length) return loaded;
  const byName = new Map(loaded.map((claim) => [claim.name, claim]));
  return keys.map(({ name, key, spellings = [] }) => {
    const others = spellings.map((one) => freeClaim({ name, key: one }));
    return byName.get(name) ?? { ...freeClaim({ name, key }), ...(others.length > 0 && { others }) };
  });
}

const freeClaim = (naming: IdentifyingKey): LoadedClaim => ({
  ...naming,
  ...{ state: contactKey.initial, revision: -1, holder: null, stale: null, last: null },
});

/**
 * The appends that claim keys for a contact, at the revisions that were loaded; of a number all spellings that nobody else has. All runs
 * claim in the same order and stop at the first refusal, so of several runs that want the same keys one gets all. Null if a key belongs
 * to another contact.
 */
export function claimAppends({ now }: Pick<Context, 'now'>, claims: readonly LoadedClaim[], contact_id: string): EventAppend[] | null {
  const asked = claims.flatMap((claim) => [claim, ...(claim.others ?? [])].map((one, nth) => ({ ...one, isOwn: nth === 0 })));
  const appends = asked
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, state, revision, stale, isOwn }) => {
      const events = contactKey.decide({ type: 'ClaimContactKey', contact_id, stale, now }, state);
      return { stream: contactKeyStream(key), expected: toExpected(revision), events, isOwn };
    })
    .filter(({ events, isOwn }) => isOwn || events.length > 0);
  return appends.every(({ events }) => events.length > 0) ? appends.map(({ isOwn: _, ...append }) => append) : null;
}

/** Releases keys that a contact no longer has. If it is interrupted, the next reader of a claim sees that it is stale. */
export async function releaseKeys(context: Context, contact_id: string, keys: readonly IdentifyingKey[]): Promise<void> {
  for (const claim of await loadClaims(context, keys)) {
    if (claim.stale !== contact_id) continue;
    // If another contact has claimed the key since, that claim stays.
    await tryAppend(context, contactKeyStream(claim.key), claim.revision, [{ type: 'ContactKeyReleased', data: { contact_id, at: context.now } }]);
  }
}
