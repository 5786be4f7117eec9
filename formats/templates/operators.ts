import { type Context, Drop, defaultOperators } from 'liquidjs';
import { LimitReached, templateLimits } from './limits.js';
import { isEqual, isNil, MarkedText, plainOf, textOf } from './values.js';

type Operator = (left: unknown, right: unknown, context: Context) => unknown;

/** Throws where a list is longer than what is looked at in one step. */
export function requireShort(...values: readonly unknown[]): void {
  for (const value of values) if (Array.isArray(value) && value.length > templateLimits.list) throw new LimitReached('list');
}

const library = new Map(Object.entries(defaultOperators as unknown as Record<string, Operator>));

/** `empty` and `blank` compare by themselves; their text is empty. */
const isSpecial = (value: unknown): boolean => value instanceof Drop && !(value instanceof MarkedText) && (value.valueOf() as unknown) === '';

function* equal(left: unknown, right: unknown, context: Context): Generator<unknown, boolean, unknown> {
  requireShort(left, right);
  if (!isSpecial(left) && !isSpecial(right)) return isEqual(left, right);
  const [one, other] = [left, right].map((value) => (isSpecial(value) ? value : plainOf(value)));
  return (yield library.get('==')?.(one, other, context)) === true;
}

/** Numbers with numbers, also those in texts, and texts with texts. Nothing else has an order. */
const ordered =
  (holds: (difference: number) => boolean): Operator =>
  (left, right) => {
    requireShort(left, right);
    const [one, other] = [plainOf(left), plainOf(right)];
    if (isNil(one) || isNil(other)) return false;
    if (typeof one === 'string' && typeof other === 'string') return holds(one < other ? -1 : one > other ? 1 : 0);
    const [first, second] = [numericOf(one), numericOf(other)];
    return first !== null && second !== null && holds(first - second);
  };

function numericOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : null;
}

function contains(left: unknown, right: unknown): boolean {
  requireShort(left, right);
  const [holder, part] = [plainOf(left), plainOf(right)];
  if (isNil(holder) || isNil(part)) return false;
  if (typeof holder === 'string') return holder.includes(textOf(part));
  if (Array.isArray(holder)) return holder.some((element) => isEqual(element, part));
  return typeof holder === 'object' && Object.hasOwn(holder as object, textOf(part));
}

function* different(left: unknown, right: unknown, context: Context): Generator<unknown, boolean, unknown> {
  return (yield equal(left, right, context)) !== true;
}

/** The operators of conditions. */
export const operators: Readonly<Record<string, Operator>> = {
  ...(defaultOperators as unknown as Record<string, Operator>),
  '==': equal,
  '!=': different,
  '<>': different,
  '<': ordered((difference) => difference < 0),
  '>': ordered((difference) => difference > 0),
  '<=': ordered((difference) => difference <= 0),
  '>=': ordered((difference) => difference >= 0),
  contains,
};
