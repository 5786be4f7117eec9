/** Which events an explanation must name, found without the code of explanations. */
import type { PastCustomEvent } from '../../../domain/segments/history.js';
import type { Condition, LeafOf, Window } from '../../../domain/segments/rule.js';
import type { ExplainedRule } from '../../../projections/segments/explain.js';

const SECONDS: Readonly<Record<string, number>> = { PT5S: 5, PT10S: 10, PT20S: 20, PT30S: 30, PT60S: 60, PT5M: 300 };
const ms = (duration: string): number => (SECONDS[duration] as number) * 1_000;

function lies(time: number, window: Window | undefined, now: number): boolean {
  if (time > now) return false;
  if (!window) return true;
  const text = new Date(time).toISOString();
  if ('since' in window) return text >= window.since;
  if ('between' in window) return text >= (window.between[0] as string) && text <= (window.between[1] as string);
  const ago = now - time;
  return 'last' in window ? ago < ms(window.last) : ago < ms(window.from) && ago >= ms(window.to);
}

/** The number that a value is or says. */
const sized = (is: unknown): number => (typeof is === 'number' || (typeof is === 'string' && is.trim() !== '') ? Number(is) : Number.NaN);
const small = (text: unknown, { case_sensitive }: Condition): unknown => (typeof text === 'string' && !case_sensitive ? text.toLowerCase() : text);
const same = (is: unknown, value: unknown, condition: Condition): boolean =>
  typeof value === 'number' ? sized(is) === value : small(is, condition) === small(value, condition);
const isIn = (is: unknown, values: unknown, condition: Condition): boolean =>
  [is].flat().some((one) => (values as readonly unknown[]).some((value) => same(one, value, condition)));
const isSet = (is: unknown): boolean => is !== undefined && is !== null && is !== '' && !(Array.isArray(is) && is.length === 0);
function isPart(is: unknown, value: unknown, condition: Condition): boolean {
  if (Array.isArray(is)) return is.some((one) => same(one, value, condition));
  return typeof is === 'string' && String(small(is, condition)).includes(String(small(value, condition)));
}

const tests: Readonly<Record<string, (is: unknown, value: unknown, condition: Condition) => boolean>> = {
  exists: isSet,
  not_exists: (is) => !isSet(is),
  eq: same,
  neq: (is, value, condition) => !same(is, value, condition),
  in: isIn,
  not_in: (is, value, condition) => !isIn(is, value, condition),
  contains: isPart,
  gt: (is, value) => sized(is) > (value as number),
  gte: (is, value) => sized(is) >= (value as number),
  lt: (is, value) => sized(is) < (value as number),
  lte: (is, value) => sized(is) <= (value as number),
};
const meets = (event: PastCustomEvent, condition: Condition): boolean => {
  const { property, op, value } = condition;
  return tests[op]?.((event.properties as Readonly<Record<string, unknown>>)[property], value, condition) === true;
};

/** The ids, sorted. */
export const expectedNames = ({ event, where = [], window }: LeafOf<'event'>, events: readonly PastCustomEvent[], now: number): readonly string[] =>
  events
    .filter((one) => one.name === event && lies(one.time, window, now) && where.every((condition) => meets(one, condition)))
    .map(({ id }) => id)
    .sort();

/** The leaves over events in an explanation, also those of segments that it refers to. */
export const explainedEvents = (node: ExplainedRule): readonly ExplainedRule[] => [
  ...(node.rule?.type === 'event' ? [node] : []),
  ...(node.rules ?? []).flatMap(explainedEvents),
];
