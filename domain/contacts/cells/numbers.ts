/**
 * Numbers as programs write them: `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`. `1,234` and `1.234` can be read in two ways:
 * other cells of the column decide.
 */
import { isExactNumber } from '../../kernel/exact-numbers.js';
import type { Language } from '../../kernel/languages.js';

/** What separates a whole number from its fraction. */
export type DecimalMark = '.' | ',';

/** Languages that write `1,5`: all but English. */
export const decimalMarks: Readonly<Record<Language, DecimalMark>> = { en: '.', de: ',', fr: ',', es: ',', pl: ',' };

/** Digits, or groups of three of them with one separator; then a fraction and an exponent. */
const numberWith = (mark: DecimalMark, groups: string): RegExp =>
  new RegExp(`^[+-]?(?:\\d+|[1-9]\\d{0,2}(?:([${groups}])\\d{3})(?:\\1\\d{3})*|(?=\\${mark}))(?:\\${mark}\\d+)?(?:[eE][+-]?\\d{1,3})?$`);
const GROUP_MARKS = " \\u00a0\\u202f'’";
const FORMS: Readonly<Record<DecimalMark, RegExp>> = { '.': numberWith('.', `,${GROUP_MARKS}`), ',': numberWith(',', `.${GROUP_MARKS}`) };
const NO_DIGITS = /[^\d.eE+-]/g;
const WHOLE = /^[+-]?\d+$/;
/** The usual case, decided fast: a fraction behind a point that cannot be a group of three digits. */
const WITH_POINT = /^-?\d+\.(?!\d{3}$)\d+$/;

function valueWith(text: string, mark: DecimalMark): number | undefined {
  if (!FORMS[mark].test(text)) return undefined;
  const plain = mark === '.' ? text : text.replaceAll('.', '').replace(',', '.');
  const value = Number(plain.replace(NO_DIGITS, ''));
  return Number.isFinite(value) ? value : undefined;
}

/** A number in one way of reading, or in the only one that fits: `ambiguous` if there are two. Undefined if the text is none. */
export function numberOfText(given: string, mark: DecimalMark | null): number | 'ambiguous' | 'inexact' | undefined {
  if (mark !== ',' && WITH_POINT.test(given)) return exactly(Number(given));
  const text = given.trim().replace('\u2212', '-');
  if (WHOLE.test(text)) return exactly(Number(text));
  if (mark !== null) return exactly(valueWith(text, mark));
  const [point, comma] = [valueWith(text, '.'), valueWith(text, ',')];
  if (point !== undefined && comma !== undefined && point !== comma) return 'ambiguous';
  return exactly(point ?? comma);
}

const POINT: readonly DecimalMark[] = ['.'];
const exactly = (value: number | undefined): number | 'inexact' | undefined => (value === undefined || isExactNumber(value) ? value : 'inexact');

/** The marks with which a text is a number, unless both give the same. Both: it is ambiguous. */
export function decimalMarksOf(given: string): readonly DecimalMark[] {
  if (WITH_POINT.test(given)) return POINT;
  const text = given.trim().replace('\u2212', '-');
  if (WHOLE.test(text)) return [];
  const [point, comma] = [valueWith(text, '.'), valueWith(text, ',')];
  if (point === comma) return [];
  return [...(point === undefined ? [] : (['.'] as const)), ...(comma === undefined ? [] : ([','] as const))];
}
