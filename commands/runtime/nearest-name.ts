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

/** From so many letters on, two of them may be wrong; of shorter names one. */
const LONG_NAME = 8;

/**
 * The known name that this one is a misspelling of, or null: equal without case and separators, or with one letter wrong, missing or too
 * many, from eight letters on two. Narrower than `nearestName`: what it finds may be refused.
 */
export function meantName(name: string, known: readonly string[]): string | null {
  const wanted = lettersOf(name);
  if (wanted === '' || wanted.length > MAX_NAME_LENGTH) return null;
  let best: { readonly name: string; readonly wrong: number } | null = null;
  for (const one of known) {
    const letters = lettersOf(one);
    const most = letters.length >= LONG_NAME ? 2 : 1;
    if (Math.abs(letters.length - wanted.length) > most) continue;
    const wrong = distance(wanted, letters);
    // Of names of one letter nothing would be left.
    const isAlike = wrong <= most && wrong < Math.max(letters.length, wanted.length);
    if (isAlike && wrong < (best?.wrong ?? Number.POSITIVE_INFINITY)) best = { name: one, wrong };
  }
  return best?.name ?? null;
}

/** No field has a longer name. */
const MAX_NAME_LENGTH = 100;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

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
