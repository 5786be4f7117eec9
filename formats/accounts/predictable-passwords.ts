/** Passwords that are long and still among the first that are tried: sequences, repetitions, and the email of their user. */
import { passwordLength } from './password-length.js';

/** Rows of common keyboards, and the alphabet and digits in their order; a sequence may go either way and on at the start. */
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', '1234567890'],
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ...['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '!@#$%^&*()'],
] as const;
/** By two characters, the rows in which they are neighbors, each with its direction. */
const NEIGHBORS = neighborsOf(ROWS);

/** A run of so many characters is a sequence: whoever guesses its beginning and its length has all of it. Equal ones count as one. */
const RUN = 3;
const COUNTS_AS = { equal: 1, row: 2 } as const;
/** What a password must have besides the continuation of its sequences, in characters. */
const MIN_FREE = 7;
/** So few characters, or so few without a letter, add nothing to an email. */
const TRIVIAL = { any: 2, withoutLetters: 6 } as const;

function neighborsOf(rows: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbors = new Map<string, Set<string>>();
  for (const row of rows)
    for (const [way, text] of [
      ['up', row],
      ['down', [...row].reverse().join('')],
    ] as const)
      for (let i = 1; i < text.length; i++) {
        const pair = text.slice(i - 1, i + 1);
        neighbors.set(pair, (neighbors.get(pair) ?? new Set()).add(`${way} ${row}`));
      }
  return neighbors;
}

const normal = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a password is the repetition of a short text, or little else than characters that follow from those before them. */
export function isPredictable(password: string): boolean {
  const characters = [...normal(password)];
  const period = periodOf(characters);
  if (period < passwordLength.min && period * 2 <= characters.length) return true;
  return freeCharacters(characters) < MIN_FREE;
}

/** The length of the shortest text whose repetition begins with these characters (the failure function of Knuth, Morris and Pratt). */
function periodOf(characters: readonly string[]): number {
  const border = [0];
  for (let i = 1, length = 0; i < characters.length; i++) {
    while (length > 0 && characters[i] !== characters[length]) length = border[length - 1] ?? 0;
    if (characters[i] === characters[length]) length += 1;
    border.push(length);
  }
  return characters.length - (border.at(-1) ?? 0);
}

/** How many characters a password has, where a sequence counts as its beginning alone. */
function freeCharacters(characters: readonly string[]): number {
  let free = 0;
  for (let at = 0; at < characters.length; ) {
    const length = runFrom(characters, at);
    free += length < RUN ? 1 : characters[at] === characters[at + 1] ? COUNTS_AS.equal : COUNTS_AS.row;
    at += length >= RUN ? length : 1;
  }
  return free;
}

/** The length of the longest sequence that begins at this character: of equal characters, or along one row in one direction. */
function runFrom(characters: readonly string[], at: number): number {
  let ways: ReadonlySet<string> | null = null;
  let length = 1;
  for (let i = at + 1; i < characters.length; i++, length++) {
    const [before, next] = [characters[i - 1] ?? '', characters[i] ?? ''];
    const here: ReadonlySet<string> = before === next ? new Set(['equal']) : (NEIGHBORS.get(before + next) ?? new Set());
    const common: ReadonlySet<string> = ways === null ? here : new Set([...here].filter((way) => ways?.has(way)));
    if (common.size === 0) break;
    ways = common;
  }
  return length;
}

/** Whether a password is the email of its user, or the part before the `@`, in any case, also with a few characters more. */
export function isLikeEmail(password: string, email: string): boolean {
  const [text, address] = [normal(password), normal(email)];
  const local = address.slice(0, address.lastIndexOf('@'));
  return [address, local, local.split('+')[0] ?? local].some((name) => {
    const bare = onlyWords(name);
    if (bare.length < RUN || !onlyWords(text).includes(bare)) return false;
    const rest = [...(text.includes(name) ? text.replaceAll(name, '') : onlyWords(text).replaceAll(bare, ''))];
    return rest.length <= TRIVIAL.any || (rest.length <= TRIVIAL.withoutLetters && !rest.some((character) => /\p{L}/u.test(character)));
  });
}

const onlyWords = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
