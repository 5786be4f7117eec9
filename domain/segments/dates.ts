/**
 * What rules say of dates: a date is a day on the clocks of the contact, or else of the account; a datetime is an instant. Days of a
 * duration are those of the clocks, and count from the date: what is within the next P3D is so from three days before on. So each rule
 * changes at moments that do not depend on when it is asked. Times are milliseconds since 1970.
 */
import { afterLocal, type CalendarSpan, DAY_MS, instantOf, type UtcOffsetAt, yearsLater } from '../kernel/clocks.js';
import { afterTime, beginOf, endOf, readTime, utcOf, type WrittenTime } from '../kernel/written-times.js';
import { calendarSpanOf } from './durations.js';
import { changeEarlier, matchedEarlier } from './earlier-dates.js';
import type { LeafOf } from './rule.js';

/** A rule over a date. `reading` 1: it means what it meant when it was recorded, see `earlier-dates.ts`. */
export type DateRule = Pick<LeafOf<'date'>, 'op' | 'value'> & { readonly reading?: 1 };

/** The clocks of a contact by the value of its time zone, which it may not have. */
export type ClocksOf = (zone: unknown) => UtcOffsetAt;

/** The time of a stored date or datetime; null for anything else. */
export const storedDate = (value: unknown): WrittenTime | null => (typeof value === 'string' ? readTime(value, () => 0) : null);

/** A missing date makes every operator false. */
export function dateMatches(rule: DateRule, time: WrittenTime | null, now: number, offsetAt: UtcOffsetAt): boolean {
  if (time === null) return false;
  if (rule.reading === 1) return matchedEarlier(rule, utcOf(time), now);
  if (rule.op === 'before' || rule.op === 'after') return isBeside(rule, time, offsetAt);
  if (rule.op !== 'anniversary_within_next') return isIn(spanOfRule(rule, time, offsetAt), now);
  const next = new Anniversaries(time, rule.value, offsetAt).notOver(now);
  return next.from <= now;
}

/** The first moment after `now` at which time alone changes what a rule says; null if there is none. */
export function nextDateChange(rule: DateRule, time: WrittenTime | null, now: number, offsetAt: UtcOffsetAt): number | null {
  if (time === null || rule.op === 'before' || rule.op === 'after') return null;
  if (rule.reading === 1) return changeEarlier(rule, utcOf(time), now);
  if (rule.op === 'anniversary_within_next') return new Anniversaries(time, rule.value, offsetAt).nextChange(now);
  const { from, to } = spanOfRule(rule, time, offsetAt);
  const next = [from, to].find((at) => at > now);
  return next === undefined || next === Number.POSITIVE_INFINITY ? null : next;
}

/** A day is before another one, and before the instants after its beginning; what is after a day is so once the day is over. */
function isBeside({ op, value }: DateRule, time: WrittenTime, offsetAt: UtcOffsetAt): boolean {
  const other = readTime(value, () => 0);
  if (other === null) return false;
  if ('day' in time && 'day' in other) return op === 'before' ? time.day < other.day : time.day > other.day;
  if (op === 'before') return beginOf(time, offsetAt) < beginOf(other, offsetAt);
  return 'day' in other ? beginOf(time, offsetAt) >= endOf(other, offsetAt) : beginOf(time, offsetAt) > other.instant;
}

/** From when on something holds, and until before when. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const isIn = ({ from, to }: Span, now: number): boolean => from <= now && now < to;

/** The days of today count up to their end. */
function spanOfRule({ op, value }: DateRule, time: WrittenTime, offsetAt: UtcOffsetAt): Span {
  const later = (): number => afterTime(time, durationOf(value), offsetAt);
  const earlier = (): number => afterTime(time, durationOf(`-${value}`), offsetAt);
  switch (op) {
    case 'within_last':
      return { from: beginOf(time, offsetAt), to: later() };
    case 'more_than_ago':
      return { from: later(), to: Number.POSITIVE_INFINITY };
    case 'within_next':
      return { from: earlier(), to: endOf(time, offsetAt) };
    case 'more_than_from_now':
      return { from: Number.NEGATIVE_INFINITY, to: earlier() };
    default:
      throw new Error(`${op} has no span`);
  }
}

/** The rule is valid. */
function durationOf(text: string): CalendarSpan {
  const span = calendarSpanOf(text);
  if (span === null) throw new Error(`${text} is no duration`);
  return span;
}

/** A gap between two of them recurs within eight years, those around a century included. */
const MOST_YEARS = 10;

/**
 * The anniversaries of a date, each a day on the clocks of the contact, from the year after it on. A 29th of February has its anniversary
 * on the 28th in other years.
 */
class Anniversaries {
  readonly #day: number;
  readonly #firstYear: number;
  readonly #earlier: CalendarSpan;

  constructor(
    time: WrittenTime,
    value: string,
    private readonly offsetAt: UtcOffsetAt,
  ) {
    this.#day = 'day' in time ? time.day : localDay(time.instant, offsetAt);
    this.#firstYear = new Date(this.#day).getUTCFullYear() + 1;
    this.#earlier = durationOf(`-${value}`);
  }

  /** The first that is not over: from when on the rule holds by it, and until when. */
  notOver(now: number): Span & { readonly year: number } {
    const year = Math.max(this.#firstYear, new Date(localDay(now, this.offsetAt)).getUTCFullYear());
    const found = this.#in(year);
    return found.to > now ? { ...found, year } : { ...this.#in(year + 1), year: year + 1 };
  }

  nextChange(now: number): number | null {
    const first = this.notOver(now);
    if (first.from > now) return first.from;
    let { to } = first;
    for (let next = 1; next <= MOST_YEARS; next++) {
      const further = this.#in(first.year + next);
      if (further.from > to) return to;
      to = further.to;
    }
    return null;
  }

  #in(year: number): Span {
    const local = yearsLater(this.#day, year - this.#firstYear + 1);
    return { from: afterLocal(local, this.#earlier, this.offsetAt), to: instantOf(local + DAY_MS, this.offsetAt) };
  }
}

const localDay = (instant: number, offsetAt: UtcOffsetAt): number => Math.floor((instant + offsetAt(instant)) / DAY_MS) * DAY_MS;
