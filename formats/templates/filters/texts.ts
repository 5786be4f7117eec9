import { charactersOf, isNil, plainOf, textOf } from '../values.js';
import { type Filter, FilterFailure, type FilterTable } from './filter.js';

const LEADING = /^[\s\0]+/;
const WHITE = /[\s\0]/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? '');
/** Escaped, but for what is a reference to a character already. */
export const escapedOnce = (text: string): string => text.replace(/["><']|&(?!(?:[a-zA-Z]+|#\d+);)/g, (character) => ESCAPES.get(character) ?? '');

/** A filter over a text; nil stays nil, which is written as nothing. */
const ofText =
  (make: (text: string, ...args: string[]) => unknown): Filter =>
  (value, ...args) =>
    isNil(value) ? make('', ...args.map(textOf)) : make(textOf(value), ...args.map(textOf));

/** A whole number, also in a text. Throws for anything else. */
export function wholeOf(value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  const plain = plainOf(value);
  if (typeof plain === 'number') return Math.trunc(plain);
  if (typeof plain === 'string' && /^\s*[+-]?\d+\s*$/.test(plain)) return Number(plain);
  throw new FilterFailure('it takes a whole number');
}

function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

const capitalized = (text: string): string => {
  const [first = '', ...rest] = charactersOf(text);
  return first.toUpperCase() + rest.join('').toLowerCase();
};

function truncate(value: unknown, length: unknown, end: unknown): unknown {
  const limit = wholeOf(length, 50);
  if (isNil(value)) return null;
  const characters = charactersOf(textOf(value));
  const ellipsis = end === undefined ? '...' : textOf(end);
  if (characters.length <= limit) return characters.join('');
  return characters.slice(0, Math.max(0, limit - charactersOf(ellipsis).length)).join('') + ellipsis;
}

function truncateWords(value: unknown, count: unknown, end: unknown): unknown {
  const limit = Math.max(1, wholeOf(count, 15));
  if (isNil(value)) return null;
  const text = textOf(value);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length <= limit) return text;
  return words.slice(0, limit).join(' ') + (end === undefined ? '...' : textOf(end));
}

/** As Ruby splits: at white space by a space, into characters by nothing, and without empty texts at the end. */
function split(text: string, by: string): string[] {
  const parts = by === ' ' ? text.trim().split(/\s+/) : by === '' ? charactersOf(text) : text.split(by);
  let end = parts.length;
  while (end > 0 && parts[end - 1] === '') end--;
  return parts.slice(0, end);
}

function slice(value: unknown, begin: unknown, length: unknown): unknown {
  if (begin === undefined) throw new FilterFailure('it takes a whole number');
  const [start, count] = [wholeOf(begin, 0), wholeOf(length, 1)];
  const plain = plainOf(value);
  const parts: unknown[] = Array.isArray(plain) ? plain : charactersOf(textOf(value));
  const from = start < 0 ? parts.length + start : start;
  const taken = from < 0 || count < 0 ? [] : parts.slice(from, from + count);
  return Array.isArray(plain) ? taken : taken.join('');
}

/** The last place of `what` replaced. */
function replaceLast(text: string, what: string, by: string): string {
  const at = text.lastIndexOf(what);
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + what.length);
}

const urlEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

function urlDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-fA-F]{2})/g, '%25'));
  } catch {
    throw new FilterFailure('the bytes of its text are no UTF-8');
  }
}

/** As names in addresses of pages: small letters, digits and hyphens. */
const handle = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['"()[\]]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const camelized = (text: string): string =>
  text
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Filters over texts. Characters are those of Unicode. */
export const textFilters: FilterTable = {
  append: [1, 1, ofText((text, more = '') => text + more)],
  prepend: [1, 1, ofText((text, more = '') => more + text)],
  upcase: [0, 0, ofText((text) => text.toUpperCase())],
  downcase: [0, 0, ofText((text) => text.toLowerCase())],
  capitalize: [0, 0, ofText(capitalized)],
  strip: [0, 0, ofText((text) => stripEnd(text.replace(LEADING, '')))],
  lstrip: [0, 0, ofText((text) => text.replace(LEADING, ''))],
  rstrip: [0, 0, ofText(stripEnd)],
  squish: [0, 0, ofText((text) => text.trim().replace(/\s+/g, ' '))],
  strip_newlines: [0, 0, ofText((text) => text.replace(/\r?\n/g, ''))],
  newline_to_br: [0, 0, ofText((text) => text.replace(/\r?\n/g, '<br />\n'))],
  escape: [0, 0, ofText(escaped)],
  h: [0, 0, ofText(escaped)],
  xml_escape: [0, 0, ofText(escaped)],
  escape_once: [0, 0, ofText(escapedOnce)],
  replace: [1, 2, ofText((text, what = '', by = '') => text.replaceAll(what, () => by))],
  replace_first: [1, 2, ofText((text, what = '', by = '') => text.replace(what, () => by))],
  replace_last: [2, 2, ofText((text, what = '', by = '') => replaceLast(text, what, by))],
  remove: [1, 1, ofText((text, what = '') => (what === '' ? text : text.replaceAll(what, '')))],
  remove_first: [1, 1, ofText((text, what = '') => text.replace(what, ''))],
  remove_last: [1, 1, ofText((text, what = '') => replaceLast(text, what, ''))],
  truncate: [0, 2, truncate],
  truncatewords: [0, 2, truncateWords],
  split: [1, 1, ofText((text, by = '') => split(text, by))],
  slice: [1, 2, slice],
  url_encode: [0, 0, ofText(urlEncoded)],
  url_decode: [0, 0, ofText(urlDecoded)],
  handleize: [0, 0, ofText(handle)],
  handle: [0, 0, ofText(handle)],
  camelize: [0, 0, ofText(camelized)],
  pluralize: [2, 2, (count, one, many) => (Number(plainOf(count)) === 1 ? textOf(one) : textOf(many))],
};
