import { named, oneOf } from './schema.js';

/** The languages of public pages and of the service's own mails. */
export const languages = ['en', 'de', 'fr', 'es', 'pl'] as const;
export type Language = (typeof languages)[number];
export const languageSchema = named('Language', oneOf(...languages));

/** The language of a BCP 47 tag such as `de-AT`; null if there are no texts in it. */
export function languageOf(tag: unknown): Language | null {
  const primary = typeof tag === 'string' ? tag.split(/[-_]/)[0]?.toLowerCase() : undefined;
  return languages.find((language) => language === primary) ?? null;
}
