/** When delays end. All times in milliseconds since 1970. */
import { instantOf } from '../campaigns/local-time.js';
import { nextOpening } from '../campaigns/send-time.js';
import type { UtcOffsetAt } from '../messages/quiet-hours.js';
import { ruleDurationMs } from '../segments/durations.js';
import { offsetMs } from './durations.js';
import type { DelayNode } from './nodes/delay.js';

const DAY = 86_400_000;
const ALL_DAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const EARLIER = '00:00';

const minutes = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000;
/** 1 is Monday; the first day of the epoch was a Thursday. */
const dayOfWeek = (localMs: number): number => ((((Math.floor(localMs / DAY) + 3) % 7) + 7) % 7) + 1;

/** The moment that a value of a field names: an instant, or the local time `time` of a date. Null where it names none. */
export function delayMomentOf(value: unknown, offsetAt: UtcOffsetAt, time = EARLIER): number | null {
  if (typeof value !== 'string') return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return finite(Date.parse(value));
  const midnight = finite(Date.parse(`${value}T00:00:00.000Z`));
  return midnight === null ? null : instantOf(midnight + minutes(time), offsetAt);
}
const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);

/** The first instant from `ms` on at which clocks show a time of day, on one of the days of the week (1 is Monday). */
export function nextLocalTime(time: string, days: readonly number[], ms: number, offsetAt: UtcOffsetAt): number {
  const midnight = Math.floor((ms + offsetAt(ms)) / DAY) * DAY;
  // From the day before: clocks that are set back repeat a part of a day.
  for (let day = -1; day <= 8; day++) {
    const from = midnight + day * DAY;
    const at = instantOf(from + minutes(time), offsetAt);
    if (at >= ms && days.includes(dayOfWeek(from))) return at;
  }
  return ms;
}

/**
 * The end of a delay that began at `since`. `value`: of its field. 'exit' where the time is over, or the field has no value, and the
 * node says so; otherwise it is at `since` then.
 */
export function delayEnd(node: DelayNode, since: number, offsetAt: UtcOffsetAt, value: unknown): number | 'exit' {
  switch (node.mode) {
    case 'duration':
      return since + (ruleDurationMs(node.duration) ?? 0);
    case 'until': {
      const moment = delayMomentOf(node.at ?? value, offsetAt);
      const at = moment === null ? null : moment + (node.offset === undefined ? 0 : (offsetMs(node.offset) ?? 0));
      if (at !== null && at >= since) return at;
      return node.if_past === 'exit' ? 'exit' : since;
    }
    case 'local_time':
      return nextLocalTime(node.time, node.days_of_week ?? ALL_DAYS, since, offsetAt);
    case 'business_hours':
      return Math.min(...node.windows.map((window) => nextOpening(window, since, offsetAt)));
    default:
      return node satisfies never;
  }
}
