/**
 * Quiet hours: while the clock on the recipient's wall shows a time between two times of the day, marketing waits. The
 * window may reach over midnight (21:00 to 08:00). It goes by what the clock shows, also on the nights on which clocks are
 * changed: an hour that is left out ends quiet hours that would end in it, and in an hour that comes twice a time is quiet
 * both times.
 */

/** Local times of the day, `HH:MM`; the start is quiet, the end is not. */
export interface QuietHours {
  readonly start: string;
  readonly end: string;
}

/** By how many milliseconds local clocks are ahead of UTC at a moment (milliseconds since 1970). */
export type UtcOffsetAt = (ms: number) => number;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A window is shorter than a day, and clocks are not changed more often than this within one. */
const CLOCK_CHANGES = 3;

/** What the wall shows, in milliseconds since midnight. */
const localTimeOfDay = (ms: number, offsetAt: UtcOffsetAt): number => modulo(ms + offsetAt(ms), DAY);
const modulo = (n: number, of: number): number => ((n % of) + of) % of;
const timeOfDay = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE;

export function isQuiet({ start, end }: QuietHours, ms: number, offsetAt: UtcOffsetAt): boolean {
  const [from, until, shown] = [timeOfDay(start), timeOfDay(end), localTimeOfDay(ms, offsetAt)];
  return from < until ? from <= shown && shown < until : from <= shown || shown < until;
}

/** The first moment from `ms` on that is not quiet: `ms` itself where it is none of the quiet hours. */
export function endOfQuietHours(quiet: QuietHours, ms: number, offsetAt: UtcOffsetAt): number {
  let at = ms;
  for (let changes = 0; changes <= CLOCK_CHANGES && isQuiet(quiet, at, offsetAt); changes++) {
    const end = at + modulo(timeOfDay(quiet.end) - localTimeOfDay(at, offsetAt), DAY);
    at = clockChange(at, end, offsetAt) ?? end;
  }
  return at;
}

/** The first moment after `from` and up to `to` at which clocks show something else than before, or undefined. */
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
