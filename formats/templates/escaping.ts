/** Escaping for HTML, once: which filters keep the mark of a text that is HTML already, and which give it. */

import { escaped, escapedOnce } from './filters/texts.js';
import type { RenderContext } from './render-context.js';
import { charactersOf, elementsOf, isNil, MarkedText, plainOf, textOf } from './values.js';

type Handler = (this: { readonly context: RenderContext }, value: unknown, ...args: unknown[]) => unknown;

const ENTITY = /&(?:[a-zA-Z]+|#\d+);/g;

/** A text as HTML: what is marked as it is, all else escaped. */
export function htmlOf(value: unknown): string {
  if (value instanceof MarkedText) return value.text;
  const plain = plainOf(value);
  return Array.isArray(plain) && plain.some((element) => element instanceof MarkedText || Array.isArray(element))
    ? plain.map(htmlOf).join('')
    : escaped(textOf(value));
}

const marked = (text: string): MarkedText => new MarkedText(text);

/** Escapes by hand: what is escaped already stays. */
const escapes =
  (write: (text: string) => string) =>
  (_: Handler): Handler =>
  (value) => {
    if (isNil(value)) return value;
    return value instanceof MarkedText && value.isPlain ? value : marked(write(textOf(value)));
  };

/** Takes white space or parts away, and adds texts only from its arguments, which are escaped. */
const keeping =
  (onlyPlain: boolean) =>
  (handler: Handler): Handler =>
    function (value, ...args) {
      if (!(value instanceof MarkedText)) return handler.call(this, value, ...args.map(unmarked));
      if (onlyPlain && !value.isPlain) return handler.call(this, value.text, ...args.map(unmarked));
      const result = handler.call(this, value.text, ...args.map(unmarked));
      return remarked(result);
    };

/** The same, where the arguments become parts of the result. */
const joining = (handler: Handler, added: (index: number) => boolean = () => true): Handler =>
  function (value, ...args) {
    const isMarked = value instanceof MarkedText || args.some((arg, index) => added(index) && arg instanceof MarkedText);
    if (!isMarked) return handler.call(this, value, ...args);
    const result = handler.call(this, htmlOf(value), ...args.map((arg, index) => (added(index) && !isNil(arg) ? htmlOf(arg) : unmarked(arg))));
    return remarked(result);
  };

/** Takes parts away or replaces them: only where no part of the text can be half a tag. */
const replacing =
  (added: (index: number) => boolean) =>
  (handler: Handler): Handler => {
    const join = joining(handler, added);
    return function (value, ...args) {
      return value instanceof MarkedText && value.isPlain
        ? join.call(this, value, ...args)
        : handler.call(this, unmarked(value), ...args.map(unmarked));
    };
  };

function remarked(result: unknown): unknown {
  if (typeof result === 'string') return marked(result);
  return Array.isArray(result) ? result.map((part: unknown) => (typeof part === 'string' ? marked(part) : part)) : result;
}

/** Letters change, references to characters do not. */
const casing = (handler: Handler): Handler =>
  function (value) {
    if (!(value instanceof MarkedText) || !value.isPlain) return handler.call(this, unmarked(value));
    const names = value.text.match(ENTITY) ?? [];
    const parts = value.text.split(ENTITY).map((part) => textOf(handler.call(this, part)));
    return marked(parts.map((part, index) => part + (names[index] ?? '')).join(''));
  };

const capitalizing = (handler: Handler): Handler => {
  const lower = casing((text) => textOf(text).toLowerCase());
  return function (value) {
    if (!(value instanceof MarkedText) || !value.isPlain) return handler.call(this, unmarked(value));
    const [first = '', ...rest] = charactersOf((lower.call(this, value) as MarkedText).text);
    return marked(first.toUpperCase() + rest.join(''));
  };
};

function joinList(this: { readonly context: RenderContext }, value: unknown, glue: unknown): unknown {
  const parts = elementsOf(value);
  const by = isNil(glue) ? ' ' : glue;
  const isMarked = by instanceof MarkedText || parts.some((part) => part instanceof MarkedText);
  return isMarked ? marked(parts.map(htmlOf).join(htmlOf(by))) : parts.map(textOf).join(textOf(by));
}

function breakLines(value: unknown): unknown {
  return isNil(value) ? value : marked(htmlOf(value).replace(/\r?\n/g, '<br />\n'));
}

const unmarked = (value: unknown): unknown => (value instanceof MarkedText ? value.text : value);

/** The filters that know of marks. All others see a marked text as a text, and give one that is escaped. */
const MARKING: ReadonlyMap<string, (handler: Handler) => Handler> = new Map<string, (handler: Handler) => Handler>([
  ...['escape', 'h', 'xml_escape'].map((name) => [name, escapes(escaped)] as const),
  ['escape_once', escapes(escapedOnce)],
  ['newline_to_br', () => breakLines],
  ['append', joining],
  ['prepend', joining],
  ['join', () => joinList],
  ...['strip', 'lstrip', 'rstrip', 'strip_newlines', 'squish', 'normalize_whitespace'].map((name) => [name, keeping(false)] as const),
  ...['strip_html', 'slice', 'split'].map((name) => [name, keeping(true)] as const),
  ...['truncate', 'truncatewords'].map((name) => [name, replacing((index) => index === 1)] as const),
  ...['replace', 'replace_first', 'replace_last'].map((name) => [name, replacing((index) => index === 1)] as const),
  ...['remove', 'remove_first', 'remove_last'].map((name) => [name, replacing(() => false)] as const),
  ...['upcase', 'downcase'].map((name) => [name, casing] as const),
  ['capitalize', capitalizing],
]);

/** They give one of their values as it is. */
const PASSING = new Set('default first last reverse concat push unshift pop shift sort sort_natural uniq compact map where reject find'.split(' '));

/** A filter as it works on HTML. */
export function markingFilter(name: string, handler: Handler, html: boolean): Handler {
  const marking = html ? MARKING.get(name) : undefined;
  if (marking) return marking(handler);
  if (PASSING.has(name)) return handler;
  return function (value, ...args) {
    return handler.call(this, unmarked(value), ...args.map(unmarked));
  };
}
