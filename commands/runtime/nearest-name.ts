import { closest, distance } from 'fastest-levenshtein';

/** A name counts as a misspelling if at most this share of its characters is wrong. */
const MAX_MISSPELLED_SHARE = 0.5;

/**
 * The known name that somebody most likely meant, or null if none is similar. Case, dashes and underscores are ignored. `most`: how many
 * characters may be wrong, where names are long and much alike.
 */
export function nearestName(name: string, known: readonly string[], most = Number.POSITIVE_INFINITY): string | null {
  if (known.length === 0) return null;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  const found = closest(wanted, known.map(plain));
  const allowed = Math.min(most, Math.max(wanted.length, found.length) * MAX_MISSPELLED_SHARE);
  return distance(wanted, found) <= allowed ? (known.find((one) => plain(one) === found) ?? null) : null;
}
