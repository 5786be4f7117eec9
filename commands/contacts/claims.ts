import { contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { type IdentifyingKey, type LoadedClaim, loadClaims } from '../../log/contacts/load-claims.js';
import type { EventAppend } from '../../log/event-log.js';
import { toExpected, tryAppend } from '../append.js';
import type { Context } from '../kernel.js';
import { contactKeyLookup } from '../lookups.js';

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

/** Frees keys that a contact does not have any more. What a crash leaves behind is seen to be stale by whoever meets it. */
export async function releaseKeys(context: Context, contact_id: string, keys: readonly IdentifyingKey[]): Promise<void> {
  for (const claim of await loadClaims(context, keys)) {
    if (claim.stale !== contact_id) continue;
    // Whoever has claimed it since keeps it.
    await tryAppend(context, contactKeyStream(claim.key), claim.revision, [{ type: 'ContactKeyReleased', data: { contact_id, at: context.now } }]);
  }
}
