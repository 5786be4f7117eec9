/**
 * Keywords that opt out, opt in again or ask for help. As with every carrier, the whole text has to be the keyword: `Stop`
 * is one, `stop please` is not.
 */

import type { KeywordKind } from '../messages/keyword-kinds.js';

export interface Keyword {
  readonly kind: KeywordKind;
  /** As spelled in `keywordTable`. */
  readonly keyword: string;
  readonly language: KeywordLanguage;
}

/**
 * Stop keywords: those of 47 CFR 64.1200(a)(10) and those that Twilio, Telnyx and AWS act on. French is a default language
 * because Canada requires both of its languages. The other languages apply only to numbers of countries where they are
 * spoken: elsewhere `BAJA` or `FERMA` may be an ordinary answer.
 */
export const keywordTable = {
  en: {
    stop: ['STOP', 'STOPALL', 'STOP ALL', 'QUIT', 'END', 'REVOKE', 'OPTOUT', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE', 'REMOVE', 'TD'],
    start: ['START', 'UNSTOP'],
    yes: ['YES'],
    help: ['HELP', 'INFO'],
  },
  fr: { stop: ['ARRET', 'ARRETE', 'ARRETT'], start: [], yes: [], help: ['AIDE'] },
  de: { stop: ['STOPP', 'ABMELDEN'], start: [], yes: [], help: ['HILFE'] },
  es: { stop: ['ALTO', 'PARAR', 'BAJA', 'CANCELAR'], start: [], yes: [], help: ['AYUDA'] },
  it: { stop: ['FERMA'], start: [], yes: [], help: [] },
  nl: { stop: ['AFMELDEN'], start: [], yes: [], help: [] },
  pt: { stop: ['PARAR', 'SAIR'], start: [], yes: [], help: ['AJUDA'] },
} as const satisfies Record<string, Readonly<Record<KeywordKind, readonly string[]>>>;

export type KeywordLanguage = keyof typeof keywordTable;

const DEFAULT_LANGUAGES: readonly KeywordLanguage[] = ['en', 'fr'];

/** Calling codes of the countries where a non-default language is spoken. No calling code is a prefix of another one. */
const CALLING_CODES: Readonly<Record<Exclude<KeywordLanguage, 'en' | 'fr'>, readonly string[]>> = {
  de: ['49', '43', '41', '423', '352'],
  es: ['34', '52', '54', '57', '56', '51', '58', '53', '591', '593', '595', '598', '502', '503', '504', '505', '506', '507', '240'],
  it: ['39', '41', '378'],
  nl: ['31', '32', '597'],
  pt: ['55', '351', '244', '258', '238', '239', '245'],
};

/** The languages whose keywords apply to a phone number in E.164. */
export function keywordLanguages(phone: string): readonly KeywordLanguage[] {
  const spoken = Object.entries(CALLING_CODES).filter(([, codes]) => codes.some((code) => phone.startsWith(`+${code}`)));
  return [...DEFAULT_LANGUAGES, ...spoken.map(([language]) => language as KeywordLanguage)];
}
/** Longer texts are never keywords. */
const MAX_LENGTH = 160;

const keywordsByWord: ReadonlyMap<string, readonly Keyword[]> = indexKeywords();

/** The keyword that the text consists of, or null. */
export function matchKeyword(text: string, languages: readonly KeywordLanguage[] = DEFAULT_LANGUAGES): Keyword | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  const found = keywordsByWord.get(normalize(trimmed))?.find(({ language }) => languages.includes(language));
  return found ?? null;
}

/** Upper case without accents, invisible marks, surrounding quotes and closing punctuation; spaces and hyphens inside become one space. */
const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/^[\s\p{Pi}\p{Pf}"'`„‚¡¿]+/u, '')
    .replace(/[\s\p{Pi}\p{Pf}"'`.!?,;:]+$/u, '')
    .replace(/[\s\p{Pd}]+/gu, ' ');

function indexKeywords() {
  const words = new Map<string, Keyword[]>();
  for (const language of Object.keys(keywordTable) as KeywordLanguage[])
    for (const [kind, keywords] of Object.entries(keywordTable[language]) as [KeywordKind, readonly string[]][])
      for (const keyword of keywords) words.set(keyword, [...(words.get(keyword) ?? []), { kind, keyword, language }]);
  return words;
}
