/**
 * Durations of rules and journeys: ISO 8601 with weeks, days, hours, minutes and seconds, each a whole number. In windows over events,
 * caps and limits a day has 24 hours; of dates and delays it is a day of the calendar (`calendarSpanOf`). Years and months have no fixed
 * length, so they are no durations of a rolling window.
 */
import { type CalendarSpan, DAY_MS } from '../kernel/clocks.js';

/** About a hundred years: a rule may ask for an age. */
export const MAX_DURATION_MS = 36_600 * DAY_MS;

const FORM = /^P(?!$)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/;
const CALENDAR = /^P(?:\d+(?:\.\d+)?Y|\d+(?:\.\d+)?M)/;
const units = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1_000] as const;
const words = ['week', 'day', 'hour', 'minute', 'second'] as const;

/** Milliseconds, or null if the text is no such duration. */
export function ruleDurationMs(text: string): number | null {
  const parts = FORM.exec(text);
  if (!parts) return null;
  return units.reduce((sum, unit, i) => sum + unit * Number(parts[i + 1] ?? 0), 0);
}

/** Days and weeks as days of the calendar, the rest exactly; with a minus before it, back. Null if the text is no such duration. */
export function calendarSpanOf(text: string): CalendarSpan | null {
  const ms = ruleDurationMs(text.replace(/^[+-]/, ''));
  if (ms === null) return null;
  const [, weeks = '0', days = '0'] = FORM.exec(text.replace(/^[+-]/, '')) ?? [];
  const whole = Number(weeks) * 7 + Number(days);
  const sign = text.startsWith('-') ? -1 : 1;
  return { days: sign * whole || 0, ms: sign * (ms - whole * DAY_MS) || 0 };
}

/** Why a text is no duration of a rule; null if it is one. `shortest` in milliseconds. */
export function ruleDurationProblem(text: string, shortest = 1): string | null {
  const ms = ruleDurationMs(text);
  if (ms === null && CALENDAR.test(text)) return 'Years and months have no fixed length. Use days, for example P30D.';
  if (ms === null) return 'Use an ISO 8601 duration of weeks, days, hours, minutes or seconds, for example P30D or PT24H.';
  if (ms < shortest) return 'Use a duration above zero.';
  return ms > MAX_DURATION_MS ? 'Use at most P36600D.' : null;
}

/** In English: `30 days`, `24 hours`, `1 day and 12 hours`. The units are those of the text. */
export function durationText(text: string): string {
  const parts = FORM.exec(text)?.slice(1) ?? [];
  const named = parts.flatMap((given, i) => (given && Number(given) > 0 ? [`${Number(given)} ${words[i]}${Number(given) === 1 ? '' : 's'}`] : []));
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '0 days');
}
