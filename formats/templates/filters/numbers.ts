import {
  type Decimal,
  decimalOf,
  floorOf,
  nearestNumber,
  negated,
  productOf,
  quotientOf,
  remainderOf,
  roundedTo,
  sumOf,
  wholeQuotientOf,
} from '../decimal.js';
import { elementsOf, floatOf, isNil, plainOf, WholeFloat } from '../values.js';
import { type Filter, FilterFailure, type FilterTable } from './filter.js';
import { elementProperty } from './lists.js';

/** A number of Liquid: whether it has a fraction, even one of 0, decides how it divides and how it is written. */
interface LiquidNumber {
  readonly decimal: Decimal;
  readonly isFloat: boolean;
}

const FLOAT = /^-?\d+\.\d+$/;
/** Digits of a text that is read as a number: more than any number keeps. */
const MAX_DIGITS = 400;

/** As Liquid reads it: a text by its first digits, and 0 for what is no number. */
export function liquidNumber(value: unknown): LiquidNumber {
  if (value instanceof WholeFloat) return { decimal: decimalOf(value.number), isFloat: true };
  const plain = plainOf(value);
  if (typeof plain === 'number' && Number.isFinite(plain)) return { decimal: decimalOf(plain), isFloat: !Number.isInteger(plain) };
  if (typeof plain !== 'string') return { decimal: { digits: 0n, scale: 0 }, isFloat: false };
  const text = plain.trim().slice(0, MAX_DIGITS);
  if (FLOAT.test(text)) return { decimal: decimalOf(Number(text)), isFloat: true };
  return { decimal: decimalOf(Number(/^[+-]?\d+/.exec(text)?.[0] ?? 0)), isFloat: false };
}

function resultOf(decimal: Decimal, isFloat: boolean): number | WholeFloat {
  const number = nearestNumber(decimal);
  return isFloat ? floatOf(number) : number;
}

/** A calculation with two numbers, with a fraction where one has a fraction. */
const calculation =
  (calculate: (one: Decimal, other: Decimal, isFloat: boolean) => Decimal): Filter =>
  (value, operand) => {
    const [one, other] = [liquidNumber(value), liquidNumber(operand)];
    const isFloat = one.isFloat || other.isFloat;
    return resultOf(calculate(one.decimal, other.decimal, isFloat), isFloat);
  };

/** A division, which has no result by 0. */
const division = (divide: (one: Decimal, other: Decimal, isFloat: boolean) => Decimal): Filter =>
  calculation((one, other, isFloat) => {
    if (other.digits === 0n) throw new FilterFailure('it divides by 0', true);
    return divide(one, other, isFloat);
  });

const larger =
  (wanted: 1 | -1): Filter =>
  (value, bound) => {
    const [one, other] = [liquidNumber(value), liquidNumber(bound)];
    const difference = sumOf(one.decimal, negated(other.decimal)).digits;
    const taken = (wanted === 1 ? difference < 0n : difference > 0n) ? other : one;
    return resultOf(taken.decimal, taken.isFloat);
  };

const whole =
  (make: (decimal: Decimal) => Decimal): Filter =>
  (value) =>
    nearestNumber(make(liquidNumber(value).decimal));

function round(value: unknown, given: unknown): number | WholeFloat {
  const { decimal, isFloat } = liquidNumber(value);
  const places = isNil(given) ? 0 : Math.max(-MAX_DIGITS, Math.min(MAX_DIGITS, Math.trunc(nearestNumber(liquidNumber(given).decimal))));
  return resultOf(roundedTo(decimal, places), isFloat && places !== 0);
}

function sum(value: unknown, property: unknown): number | WholeFloat {
  let total: LiquidNumber = { decimal: { digits: 0n, scale: 0 }, isFloat: false };
  for (const element of elementsOf(value)) {
    const { decimal, isFloat } = liquidNumber(isNil(property) ? element : elementProperty(element, property));
    total = { decimal: sumOf(total.decimal, decimal), isFloat: total.isFloat || isFloat };
  }
  return resultOf(total.decimal, total.isFloat);
}

/** Filters that calculate, in decimals. */
export const numberFilters: FilterTable = {
  abs: [
    0,
    0,
    (value) => {
      const { decimal, isFloat } = liquidNumber(value);
      return resultOf(decimal.digits < 0n ? negated(decimal) : decimal, isFloat);
    },
  ],
  at_least: [1, 1, larger(1)],
  at_most: [1, 1, larger(-1)],
  ceil: [0, 0, whole((decimal) => negated(floorOf(negated(decimal))))],
  floor: [0, 0, whole(floorOf)],
  plus: [1, 1, calculation(sumOf)],
  minus: [1, 1, calculation((one, other) => sumOf(one, negated(other)))],
  times: [1, 1, calculation(productOf)],
  divided_by: [1, 1, division((one, other, isFloat) => (isFloat ? quotientOf : wholeQuotientOf)(one, other))],
  modulo: [1, 1, division(remainderOf)],
  round: [0, 1, round],
  sum: [0, 1, sum],
};
