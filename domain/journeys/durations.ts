/** Times of journeys: durations from a second to 400 days, offsets, and the five fields of a cron expression. */
import { type CalendarSpan, DAY_MS } from '../kernel/clocks.js';
import { calendarSpanOf, ruleDurationMs } from '../segments/durations.js';

const SHORTEST_MS = 1_000;
export const LONGEST_MS = 400 * DAY_MS;

/** What is wrong with a value: a stable code, and a sentence. */
export interface ValueProblem {
  readonly code: string;
  readonly message: string;
}

/** Why a text is no duration of a journey; null if it is one. */
export function journeyDurationProblem(text: string): ValueProblem | null {
  const ms = ruleDurationMs(text);
  if (ms === null)
    return { code: 'invalid_duration', message: 'Use an ISO 8601 duration of weeks, days, hours, minutes or seconds, for example PT30M or P7D.' };
  return ms >= SHORTEST_MS && ms <= LONGEST_MS ? null : { code: 'duration_out_of_range', message: 'Use a duration from PT1S to P400D.' };
}

/** Milliseconds of a duration with a sign, `-P3D`; null if the text is none. */
export function offsetMs(text: string): number | null {
  const span = calendarSpanOf(text);
  return span && span.days * DAY_MS + span.ms;
}

/** The span of a duration that may have a sign; none at all, and what is none, are no time. */
export const offsetSpanOf = (text: string | undefined): CalendarSpan => (text === undefined ? null : calendarSpanOf(text)) ?? { days: 0, ms: 0 };

/** The same for an offset; none at all is allowed. */
export function offsetProblem(text: string): ValueProblem | null {
  const ms = offsetMs(text);
  if (ms === null) return { code: 'invalid_duration', message: 'Use a duration, for example P3D, or -P3D for three days before.' };
  return Math.abs(ms) <= LONGEST_MS ? null : { code: 'duration_out_of_range', message: 'Use at most P400D.' };
}

const cronFields = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  { name: 'day of the week', from: 0, to: 7 },
] as const;
const CRON_PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** Why a text is no cron expression of numbers, `*`, ranges, lists and steps; null if it is one. */
export function cronProblem(text: string): ValueProblem | null {
  const fields = text.trim().split(/\s+/);
  const invalid = (message: string): ValueProblem => ({ code: 'invalid_cron', message });
  if (fields.length !== cronFields.length) return invalid('Use five fields: minute, hour, day of the month, month, day of the week.');
  const wrong = cronFields.find(({ from, to }, i) => !(fields[i] as string).split(',').every((part) => isCronPart(part, from, to)));
  return wrong ? invalid(`The ${wrong.name} is *, or numbers from ${wrong.from} to ${wrong.to}, such as 1-5, 1,3 or */2.`) : null;
}

function isCronPart(part: string, from: number, to: number): boolean {
  const parts = CRON_PART.exec(part);
  if (!parts) return false;
  const [first, last, step] = parts.slice(1).map((given) => (given === undefined ? null : Number(given))) as (number | null)[];
  const within = (value: number | null | undefined): boolean => value == null || (value >= from && value <= to);
  return within(first) && within(last) && (first == null || last == null || first <= last) && step !== 0;
}
