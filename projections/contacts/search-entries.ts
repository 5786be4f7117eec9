/**
 * How contacts are found by parts of names, emails and phone numbers, although nothing readable is stored. Each value has some entries:
 * the beginnings of its words and stretches of its digits, which a read model stores as keyed hashes. A search asks for the entry of one
 * of its terms, and compares what it finds with the opened values. So the entries need not say everything: three lengths do.
 *
 * The entries are stored: what changes them raises the version of the read model.
 */
import { domainToUnicode } from 'node:url';
import { contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import { addressOf } from '../../domain/contacts/other-addresses.js';
import { spellingsOf } from '../../domain/contacts/phone-spellings.js';
import { bareText } from '../../formats/contacts/bare-text.js';

/** How a value is searched: by the words of a name or an email, or by the digits of a phone number. */
type SearchedAs = 'name' | 'email' | 'phone';

/** A part of what is searched for. A contact is found if it has all of them. */
export interface SearchTerm {
  /** The beginning of a word, in bare letters; or digits. */
  readonly text: string;
  readonly isDigits: boolean;
  /** The entry that each value with this term has; null where the term is too short for one. */
  readonly entry: string | null;
}

/** In letters, which are code points. */
const LENGTHS = [3, 5, 8] as const;
/** A name in ideographs has one or two of them. */
const IDEOGRAPH_LENGTHS = [1, 2, 3, 5] as const;
const IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Of digits: any stretch of this length is an entry, and of three those at the beginning and at the end. */
const STRETCH = 5;
const SHORTEST = 3;
/** Apostrophes within a name, which a search may leave out. */
const APOSTROPHES = /['’ʼ`]/g;
const DIGITS = /^\p{Nd}+$/u;
/** What people write between the digits of a phone number. */
const PHONE_TEXT = /^[\p{Nd}+().·/\p{Pd}]+$/u;
const TRUNK_DIGIT = /\(0\)/g;

/** How a value of this name is searched; null for values that are not. */
export function searchedAs(name: string): SearchedAs | null {
  const address = addressOf(name);
  if (address !== null) return address;
  return isBaseField(name) && contactFields[name].isPersonal ? 'name' : null;
}

/** The entries of a value, each once; of a number those of all its spellings. */
export function searchEntries(as: SearchedAs, value: string): string[] {
  const entries = as === 'phone' ? spellingsOf(value).map(digitsOf).flatMap(digitEntries) : wordsOf(as, value).flatMap(wordEntries);
  return [...new Set(entries)];
}

/**
 * The terms of a search. Blanks separate terms, but not the digits of a phone number: `ada +1 415 555` has two. None of them has an
 * entry where the text is too short to search for.
 */
export function readSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let digits = '';
  const endDigits = (): void => {
    if (digits !== '') terms.push(digitTerm(digits));
    digits = '';
  };
  for (const chunk of text.normalize('NFKC').replace(TRUNK_DIGIT, '').split(/\s+/)) {
    if (PHONE_TEXT.test(chunk)) digits += digitsOf(chunk);
    else {
      endDigits();
      terms.push(...wordsIn(chunk.replace(APOSTROPHES, '')).map((word) => (DIGITS.test(word) ? digitTerm(digitsOf(word)) : wordTerm(word))));
    }
  }
  endDigits();
  return terms;
}

/** Whether values, by name, have all terms. What is no text is not searched, such as a value that is erased. */
export function hasTerms(values: Iterable<readonly [name: string, value: unknown]>, terms: readonly SearchTerm[]): boolean {
  const words: string[] = [];
  const numbers: string[] = [];
  for (const [name, value] of values) {
    const as = typeof value === 'string' ? searchedAs(name) : null;
    if (as === null || typeof value !== 'string') continue;
    if (as === 'phone') numbers.push(...spellingsOf(value).map(digitsOf));
    else words.push(...wordsOf(as, value));
  }
  numbers.push(...words.filter((word) => DIGITS.test(word)).map(digitsOf));
  return terms.every((term) =>
    term.isDigits ? numbers.some((number) => hasDigits(number, term.text)) : words.some((word) => word.startsWith(term.text)),
  );
}

/** A national number begins with a 0 that is not part of it after the country prefix. */
function hasDigits(number: string, digits: string): boolean {
  const national = digits.replace(/^0+/, '');
  return number.includes(digits) || (national.length > STRETCH && number.includes(national));
}

/** The words of a name or an email. A name with an apostrophe is also one word without it. */
function wordsOf(as: 'name' | 'email', value: string): string[] {
  const text = (as === 'email' ? readableEmail(value) : value).normalize('NFKC');
  return [...new Set([...wordsIn(text), ...wordsIn(text.replace(APOSTROPHES, ''))])];
}

const wordsIn = (text: string): string[] => bareText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** An email with its domain as people read it: `ada@xn--mller-kva.example` is `ada@müller.example`. */
function readableEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (!email.includes('xn--', at)) return email;
  return `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
}

/** Digits of every script as those of ASCII: `٣` is `3`. */
function digitsOf(text: string): string {
  const found = text.match(/\p{Nd}/gu) ?? [];
  return found.map((digit) => (digit >= '0' && digit <= '9' ? digit : String(valueOfDigit(digit)))).join('');
}

/** Unicode has the ten digits of a script one after the other, so the value is the distance from its zero. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}

const lengthsOf = (word: string): readonly number[] => (IDEOGRAPH.test(word) ? IDEOGRAPH_LENGTHS : LENGTHS);

function wordEntries(word: string): string[] {
  if (DIGITS.test(word)) return digitEntries(digitsOf(word));
  const letters = [...word];
  return lengthsOf(word).flatMap((length) => (letters.length >= length ? [letters.slice(0, length).join('')] : []));
}

function digitEntries(digits: string): string[] {
  const entries: string[] = [];
  const add = (start: number, length: number): void => {
    if (start >= 0 && start + length <= digits.length) entries.push(digits.slice(start, start + length));
  };
  add(0, SHORTEST);
  // A search for the last four asks for the first three of them.
  add(digits.length - SHORTEST - 1, SHORTEST);
  add(digits.length - SHORTEST, SHORTEST);
  for (let start = 0; start + STRETCH <= digits.length; start++) add(start, STRETCH);
  return entries;
}

function wordTerm(text: string): SearchTerm {
  const letters = [...text];
  const length = lengthsOf(text).findLast((one) => one <= letters.length);
  return { text, isDigits: false, entry: length === undefined ? null : letters.slice(0, length).join('') };
}

/** Of many digits the last ones say most: numbers of one country begin alike. */
function digitTerm(text: string): SearchTerm {
  const entry = text.length >= STRETCH ? text.slice(-STRETCH) : text.length >= SHORTEST ? text.slice(0, SHORTEST) : null;
  return { text, isDigits: true, entry };
}
