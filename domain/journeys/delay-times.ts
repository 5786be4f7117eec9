/** When delays end. All times in milliseconds since 1970. */

import { nextOpening } from '../campaigns/send-time.js';
import { afterInstant, DAY_MS, dayOfWeek, instantOf, timeOfDayMs, type UtcOffsetAt, utcClocks } from '../kernel/clocks.js';
import { afterTime, readTime, type WrittenTime } from '../kernel/written-times.js';
import { offsetSpanOf } from './durations.js';
import type { ExitReason } from './enrollment.js';
import type { DelayNode } from './nodes/delay.js';

const ALL_DAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

/** The first instant from `ms` on at which clocks show a time of day, on one of the days of the week (1 is Monday). */
export function nextLocalTime(time: string, days: readonly number[], ms: number, offsetAt: UtcOffsetAt): number {
  const midnight = Math.floor((ms + offsetAt(ms)) / DAY_MS) * DAY_MS;
  // From the day before: clocks that are set back repeat a part of a day.
  for (let day = -1; day <= 8; day++) {
    const from = midnight + day * DAY_MS;
    const at = instantOf(from + timeOfDayMs(time), offsetAt);
    if (at >= ms && days.includes(dayOfWeek(from))) return at;
  }
  return ms;
}

/** The clocks of a contact, and the time that the field of a delay names; null where it has no value, or one that is no time. */
export interface DelayTimes {
  readonly offsetAt: UtcOffsetAt;
  readonly value: WrittenTime | null;
}

/** Why a contact leaves at a delay: the time is over, and the node says so; or its field has none. */
export type DelayExit = 'date_in_the_past' | 'unreadable_time';

/** The end of a delay that began at `since`, which is `since` where the time is over. Days are those of the clocks. */
export function delayEnd(node: DelayNode, since: number, { offsetAt, value }: DelayTimes): number | DelayExit {
  switch (node.mode) {
    case 'duration':
      return waitEnd(node.duration, since, offsetAt);
    case 'until': {
      const time = node.at === undefined ? value : readTime(node.at, utcClocks);
      if (time === null) return 'unreadable_time';
      const at = afterTime(time, offsetSpanOf(node.offset), offsetAt);
      if (at >= since) return at;
      return node.if_past === 'exit' ? 'date_in_the_past' : since;
    }
    case 'local_time':
      return nextLocalTime(node.time, node.days_of_week ?? ALL_DAYS, since, offsetAt);
    case 'business_hours':
      return Math.min(...node.windows.map((window) => nextOpening(window, since, offsetAt)));
    default:
      return node satisfies never;
  }
}

/** The end of a duration that began at `since`: `P1D` is a day of the clocks, `PT24H` are 24 hours. */
export const waitEnd = (duration: string, since: number, offsetAt: UtcOffsetAt): number => afterInstant(since, offsetSpanOf(duration), offsetAt);

/** How a delay without an end is left: the reason, and what is said of it. */
export const exitOf = (why: DelayExit): { readonly reason: ExitReason; readonly detail: string | null } =>
  why === 'unreadable_time' ? { reason: why, detail: null } : { reason: 'completed', detail: why };
