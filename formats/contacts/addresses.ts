/**
 * Normalizes addresses, so that contacts, suppressions and messages of the same recipient have the same address.
 * Both functions are idempotent.
 */
import { domainToASCII } from 'node:url';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { spellingsOf } from '../../domain/contacts/phone-spellings.js';
import { ownField } from '../../domain/kernel/own-fields.js';

/** E.164 allows 15 digits, country calling code included; libphonenumber itself lets some countries have more. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 5;
/** Longer texts are not phone numbers, even if they consist of separators. */
const MAX_PHONE_TEXT = 64;
/** Common separators of digits: spaces, dashes, dots, slashes, parentheses, invisible direction marks. */
const SEPARATORS = /[\s\p{Pd}\p{Cf}().·/]/gu;

/**
 * A phone number in E.164 (`+14155550100`), or null if the text is not one. It begins with `+` or `00` and the country prefix, unless
 * `country` (ISO 3166) says of which country national numbers are. A number is valid if its calling code exists and its length is
 * possible there. Its range need not be in use today, because numbering plans change faster than libraries. A national prefix written
 * by mistake is removed: `+44 (0)20 7946 0018`.
 */
export function normalizePhone(text: string, country: string | null = null): string | null {
  if (text.length > MAX_PHONE_TEXT) return null;
  const compact = isPlusAndDigits(text) ? text : compactPhone(text);
  if (isPlusAndDigits(compact)) {
    const known = byTable(compact);
    return known === 'unknown' ? byLibrary(compact) : (known ?? formerSpelling(compact));
  }
  if (/^\+\p{Nd}+$/u.test(compact)) return byLibrary(compact);
  return country !== null && /^\p{Nd}+$/u.test(compact) ? nationalPhone(compact, country) : null;
}

/**
 * A spelling that the numbering plan has given up, as carriers still report it, `+52 1 …`: it is a number where its present spelling is
 * one. It stays as it is, since what was given is what is dialed.
 */
function formerSpelling(text: string): string | null {
  const [, present] = spellingsOf(text);
  return present !== undefined && byTable(present) === present ? text : null;
}

/** Without separators and what programs put in front: `tel:`, the apostrophe by which spreadsheets keep a `+`, `00` for `+`. */
const compactPhone = (text: string): string =>
  text
    .trim()
    .replace(/^'?(?:tel:)?/i, '')
    .replace(SEPARATORS, '')
    .replace(/^(?:＋|00)/, '+');

/** Whether national numbers of a country (ISO 3166) can be read. */
export const isPhoneCountry = (country: string): country is CountryCode => isSupportedCountry(country as CountryCode, metadata);

function nationalPhone(digits: string, country: string): string | null {
  if (!isPhoneCountry(country)) return null;
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false }, metadata);
  return number?.isPossible() ? byLibrary(number.number) : null;
}

/** The calling code with which a text begins, `+1`; null if it begins with none. */
export function callingCodeOf(text: string): string | null {
  const digits = /^\+(\d{3})/.exec(compactPhone(text))?.[1];
  const plan = digits === undefined ? undefined : plans[Number(digits)];
  return plan === undefined || digits === undefined ? null : `+${digits.slice(0, plan.codeLength)}`;
}

/** Of a number with a known calling code and a length that is wrong there: its digits after the code, and the usual ones. */
export function wrongLengthOf(text: string): { readonly given: number; readonly possible: readonly number[] } | null {
  const digits = /^\+(\d{3,})$/.exec(compactPhone(text))?.[1] ?? '';
  const plan = plans[Number(digits.slice(0, 3))];
  if (digits === '' || plan === undefined) return null;
  const given = digits.length - plan.codeLength;
  const most = MAX_DIGITS - plan.codeLength;
  const possible = Array.from({ length: most }, (_, i) => i + 1).filter((length) => (plan.usual & (1 << length)) !== 0);
  return possible.includes(given) || possible.length === 0 ? null : { given, possible };
}

