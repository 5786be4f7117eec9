/** Rules over dates as a person with a calendar and a clock on the wall reads them. Times are milliseconds since 1970. */
import { evaluate } from '../../../domain/segments/evaluate.js';
import type { RuleSurroundings, SegmentHistory } from '../../../domain/segments/history.js';
import { isLeaf, type LeafOf, type Rule } from '../../../domain/segments/rule.js';
import { sampleBucketOf } from '../../../log/aggregates/segments/buckets.js';
import { daysLater, firstShowing, laterOnWall, laterThanDay, timeOnWall, wallAt } from '../../support/calendar.js';

/** `zone`: of the contact, or else of its account. */
export function dateHolds(rule: LeafOf<'date'>, stored: unknown, now: number, zone: string): boolean {
  const { op, value } = rule;
  const time = timeOnWall(stored, 'UTC');
  if (time === null) return false;
  if ('reading' in rule && rule.reading === 1) return heldEarlier(rule, 'day' in time ? Date.parse(`${time.day}T00:00:00Z`) : time.ms, now);
  if (op === 'anniversary_within_next') return anniversaryHolds('day' in time ? time.day : dayShown(time.ms, zone), value, now, zone);
  const begin = 'day' in time ? beginning(time.day, zone) : time.ms;
  const over = 'day' in time ? beginning(daysLater(time.day, 1), zone) : time.ms;
  const moved = (by: string) => ('day' in time ? laterThanDay(time.day, by, zone) : laterOnWall(time.ms, by, zone));
  switch (op) {
    case 'within_last':
      return begin <= now && now < moved(value);
    case 'more_than_ago':
      return moved(value) <= now;
    case 'within_next':
      return moved(`-${value}`) <= now && now < over;
    case 'more_than_from_now':
      return now < moved(`-${value}`);
    default:
      return isBeside(op, begin, timeOnWall(value, 'UTC'), zone);
  }
}

/** Before dates were days of the contact: midnight in UTC, days of 24 hours, and what has begun is not next. */
function heldEarlier({ op, value }: LeafOf<'date'>, time: number, now: number): boolean {
  if (op === 'before') return time < Date.parse(value);
  if (op === 'after') return time > Date.parse(value);
  const ago = now - time;
  const span = laterThanDay('1970-01-01', value, 'UTC');
  if (op === 'within_last') return ago >= 0 && ago < span;
  if (op === 'more_than_ago') return ago >= span;
  if (op === 'within_next') return ago < 0 && -ago <= span;
  if (op === 'more_than_from_now') return -ago > span;
  const born = new Date(time);
  const years = Array.from({ length: 4 }, (_, i) => new Date(now).getUTCFullYear() - 1 + i).filter((year) => year > born.getUTCFullYear());
  return years.some((year) => {
    const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
    const day = born.getUTCMonth() === 1 && born.getUTCDate() === 29 && !isLeap ? 28 : born.getUTCDate();
    const at = Date.UTC(year, born.getUTCMonth(), day) + (time - Date.UTC(born.getUTCFullYear(), born.getUTCMonth(), born.getUTCDate()));
    return at > now && at - now <= span;
  });
}

function isBeside(op: 'before' | 'after', begin: number, other: ReturnType<typeof timeOnWall>, zone: string): boolean {
  if (other === null) return false;
  if ('ms' in other) return op === 'before' ? begin < other.ms : begin > other.ms;
  return op === 'before' ? begin < beginning(other.day, zone) : begin >= beginning(daysLater(other.day, 1), zone);
}

const beginning = (day: string, zone: string): number => firstShowing(`${day} 00:00:00`, zone);
const dayShown = (ms: number, zone: string): string => wallAt(ms, zone).slice(0, 10);

/** Looks at each year that can matter for durations of up to a year. */
function anniversaryHolds(day: string, value: string, now: number, zone: string): boolean {
  const year = Number(dayShown(now, zone).slice(0, 4));
  return [year - 1, year, year + 1, year + 2].some((one) => {
    if (one <= Number(day.slice(0, 4))) return false;
    const isLeap = new Date(Date.UTC(one, 1, 29)).getUTCMonth() === 1;
    const turned = day.endsWith('-02-29') && !isLeap ? `${one}-02-28` : `${one}${day.slice(4)}`;
    return laterThanDay(turned, `-${value}`, zone) <= now && now < beginning(daysLater(turned, 1), zone);
  });
}

/** Whether a rule holds, where only this oracle says what its dates mean. */
export function holdsByCalendar(
  rule: Rule,
  history: SegmentHistory,
  now: number,
  { account, ...surroundings }: RuleSurroundings & { account: string },
): boolean {
  const named = history.fields.get('timezone')?.value;
  const zone = typeof named === 'string' ? named : account;
  const decided = (part: Rule): Rule => {
    if (part.type === 'all' || part.type === 'any') return { ...part, rules: part.rules.map(decided) };
    if (part.type === 'not') return { ...part, rule: decided(part.rule) };
    if (!isLeaf(part) || part.type !== 'date') return part;
    const stored = history.fields.get(part.field)?.value ?? history.fields.get(`custom_fields.${part.field}`)?.value;
    return dateHolds(part, stored, now, zone) ? { type: 'everyone' } : { type: 'not', rule: { type: 'everyone' } };
  };
  const ruleOf = (id: string): Rule | undefined => {
    const found = surroundings.ruleOf(id);
    return found && decided(found);
  };
  return evaluate(decided(rule), history, now, { ...surroundings, ruleOf }).holds;
}

/** Surroundings in which rules ask the calendar alone for dates. `account`: its time zone. */
export const byCalendar = (ruleOf: RuleSurroundings['ruleOf'], account: string) => ({
  ...{ ruleOf, bucketOf: sampleBucketOf, account },
  clocksOf: (): never => {
    throw new Error('the plain reading asks for the clocks of the service');
  },
});
