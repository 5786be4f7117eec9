import { closest, distance } from 'fastest-levenshtein';

/** A name counts as a misspelling if at most this share of its characters is wrong. */
const MAX_MISSPELLED_SHARE = 0.5;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The known name that somebody most likely meant, or null if none is similar. Case, dashes and underscores are ignored. `most`: how many
 * characters may be wrong, where names are long and much alike.
 */
export function nearestName(name: string, known: readonly string[], most = Number.POSITIVE_INFINITY): string | null {
  if (known.length === 0) return null;
  const wanted = plain(name);
  const found = closest(wanted, known.map(plain));
  const allowed = Math.min(most, Math.max(wanted.length, found.length) * MAX_MISSPELLED_SHARE);
  return distance(wanted, found) <= allowed ? (known.find((one) => plain(one) === found) ?? null) : null;
}

/** The known names that somebody may have meant, the most similar first: at most so many. */
export function nearestNames(name: string, known: readonly string[], count: number): string[] {
  const wanted = plain(name);
  const near = known.flatMap((one) => {
    const away = distance(wanted, plain(one));
    return away <= Math.max(wanted.length, plain(one).length) * MAX_MISSPELLED_SHARE ? [{ one, away }] : [];
  });
  return near
    .sort((a, b) => a.away - b.away || (a.one < b.one ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one);
}
