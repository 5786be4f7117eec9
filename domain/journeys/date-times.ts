/** When a journey starts by a date of its contacts. All times in milliseconds since 1970. */
import { afterLocal, DAY_MS, timeOfDayMs, type UtcOffsetAt, yearsLater } from '../kernel/clocks.js';
import { readTime } from '../kernel/written-times.js';
import { offsetSpanOf } from './durations.js';
import type { TriggerOf } from './triggers.js';

/** Of a date, where the trigger has no time. */
const MORNING = '09:00';

/** One time of a date: the date itself, or the nth time that it comes round. */
export interface DateTurn {
  readonly nth: number;
  readonly at: number;
}

/**
 * The first turn of a date from `since` on that is not `over`, null if there is none. It is at a local time of the clocks: of a skipped
 * time as much later, of a repeated one the first. Days of an offset are those of the same clocks, so they keep the time of day; its hours are
 * exact. Where a year has no 29 February, the 28th counts.
 */
export function nextTurn(
  { time, offset, repeat = 'once' }: TriggerOf<'date'>,
  value: unknown,
  { since, offsetAt, over }: { readonly since: number; readonly offsetAt: UtcOffsetAt; readonly over: (nth: number) => boolean },
): DateTurn | null {
  const local = localOf(value, offsetAt, time);
  if (local === null) return null;
  const shift = offsetSpanOf(offset);
  const turn = (nth: number): DateTurn => ({ nth, at: afterLocal(yearsLater(local, nth), shift, offsetAt) });
  if (repeat === 'once') return [turn(0)].find(({ at }) => at >= since && !over(0)) ?? null;
  // Offsets are of up to 400 days.
  const year = new Date(since).getUTCFullYear() - new Date(local).getUTCFullYear();
  const first = Math.max(0, year - 2);
  return (
    Array.from({ length: TURNS }, (_, i) => turn(first + i))
      .sort((a, b) => a.at - b.at)
      .find(({ nth, at }) => at >= since && !over(nth)) ?? null
  );
}
/** More than two years before and after, and those that are over. */
const TURNS = 10;

/** What clocks show at the moment that a value names. */
function localOf(value: unknown, offsetAt: UtcOffsetAt, time: string | undefined): number | null {
  const read = readTime(value, offsetAt);
  if (read === null) return null;
  const local = 'day' in read ? read.day : read.instant + offsetAt(read.instant);
  const clock = time ?? ('day' in read ? MORNING : null);
  return clock === null ? local : Math.floor(local / DAY_MS) * DAY_MS + timeOfDayMs(clock);
}

/** Whether a change of a contact says something about a field, by its full name. */
export const namesField = (
  { values, said, cleared }: { readonly values: object; readonly said: readonly string[]; readonly cleared: readonly string[] },
  field: string,
): boolean => Object.hasOwn(values, field) || said.includes(field) || cleared.includes(field);
