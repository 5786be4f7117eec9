/** What conditions on properties say of an event, found without the code of rules. */
import type { Condition } from '../../../domain/segments/rule.js';

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

/** Whether properties, of names without dots, meet each condition. Texts of rules have no letters whose cases differ in length. */
export const meetsEach = (properties: unknown, where: readonly Condition[] = []): boolean =>
  where.every((condition) => {
    const { property, op, value } = condition;
    return tests[op]?.((properties as Readonly<Record<string, unknown>>)[property], value, condition) === true;
  });
