/**
 * A content in several languages: the fields of the default, and beside them `translations` by language tag. A translation has all texts
 * that the default has, so that no message is in two languages; where a click leads and who sends it may be as in the default.
 */
import type { FieldProblem } from '../kernel/errors.js';
import { LANGUAGE_TAG_HINT, languageTagOf, pickLanguage } from '../kernel/languages.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';

/** Translations of one content. */
const MAX_TRANSLATIONS = 40;

type ContentFields = Readonly<Record<string, unknown>>;
/** By language tag, in its one form. */
export type Translations<T extends object> = Readonly<Record<string, T>>;
/** A content with its translations. */
export interface Translatable<T extends object = ContentFields> {
  readonly translations?: Translations<T> | undefined;
}

/** What a reader sees, with the fields that give it. The first one is named where it is missing. */
const PARTS = [['subject'], ['html', 'mjml'], ['preheader'], ['message'], ['title'], ['whatsapp_template']] as const;
type TextField = (typeof PARTS)[number][number];

const hasPart = (fields: ContentFields, part: readonly TextField[]): boolean => part.some((field) => fields[field] !== undefined);
const missingParts = (whole: ContentFields, translation: ContentFields) =>
  PARTS.filter((part) => hasPart(whole, part) && !hasPart(translation, part));

/** The path of a field of a translation. */
export const translationPath = (language: string, field = ''): string => `translations.${language}${field === '' ? '' : `.${field}`}`;

/** The texts of the default that its translations lack. */
export function missingTexts({ translations = {}, ...whole }: Translatable & ContentFields): FieldProblem[] {
  return Object.entries(translations).flatMap(([language, translation]) =>
    missingParts(whole, translation).map(([field]) => ({
      field: translationPath(language, field),
      code: 'required',
      message: `The default has this text, so the translation to ${language} has it, too.`,
    })),
  );
}

/** Whatever translations a request has, by tags in their one form, and what is wrong with the tags. */
export function readTranslations<T>(given: Readonly<Record<string, T>>): { readonly read: Record<string, T>; readonly problems: FieldProblem[] } {
  const read: Record<string, T> = {};
  const problems: FieldProblem[] = [];
  for (const [name, translation] of Object.entries(given)) {
    const language = languageTagOf(name);
    const field = translationPath(name.slice(0, 100));
    if (language === null) problems.push({ field, code: 'invalid_language', message: LANGUAGE_TAG_HINT, details: { received: name.slice(0, 100) } });
    else if (Object.hasOwn(read, language)) problems.push({ field, code: 'duplicate', message: `There is another translation to ${language}.` });
    else setOwnField(read, language, translation);
  }
  const count = Object.keys(given).length;
  if (count > MAX_TRANSLATIONS) {
    const message = `A content has at most ${MAX_TRANSLATIONS} translations, this one has ${count}.`;
    problems.push({ field: 'translations', code: 'too_many', message, details: { limit: MAX_TRANSLATIONS, received: count } });
  }
  return { read, problems };
}

/** The same content with the tags of its translations in their one form. What `readTranslations` refuses stays as it is. */
export function withLanguageTags<C extends Translatable<object>>(content: C): C {
  if (content.translations === undefined) return content;
  const translations: Record<string, object> = {};
  for (const [name, translation] of Object.entries(content.translations)) {
    const language = languageTagOf(name) ?? name;
    setOwnField(translations, Object.hasOwn(translations, language) ? name : language, translation);
  }
  return { ...content, translations };
}

/** The languages of the translations that are complete, sorted. The others are not sent: the default is. */
export const completeLanguages = ({ translations = {}, ...whole }: Translatable & ContentFields): string[] =>
  Object.keys(translations)
    .filter((language) => missingParts(whole, ownField(translations, language) as ContentFields).length === 0)
    .sort();

/** The language in which the recipient of a content reads it: null for the default. */
export const languageFor = (content: Translatable & ContentFields, locale: unknown): string | null =>
  pickLanguage(locale, completeLanguages(content));

/** The fields of a content in one language; those of the default for null. */
export function contentInLanguage<C extends Translatable<object>>(content: C, language: string | null): Omit<C, 'translations'> {
  const { translations, ...whole } = content;
  const translation = language === null || translations === undefined ? undefined : ownField(translations, language);
  if (translation === undefined) return whole;
  const texts: ReadonlySet<string> = new Set(PARTS.flat());
  const others = Object.entries(whole).filter(([field]) => !texts.has(field));
  return { ...Object.fromEntries(others), ...translation } as Omit<C, 'translations'>;
}

/**
 * A content whose fields take the place of those below it: of a variant over its campaign, of a message over its template. Where it has a
 * text of its own, a translation has its own, too, or is not complete.
 */
export function contentOver<C extends Translatable<object>>(below: C, above: C): C {
  const { translations: lower = {}, ...fields } = below;
  const { translations: upper = {}, ...own } = above;
  const replaced = PARTS.filter((part) => hasPart(own as ContentFields, part)).flat() as readonly string[];
  const without = (content: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)));
  const body = PARTS[1] as readonly string[];
  const languages = [...new Set([...Object.keys(lower), ...Object.keys(upper)])];
  const translations = languages.map((language) => {
    const translation = ownField(upper, language) ?? {};
    const hidden = hasPart(translation as ContentFields, PARTS[1]) ? body : [];
    // A sender or link of its own comes before those below it in all languages.
    return [language, { ...without(ownField(lower, language) ?? {}, [...replaced, ...hidden, ...Object.keys(own)]), ...translation }] as const;
  });
  const whole = { ...without(fields, hasPart(own as ContentFields, PARTS[1]) ? body : []), ...own };
  return { ...whole, ...(languages.length > 0 && { translations: Object.fromEntries(translations) }) } as C;
}
