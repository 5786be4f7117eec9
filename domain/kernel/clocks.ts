/**
 * Clocks of a time zone: between what they show and instants, and how long days last on them. Times are milliseconds since 1970; a
 * local time is what clocks show, written as if they were those of UTC.
 */

/** Offset of local time from UTC at a time, both in milliseconds. */
export type UtcOffsetAt = (ms: number) => number;

/** Clocks that show UTC. */
export const utcClocks: UtcOffsetAt = () => 0;

/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;

/**
 * The instant at which clocks show a local time: of a time that they skip the one as much later, of one that they show twice the first
 * (RFC 5545, 3.3.5).
 */
export function instantOf(localMs: number, offsetAt: UtcOffsetAt): number {
  const before = localMs - offsetAt(localMs - DAY_MS);
  if (before + offsetAt(before) === localMs) return before;
  const after = localMs - offsetAt(localMs + DAY_MS);
  return after + offsetAt(after) === localMs ? after : before;
}

/** A duration: days of the calendar, which last as long as clocks say, and exact milliseconds. Both are negative in one that goes back. */
export interface CalendarSpan {
  readonly days: number;
  readonly ms: number;
}

/** The instant a duration after a local time: the days are counted by the clocks, then the rest exactly (RFC 5545, 3.3.6). */
export const afterLocal = (localMs: number, { days, ms }: CalendarSpan, offsetAt: UtcOffsetAt): number =>
  instantOf(localMs + days * DAY_MS, offsetAt) + ms;

/** The instant a duration after another one. Without days it is exactly so much later, also where clocks show a time twice. */
export const afterInstant = (instant: number, span: CalendarSpan, offsetAt: UtcOffsetAt): number =>
  span.days === 0 ? instant + span.ms : afterLocal(instant + offsetAt(instant), span, offsetAt);

/** A local time of day as HH:MM, in milliseconds since midnight. */
export const timeOfDayMs = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000;

/** The day of the week of a local time: 1 is Monday; the first day of the epoch was a Thursday. */
export const dayOfWeek = (localMs: number): number => ((((Math.floor(localMs / DAY_MS) + 3) % 7) + 7) % 7) + 1;

/** The same time of day so many years later. Where a year has no 29 February, the 28th counts. */
export function yearsLater(localMs: number, years: number): number {
  const date = new Date(localMs);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  // The 29th of a February without one is the 1st of March.
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}
