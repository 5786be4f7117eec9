/**
 * Keywords that opt out, opt in again or ask for help. As with every carrier, the whole text has to be the keyword: `Stop`
 * is one, `stop please` is not. Marks, emoji and repetition around the word do not count: `STOP 🛑`, `Stop!! stop!!`, `S T O P`.
 */
import type { KeywordKind } from '../messages/keyword-kinds.js';
import { callingCodes, DEFAULT_LANGUAGES, type KeywordLanguage, keywordTable } from './keyword-table.js';

export interface Keyword {
  readonly kind: KeywordKind;
  /** As spelled in `keywordTable`. */
  readonly keyword: string;
  readonly language: KeywordLanguage;
}

/** The languages whose keywords apply to a phone number in E.164. */
export function keywordLanguages(phone: string): readonly KeywordLanguage[] {
  const spoken = Object.entries(callingCodes).filter(([, codes]) => codes.some((code) => phone.startsWith(`+${code}`)));
  return [...DEFAULT_LANGUAGES, ...spoken.map(([language]) => language as KeywordLanguage)];
}

/** Longer texts are never keywords. */
const MAX_LENGTH = 160;

/** Letters with blanks or dots between them, as in `S T O P`. Two letters are rather initials. */
const SPELLED_OUT = /^\p{L}(?: \p{L}){2,}$/u;

/** Everything but letters and digits: blanks, marks, dashes, emoji. */
const NOT_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu;

/** Accents of letters, the points of Hebrew and Arabic, and what nobody sees (selectors of emoji, joiners, directions). */
const ACCENTS = /[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0670|\u20e3|\ufe0f|\p{Cf}/gu;

const keywordsByWord: ReadonlyMap<string, readonly Keyword[]> = indexKeywords();

/** The keyword that the text consists of, once or repeated, or null. */
export function matchKeyword(text: string, languages: readonly KeywordLanguage[] = DEFAULT_LANGUAGES): Keyword | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  const words = normalize(trimmed);
  for (const candidate of [words, onceOf(words), SPELLED_OUT.test(words) ? words.replaceAll(' ', '') : '']) {
    const found = keywordsByWord.get(candidate)?.find(({ language }) => languages.includes(language));
    if (found) return found;
  }
  return null;
}

/**
 * Upper case without accents and invisible marks; whatever stands between letters becomes one space. The vowel signs of
 * scripts that write them as marks (Thai, Devanagari) stay.
 */
function normalize(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').toUpperCase().normalize('NFC').replace(NOT_LETTERS, ' ').trim();
}

/** Of a text that says the same word or words again and again, one of them; else the text. */
function onceOf(text: string): string {
  const words = text.split(' ');
  for (let length = 1; length <= words.length / 2; length++)
    if (words.length % length === 0 && words.every((word, nth) => word === words[nth % length])) return words.slice(0, length).join(' ');
  return text;
}

function indexKeywords() {
  const words = new Map<string, Keyword[]>();
  for (const language of Object.keys(keywordTable) as KeywordLanguage[])
    for (const [kind, keywords] of Object.entries(keywordTable[language]) as [KeywordKind, readonly string[]][])
      for (const keyword of keywords) {
        const key = normalize(keyword);
        words.set(key, [...(words.get(key) ?? []), { kind, keyword, language }]);
      }
  return words;
}
