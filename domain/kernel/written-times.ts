/**
 * Times as programs write them into properties, fields and rules: ISO 8601 with `T` or a blank, with or without a zone, and numbers of
 * Unix. What is no such time, or a day that does not exist, is not guessed: cells of files have more forms (`contacts/cells/times.ts`),
 * because their columns say which one is meant.
 */
import { afterInstant, afterLocal, type CalendarSpan, DAY_MS, instantOf, type UtcOffsetAt } from './clocks.js';

/** A day of the calendar, by its midnight on clocks of UTC, or an instant. Both in milliseconds since 1970. */
export type WrittenTime = { readonly day: number } | { readonly instant: number };

/** How to write one, for callers. */
export const TIME_HINT = 'Use a time such as 2026-01-31T12:00:00Z.';

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?)?$/i;
const UNIX = /^\d{9,10}(?:\.\d{1,9})?$|^\d{12,13}$/;
/** Numbers from here on are milliseconds: as seconds they would be after the year 5138. */
const FIRST_MS = 100_000_000_000;
/** Smaller numbers are no times of Unix, but counts, years or `20270329`. */
const FIRST_SECOND = 100_000_000;

/** Reads a time; a local time without a zone is of the clocks of `offsetAt`. Null for a value that names none. */
export function readTime(value: unknown, offsetAt: UtcOffsetAt): WrittenTime | null {
  if (typeof value === 'number') return ofUnix(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const parts = FORM.exec(text);
  if (!parts) return UNIX.test(text) ? ofUnix(Number(text)) : null;
  const [, year, month, day, hour, minute = '0', second = '0', fraction = '', zone] = parts;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === null) return null;
  if (hour === undefined) return { day: midnight };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const ofDay = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return instant(zone === undefined ? instantOf(midnight + ofDay, offsetAt) : midnight + ofDay - zoneOffset(zone));
}

function ofUnix(value: number): WrittenTime | null {
  if (!(Math.abs(value) >= FIRST_SECOND)) return null;
  return instant(Math.round(Math.abs(value) < FIRST_MS ? value * 1_000 : value));
}

/** In UTC its year has four digits, so that times compare as texts. */
const instant = (ms: number): WrittenTime | null => (isoOf(ms) === null ? null : { instant: ms });

function zoneOffset(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return (zone.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}

/** Midnight of a day on clocks of UTC; null where there is no such day: `Date` takes 30 February for one in March. */
export function midnightOf(year: number, month: number, day: number): number | null {
  const ms = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

/** An instant as it is stored: UTC with milliseconds; null where its year has not four digits. */
export function isoOf(ms: number): string | null {
  const date = new Date(ms);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
}

/** `2026-02-28`: whether a text is a day that exists. */
export function isDay(text: string): boolean {
  const written = /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTime(text, () => 0) : null;
  return written !== null;
}

/** Whether a text is a moment in RFC 3339, whose day exists. */
export const isInstant = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text) && readTime(text, () => 0) !== null;

/** When it begins, on clocks of UTC. */
export const utcOf = (time: WrittenTime): number => ('day' in time ? time.day : time.instant);

/** When it begins, on clocks of `offsetAt`. */
export const beginOf = (time: WrittenTime, offsetAt: UtcOffsetAt): number => ('day' in time ? instantOf(time.day, offsetAt) : time.instant);

/** When it is over: of a day the beginning of the next one. */
export const endOf = (time: WrittenTime, offsetAt: UtcOffsetAt): number => ('day' in time ? instantOf(time.day + DAY_MS, offsetAt) : time.instant);

/** The instant a duration after it: days are counted by the clocks. */
export const afterTime = (time: WrittenTime, span: CalendarSpan, offsetAt: UtcOffsetAt): number =>
  'day' in time ? afterLocal(time.day, span, offsetAt) : afterInstant(time.instant, span, offsetAt);
