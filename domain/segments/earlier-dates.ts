/**
 * What rules over dates meant before dates were days on the clocks of the contact: a date was its midnight in UTC, a day 24 hours, and
 * what had begun was not next any more. Rules that were recorded by then meant this, and answers about that time still do. Times are
 * milliseconds since 1970.
 */
import { yearsLater } from '../kernel/clocks.js';
import { ruleDurationMs } from './durations.js';
import type { LeafOf } from './rule.js';

type DateRule = Pick<LeafOf<'date'>, 'op' | 'value'>;

const msOf = (duration: string): number => ruleDurationMs(duration) ?? 0;

export function matchedEarlier({ op, value }: DateRule, time: number, now: number): boolean {
  switch (op) {
    case 'before':
      return time < Date.parse(value);
    case 'after':
      return time > Date.parse(value);
    case 'within_last':
      return time > now - msOf(value) && time <= now;
    case 'more_than_ago':
      return time <= now - msOf(value);
    case 'within_next':
      return time > now && time <= now + msOf(value);
    case 'more_than_from_now':
      return time > now + msOf(value);
    case 'anniversary_within_next':
      return nextAnniversary(time, now) <= now + msOf(value);
    default:
      return op satisfies never;
  }
}

/** An anniversary a year and a day away recurs within eight years. */
const ANNIVERSARIES = 10;

/** The first moment after `now` at which it said something else; null if there was none. */
export function changeEarlier(rule: DateRule, time: number, now: number): number | null {
  const was = matchedEarlier(rule, time, now);
  const later = momentsOf(rule, time, now)
    .filter((at) => at > now)
    .sort((a, b) => a - b);
  return later.find((at) => matchedEarlier(rule, time, at) !== was) ?? null;
}

function momentsOf({ op, value }: DateRule, time: number, now: number): number[] {
  const span = msOf(value);
  if (op !== 'anniversary_within_next') return [time - span, time, time + span];
  const anniversaries: number[] = [];
  for (let after = now; anniversaries.length < ANNIVERSARIES; after = anniversaries.at(-1) as number)
    anniversaries.push(nextAnniversary(time, after));
  return anniversaries.flatMap((one) => [one - span, one]);
}

/** The first anniversary after `now`, at its time of day in UTC. The moment itself was none. A leap day had it on the 28th in other years. */
function nextAnniversary(time: number, now: number): number {
  const passed = new Date(now).getUTCFullYear() - new Date(time).getUTCFullYear();
  for (let years = Math.max(1, passed); ; years++) {
    const anniversary = yearsLater(time, years);
    if (anniversary > now) return anniversary;
  }
}
