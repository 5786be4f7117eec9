/** The languages of a form: its own, in which its fields are written, and those of its translations. */
import type { FieldProblem } from '../kernel/errors.js';
import { type Language, languages, languageTagOf } from '../kernel/languages.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { readTranslations } from '../templates/translations.js';
import type { FormDefinition, FormField, FormTexts, PartialDefinition } from './definition.js';

type Translations = FormDefinition['texts'];

/** The language in which a form is written; `fallback` for forms from before they had one. */
export const formLanguageOf = ({ language }: Pick<FormDefinition, 'language'>, fallback: Language | undefined): Language =>
  language ?? fallback ?? 'en';

/** The languages that a form can be shown in, its own first. */
export const languagesOfForm = ({ texts }: Pick<FormDefinition, 'texts'>, own: Language): Language[] => [
  own,
  ...languages.filter((language) => language !== own && texts[language] !== undefined),
];

/** The asked language if the form can be shown in it, otherwise its own. */
export const shownLanguage = (definition: Pick<FormDefinition, 'texts'>, own: Language, asked: Language | null | undefined): Language =>
  languagesOfForm(definition, own).find((language) => language === asked) ?? own;

const isPageLanguage = (tag: string): tag is Language => (languages as readonly string[]).includes(tag);

/** What is wrong with the names of translations. `at`: the field that has them. */
export function formLanguageProblems(given: Readonly<Record<string, unknown>>, at: string): FieldProblem[] {
  const { read, problems } = readTranslations(given);
  const others = Object.keys(given).filter(
    (name) => ownField(read, languageTagOf(name) ?? '') !== undefined && !isPageLanguage(languageTagOf(name) ?? ''),
  );
  const message = `Pages of forms are in ${languages.join(', ')}.`;
  return [
    ...problems.map((problem) => ({ ...problem, field: problem.field.replace('translations', at) })),
    ...others.map((name) => ({ field: `${at}.${name}`, code: 'not_allowed', message, details: { allowed: languages } })),
  ];
}

/** The texts after a change: a language that is given replaces its texts, null removes them, and the others stay. */
export function changedTranslations(before: Translations, change: Readonly<Record<string, FormTexts | null | undefined>> | null): Translations {
  const after: Partial<Record<Language, FormTexts>> = change === null ? {} : { ...before };
  for (const [name, texts] of Object.entries(readTranslations(change ?? {}).read)) {
    if (!isPageLanguage(name)) continue;
    if (texts) after[name] = texts;
    else if (texts === null) delete after[name];
  }
  return after;
}

/** What the page shows of a form, by the path of the text in a translation. */
function textsOf({ name, fields = [], consent, success_message, texts }: PartialDefinition, own: Language): Map<string, boolean> {
  const said: FormTexts = texts?.[own] ?? {};
  const parts = new Map<string, boolean>([
    ['title', (said.title ?? name) !== undefined],
    ['description', said.description !== undefined],
    ['button', said.button !== undefined],
    ['success_message', (said.success_message ?? success_message ?? null) !== null],
    ['consent', (consent ?? null) !== null],
  ]);
  for (const field of fields) if (field) for (const path of fieldTextsOf(field, ownField(said.fields, field.key))) parts.set(path, true);
  return parts;
}

/** Options without letters, such as `1` and `2-5`, are the same in all languages. */
function fieldTextsOf({ key, type, label, help, options }: FormField, said: NonNullable<FormTexts['fields']>[string] | undefined): string[] {
  if (type === 'hidden' || type === 'consent') return [];
  const at = `fields.${key}`;
  const chosen = (options ?? []).filter((option) => /\p{L}/u.test(option.label));
  return [
    ...(/\S/.test(label) ? [`${at}.label`] : []),
    ...((help ?? said?.help ?? null) === null ? [] : [`${at}.help`]),
    ...chosen.map(({ value }) => `${at}.options.${value}`),
  ];
}

function hasText(texts: FormTexts, path: string): boolean {
  const [name = '', key = '', part = '', ...value] = path.split('.');
  if (name !== 'fields') return ownField(texts, name) !== undefined;
  const field = ownField(texts.fields, key);
  return part === 'options' ? ownField(field?.options, value.join('.')) !== undefined : ownField(field, part) !== undefined;
}

/** The texts that translations of a form lack. `own`: its language. `placeOf`: the field that has the translation to a language. */
export function missingFormTexts(definition: PartialDefinition, own: Language, placeOf: (language: Language) => string): FieldProblem[] {
  const parts = [...textsOf(definition, own)].flatMap(([path, isShown]) => (isShown ? [path] : []));
  return languages.flatMap((language) => {
    const texts = language === own ? undefined : definition.texts?.[language];
    if (!texts) return [];
    const message = `The form has this text, so its translation to ${language} has it, too.`;
    return parts.filter((path) => !hasText(texts, path)).map((path) => ({ field: `${placeOf(language)}.${path}`, code: 'required', message }));
  });
}

/** The language in which the text of a consent was shown: translations of earlier releases may lack it. */
export const consentLanguage = ({ texts }: Pick<FormDefinition, 'texts'>, own: Language, shown: Language): Language =>
  texts[shown]?.consent === undefined ? own : shown;

/** For a map that may come from anywhere: only what the pages have. */
export function knownTranslations(given: Readonly<Record<string, FormTexts | null | undefined>>): Translations {
  const known: Record<string, FormTexts> = {};
  for (const [name, texts] of Object.entries(readTranslations(given).read)) if (texts && isPageLanguage(name)) setOwnField(known, name, texts);
  return known;
}
