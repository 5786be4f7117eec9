/**
 * Dates and times as programs write them: ISO 8601 with `T` or a blank, `31.12.1990`, `12/25/1990` or `25/12/1990`, seconds and
 * milliseconds of Unix. `03/04/2020` can be read in two ways: other cells of the column decide. Years have four digits.
 */
import { DAY_MS, instantOf, type UtcOffsetAt } from '../../kernel/clocks.js';
import type { Language } from '../../kernel/languages.js';
import { isoOf, midnightOf } from '../../kernel/written-times.js';

/**
 * How the dates of a column are written. Those that begin with a year are read in every order. Those with dots begin with the day, unless
 * the format is `M.D.Y`.
 */
export type DateOrder = 'DMY' | 'MDY' | 'M.D.Y' | 'YMD' | 'unix' | 'unix_ms';

/** How people write dates: in English the month comes first or second, so that `03/04/2026` is two days. */
export const dateOrders: Readonly<Record<Language, DateOrder | null>> = { en: null, de: 'DMY', fr: 'DMY', es: 'DMY', pl: 'DMY' };

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})(?!\d)/;
/** ISO 8601 without dashes. */
const COMPACT = /^((?:19|20)\d\d)()(\d\d)(\d\d)(?!\d)/;
const TIME = /^(?:T|,? +)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$/i;
const UNIX_SECONDS = /^\d{9,10}(?:\.\d{1,9})?$/;
const UNIX_MS = /^\d{12,13}$/;
const DIGITS = /^-?\d{1,13}(?:\.\d{1,9})?$/;

/** What a cell says about the order of the dates of its column: those in which it is a date, if they give different days. */
export function dateOrdersOf(given: string): readonly ('DMY' | 'MDY')[] {
  const found = isYearFirst(given) ? null : YEAR_LAST.exec(given.trim());
  // Dates with dots begin with the day wherever they are written.
  if (!found || found[2] === '.') return [];
  const [first, second] = [Number(found[1]), Number(found[3])];
  if (first === second) return [];
  return [...(second <= 12 ? (['DMY'] as const) : []), ...(first <= 12 ? (['MDY'] as const) : [])];
}

/** The order of a format such as `DD.MM.YYYY` or `MM/DD/YYYY`; undefined for another text. */
export function dateOrderOf(format: string): DateOrder | undefined {
  if (format === 'unix' || format === 'unix_ms') return format;
  const found = /^(D{1,2}|M{1,2}|YYYY)[-/. ]+(D{1,2}|M{1,2}|YYYY)[-/. ]+(D{1,2}|M{1,2}|YYYY)(?:[T ,]+H{1,2}:mm(?::ss)?)?$/i.exec(format.trim());
  const order = found?.slice(1, 4).map((part) => part.charAt(0).toUpperCase());
  if (order?.join('.') === 'M.D.Y' && format.includes('.')) return 'M.D.Y';
  return (['DMY', 'MDY', 'YMD'] as const).find((one) => one === order?.join(''));
}

/** A day as `YYYY-MM-DD`, as it is written; `ambiguous` if the text can be read in two ways, undefined if it is no date. */
export function dayOfText(given: string, order: DateOrder | null, offsetAt: UtcOffsetAt): string | 'ambiguous' | undefined {
  const text = given.trim();
  const unix = isYearFirst(text) ? undefined : unixTimeOf(text, order);
  // A day at midnight in UTC is that day everywhere.
  if (unix !== undefined) return isoOf(unix % DAY_MS === 0 ? unix : unix + offsetAt(unix))?.slice(0, 10) ?? undefined;
  const found = datePartsOf(text, order);
  if (found === undefined || found === 'ambiguous') return found;
  return found.rest === '' || timePartsOf(found.rest) ? dayTextOf(found.date) : undefined;
}

/** A moment in UTC, by the clocks of `offsetAt` if the text has no zone; `ambiguous` and undefined as above. */
export function timeOfText(given: string, order: DateOrder | null, offsetAt: UtcOffsetAt): string | 'ambiguous' | undefined {
  const text = given.trim();
  const unix = isYearFirst(text) ? undefined : unixTimeOf(text, order);
  if (unix !== undefined) return isoOf(unix) ?? undefined;
  const found = datePartsOf(text, order);
  if (found === undefined || found === 'ambiguous') return found;
  const time = found.rest === '' ? { ms: 0, offset: null } : timePartsOf(found.rest);
  if (!time) return undefined;
  const local = found.midnight + time.ms;
  return isoOf(time.offset === null ? instantOf(local, offsetAt) : local - time.offset) ?? undefined;
}

function unixTimeOf(text: string, order: DateOrder | null): number | undefined {
  if (order === 'unix') return DIGITS.test(text) ? Math.round(Number(text) * 1000) : undefined;
  if (order === 'unix_ms') return DIGITS.test(text) ? Math.round(Number(text)) : undefined;
  if (UNIX_SECONDS.test(text)) return Math.round(Number(text) * 1000);
  return UNIX_MS.test(text) ? Number(text) : undefined;
}

interface FoundDate {
  readonly date: DateParts;
  readonly midnight: number;
  /** The text after it. */
  readonly rest: string;
}

function datePartsOf(text: string, order: DateOrder | null): FoundDate | 'ambiguous' | undefined {
  const yearFirst = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (yearFirst) {
    const [whole, year, , month, day] = yearFirst;
    return realDay({ year: Number(year), month: Number(month), day: Number(day) }, text.slice(whole.length));
  }
  const yearLast = YEAR_LAST.exec(text);
  if (!yearLast || order === 'YMD') return undefined;
  const [first, second, year] = [Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4])];
  const rest = text.slice(yearLast[0].length);
  const orders = dateOrdersOf(text);
  const asked = order === 'M.D.Y' ? 'MDY' : yearLast[2] === '.' ? 'DMY' : order;
  const read = asked ?? (orders.length > 1 ? null : (orders[0] ?? 'DMY'));
  if (read === null) return 'ambiguous';
  return realDay(read === 'MDY' ? { year, month: first, day: second } : { year, month: second, day: first }, rest);
}

/** The usual case, in which no other form has to be tried. */
const isYearFirst = (text: string): boolean => text.charCodeAt(4) === DASH;
const DASH = 45;

function realDay(date: DateParts, rest: string): FoundDate | undefined {
  const midnight = midnightOf(date.year, date.month, date.day);
  return midnight === null ? undefined : { date, midnight, rest };
}

const dayTextOf = ({ year, month, day }: DateParts): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Milliseconds after midnight, and those by which its zone is ahead of UTC; null without a zone. */
function timePartsOf(rest: string): { readonly ms: number; readonly offset: number | null } | undefined {
  const found = TIME.exec(rest);
  if (!found) return undefined;
  const [, hours, minutes, seconds = '0', fraction = '', half, zone] = found;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || (half !== undefined && (Number(hours) > 12 || Number(hours) === 0)))
    return undefined;
  const ms = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return { ms, offset: zone === undefined ? null : offsetOf(zone) };
}

function offsetOf(zone: string): number {
  const found = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (!found) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0)) * 60_000;
}
