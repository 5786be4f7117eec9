import { annotate, boundedText, named, oneOf } from './schema.js';

/** The languages of public pages and of the service's own mails. */
export const languages = ['en', 'de', 'fr', 'es', 'pl'] as const;
export type Language = (typeof languages)[number];
export const languageSchema = named('Language', oneOf(...languages));

/** The language of a BCP 47 tag such as `de-AT`; null if there are no texts in it. */
export function languageOf(tag: unknown): Language | null {
  const primary = typeof tag === 'string' ? tag.split(/[-_]/)[0]?.toLowerCase() : undefined;
  return languages.find((language) => language === primary) ?? null;
}

/** Characters of a tag. */
export const MAX_LANGUAGE_TAG = 35;

export const LANGUAGE_TAG_HINT = 'Use a language tag (BCP 47), for example de, en-GB or zh-Hant.';

/**
 * A BCP 47 tag in its one form: `pt_br` is `pt-BR`. Null for what is no tag. No language is registered with four letters or more, so that
 * names such as `english` are none.
 */
export function languageTagOf(given: string): string | null {
  const text = given.trim().replaceAll('_', '-');
  if (text.length > MAX_LANGUAGE_TAG || !/^[a-z]{2,3}(?:-|$)/i.test(text)) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** The tags of those who read a language, from the closest one on: of `zh-Hant-TW` also `zh-Hant` and `zh` (RFC 4647, 3.4). */
export function languageFallbacks(tag: unknown): string[] {
  const whole = typeof tag === 'string' ? languageTagOf(tag) : null;
  if (whole === null) return [];
  const parts = whole.split('-');
  const tags: string[] = [];
  while (parts.length > 0) {
    tags.push(parts.join('-'));
    parts.pop();
    // A single letter begins an extension, and is no language of its own.
    if (parts.at(-1)?.length === 1) parts.pop();
  }
  return tags;
}

/** The first of these languages that a reader of `locale` reads; null for none, which is the default. */
export const pickLanguage = (locale: unknown, available: Iterable<string>): string | null => {
  const known = new Set(available);
  return known.size === 0 ? null : (languageFallbacks(locale).find((tag) => known.has(tag)) ?? null);
};

/** The format of a language tag in a schema. */
export const LANGUAGE_TAG_FORMAT = 'language-tag';

/** A language tag in a request: what is none is 422 `invalid_language`. It is not yet in its one form. */
export const languageTagInput = (description: string) =>
  annotate(boundedText({ minLength: 2, maxLength: MAX_LANGUAGE_TAG, format: LANGUAGE_TAG_FORMAT }), { description, examples: ['pt-BR'] });