function isPlusAndDigits(text: string): boolean {
  if (text.charCodeAt(0) !== 43 || text.length === 1) return false;
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/**
 * Normalizes a text with the library. The library removes one national prefix per call, so it is called until the text no
 * longer changes; the limit of calls excludes an endless loop.
 */
function byLibrary(text: string): string | null {
  let current = text;
  for (let round = 0; round < MAX_PHONE_TEXT; round++) {
    const number = parsePhoneNumberFromString(current, { extract: false }, metadata);
    if (number === undefined || number.ext !== undefined || !number.isPossible()) return null;
    if (number.number === current) return current.length - 1 <= MAX_DIGITS ? current : null;
    current = number.number;
  }
  return null;
}

// The library's own metadata as a table that decides the usual case, `+` and digits, in a tenth of a microsecond.

/** The numbering plan of a calling code. */
interface Plan {
  readonly codeLength: number;
  /** Bit n: n digits after the calling code are possible in every country of the code (`everywhere`), in at least one (`somewhere`). */
  readonly everywhere: number;
  readonly somewhere: number;
  /** The same of the country that has most of the numbers. */
  readonly usual: number;
  /** Digits that may be a national prefix: only the library can decide such a number. */
  readonly nationalPrefix: RegExp | null;
}

/** Indexes in libphonenumber-js' compact metadata, version 4. */
const POSSIBLE_LENGTHS = 3;
const NATIONAL_PREFIX = 5;
const NATIONAL_PREFIX_FOR_PARSING = 7;

type CompactPlan = readonly unknown[];
interface CompactMetadata {
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
  readonly countries: Readonly<Record<string, CompactPlan>>;
  readonly nonGeographic: Readonly<Record<string, CompactPlan>>;
}

/** Plans by the first three digits. Calling codes are prefix-free, so each index has at most one plan. */
const plans: readonly (Plan | undefined)[] = planTable(metadata as unknown as CompactMetadata);

function planTable(compact: CompactMetadata): (Plan | undefined)[] {
  const table = new Array<Plan | undefined>(1000).fill(undefined);
  const add = (code: string, countries: readonly CompactPlan[]) => {
    const width = 10 ** (3 - code.length);
    const first = Number(code) * width;
    table.fill(planOf(code, countries), first, first + width);
  };
  for (const [code, names] of Object.entries(compact.country_calling_codes)) {
    add(
      code,
      names.map((name) => ownField(compact.countries, name) ?? []),
    );
  }
  for (const [code, plan] of Object.entries(compact.nonGeographic)) add(code, [plan]);
  return table;
}

function planOf(code: string, countries: readonly CompactPlan[]): Plan {
  const lengths = countries.map((country) => lengthBits(country[POSSIBLE_LENGTHS]));
  const prefix = countries[0]?.[NATIONAL_PREFIX_FOR_PARSING] || countries[0]?.[NATIONAL_PREFIX];
  return {
    codeLength: code.length,
    everywhere: lengths.reduce((a, b) => a & b, -1),
    somewhere: lengths.reduce((a, b) => a | b, 0),
    usual: lengths[0] ?? 0,
    nationalPrefix: typeof prefix === 'string' ? new RegExp(`(?:${prefix})`, 'y') : null,
  };
}

function lengthBits(lengths: unknown): number {
  return Array.isArray(lengths) ? lengths.reduce((bits: number, n: number) => bits | (1 << n), 0) : 0;
}

/** The library's answer for `+` and digits: the text unchanged, or null; 'unknown' if only the library can decide. */
function byTable(text: string): string | null | 'unknown' {
  const digits = text.length - 1;
  if (digits < MIN_DIGITS || digits > MAX_DIGITS) return 'unknown';
  const plan = plans[(text.charCodeAt(1) - 48) * 100 + (text.charCodeAt(2) - 48) * 10 + (text.charCodeAt(3) - 48)];
  if (plan === undefined) return null;
  if (plan.nationalPrefix !== null) {
    plan.nationalPrefix.lastIndex = 1 + plan.codeLength;
    const match = plan.nationalPrefix.exec(text);
    if (match !== null && match[0] !== '') return 'unknown';
  }
  const length = 1 << (digits - plan.codeLength);
  if ((plan.everywhere & length) !== 0) return text;
  return (plan.somewhere & length) === 0 ? null : 'unknown';
}

// Email

/** RFC 5321: a path is at most 256 octets with its angle brackets; a local part 64. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** RFC 5322 dot-atom. Quoted local parts are refused: few carriers deliver to them. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Mail systems that gave out addresses with dots at the end and in a row; their owners still have them. */
const DOTTED_DOMAINS: ReadonlySet<string> = new Set(['docomo.ne.jp', 'ezweb.ne.jp', 'au.com']);
const DOTTED_LOCAL = /^[a-z0-9][a-z0-9!#$%&'*+/=?^_`{|}~.-]*$/;
/** The same with letters, marks and digits of all scripts (RFC 6531), which the carriers of some routes deliver to. */
const INTERNATIONAL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+)*$/u;
/** Host names of two labels or more, the last of them not a number (RFC 1123, RFC 3696). */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** ASCII characters that are not allowed in host names; the URL parser would decode some of them or stop at them. */
const NO_HOST_CHARACTER = /[\0-,/:-@[-`{-\x7f]/;

/**
 * An email address, trimmed and in lower case, or null if the text is not one. An international domain is returned in
 * punycode; letters such as ö before the @ are in Unicode's composed form (`isInternational`). Dots and `+` tags stay: their meaning
 * depends on the receiving host.
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || at > MAX_LOCAL || trimmed.length > MAX_EMAIL) return null;
  const given = trimmed.slice(0, at);
  const domain = normalizeDomain(trimmed.slice(at + 1));
  const local = asciiLower(given);
  if (local === null) return internationalAddress(given, domain);
  if (!(LOCAL.test(local) || (domain !== null && DOTTED_DOMAINS.has(domain) && DOTTED_LOCAL.test(local)))) return null;
  if (domain === null || at + 1 + domain.length > MAX_EMAIL) return null;
  return `${local}@${domain}`;
}

/** Some letters have an ASCII lower case, as the Kelvin sign has: an address that would become that of somebody else is none. */
function internationalAddress(given: string, domain: string | null): string | null {
  const local = given.normalize('NFC').toLowerCase().normalize('NFC');
  if (domain === null || asciiLower(local) !== null || ASCII_TWIN.test(given) || !INTERNATIONAL_LOCAL.test(local)) return null;
  const bytes = Buffer.byteLength(local);
  return bytes > MAX_LOCAL || bytes + 1 + domain.length > MAX_EMAIL ? null : `${local}@${domain}`;
}
const ASCII_TWIN = /\u212a/;

function normalizeDomain(text: string): string | null {
  const lower = asciiLower(text);
  if (lower !== null && DOMAIN.test(lower)) return lower;
  if (NO_HOST_CHARACTER.test(text.toLowerCase())) return null;
  const ascii = domainToASCII(text);
  return DOMAIN.test(ascii) ? ascii : null;
}

/** Lower case of an ASCII text; null for any other, because some non-ASCII letters have an ASCII lower case. */
const asciiLower = (text: string): string | null => (/^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : null);
