/**
 * Quiet hours: marketing waits while the recipient's local time is within a window of the day, which may cross midnight (21:00
 * to 08:00). Only local time counts, also when clocks change: quiet hours that would end in a skipped hour end at the change,
 * and a time in a repeated hour is quiet both times.
 */
import { DAY_MS, timeOfDayMs, type UtcOffsetAt } from '../kernel/clocks.js';

/** Local times of the day, `HH:MM`; the start is quiet, the end is not. */
export interface QuietHours {
  readonly start: string;
  readonly end: string;
}

/** A window is shorter than a day, and clocks are not changed more often than this within one. */
const CLOCK_CHANGES = 3;

/** Local time of day, in milliseconds since midnight. */
const localTimeOfDay = (ms: number, offsetAt: UtcOffsetAt): number => modulo(ms + offsetAt(ms), DAY_MS);
const modulo = (n: number, of: number): number => ((n % of) + of) % of;

export function isQuiet({ start, end }: QuietHours, ms: number, offsetAt: UtcOffsetAt): boolean {
  const [from, until, shown] = [timeOfDayMs(start), timeOfDayMs(end), localTimeOfDay(ms, offsetAt)];
  return from < until ? from <= shown && shown < until : from <= shown || shown < until;
}

/** The first time from `ms` on that is not quiet; `ms` itself if it is not within quiet hours. */
export function endOfQuietHours(quiet: QuietHours, ms: number, offsetAt: UtcOffsetAt): number {
  let at = ms;
  for (let changes = 0; changes <= CLOCK_CHANGES && isQuiet(quiet, at, offsetAt); changes++) {
    const end = at + modulo(timeOfDayMs(quiet.end) - localTimeOfDay(at, offsetAt), DAY_MS);
    at = clockChange(at, end, offsetAt) ?? end;
  }
  return at;
}

/** The time of a change of the offset after `from` and up to `to`, or undefined. */
function clockChange(from: number, to: number, offsetAt: UtcOffsetAt): number | undefined {
  const before = offsetAt(from);
  if (offsetAt(to) === before) return undefined;
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle) === before) same = middle;
    else other = middle;
  }
  return other;
}
