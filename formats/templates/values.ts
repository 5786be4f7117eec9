/** The values of Liquid that JavaScript lacks, and how values become texts, numbers and lists as in Shopify's Liquid. */
import { Drop } from 'liquidjs';

/** A text that is HTML already: it is not escaped again. The text of a `capture`, and what `escape` gives. */
export class MarkedText extends Drop {
  constructor(readonly text: string) {
    super();
  }
  override valueOf(): string {
    return this.text;
  }
  override toString(): string {
    return this.text;
  }
  toJSON(): string {
    return this.text;
  }
  /** Whether it has no markup of its own, so that any part of it can stand anywhere in HTML. */
  get isPlain(): boolean {
    return !/[<>"']/.test(this.text);
  }
}

/** A number with a fraction that is 0: `5.0`, which JavaScript writes as `5`. It compares as the number. */
export class WholeFloat extends Drop {
  constructor(readonly number: number) {
    super();
  }
  override valueOf(): number {
    return this.number;
  }
  override toString(): string {
    return floatText(this.number);
  }
  toJSON(): number {
    return this.number;
  }
  equals(other: unknown): boolean {
    return plainOf(other) === this.number;
  }
  gt(other: unknown): boolean {
    return this.number > (plainOf(other) as number);
  }
  geq(other: unknown): boolean {
    return this.number >= (plainOf(other) as number);
  }
  lt(other: unknown): boolean {
    return this.number < (plainOf(other) as number);
  }
  leq(other: unknown): boolean {
    return this.number <= (plainOf(other) as number);
  }
}

/** The first part of the path by which a range is looked up: it is made anew each time, since its ends may be variables. */
export const RANGE = '\u0000range';

/** The whole numbers of `(1..5)`, written as `1..5`. */
export class NumberRange extends Array<number> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  static between(low: number, high: number): NumberRange {
    const range = new NumberRange();
    for (let number = low; number <= high; number++) range.push(number);
    return Object.assign(range, { low, high });
  }
  override toString(): string {
    const { low = 0, high = 0 } = this as { readonly low?: number; readonly high?: number };
    return `${low}..${high}`;
  }
}

/** A number that a calculation with fractions gave. */
export const floatOf = (number: number): number | WholeFloat => (Number.isInteger(number) ? new WholeFloat(number) : number);

/** The text or number of a value of Liquid's own; other values as they are. */
export const plainOf = (value: unknown): unknown =>
  value instanceof MarkedText || value instanceof WholeFloat || value instanceof Drop ? (value.valueOf() as unknown) : value;

export const isNil = (value: unknown): value is null | undefined => plainOf(value) === undefined || plainOf(value) === null;

/** Nil and false are not true; all else is. */
export const isTrue = (value: unknown): boolean => !isNil(value) && plainOf(value) !== false;

/** Whether two values are the same: numbers by their value, lists and objects by what they have. */
export function isEqual(one: unknown, other: unknown, depth = 0): boolean {
  const [left, right] = [plainOf(one), plainOf(other)];
  if (left === right || (isNil(left) && isNil(right))) return true;
  if (depth > 20 || typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [keys, others] = [Object.entries(left), new Map(Object.entries(right))];
  return keys.length === others.size && keys.every(([key, value]) => others.has(key) && isEqual(value, others.get(key), depth + 1));
}

/** As Ruby writes it: `5.0`, `0.1`, `1.0e+20`. */
export function floatText(number: number): string {
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = number.toExponential().split('e');
    const power = Number(exponent);
    return `${digits.includes('.') ? digits : `${digits}.0`}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  return Number.isInteger(number) ? `${number}.0` : String(number);
}

/** The text of one value: of a list the texts of its elements; of an object none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? wholeText(value) : floatText(value);
  if (value instanceof NumberRange) return value.toString();
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value instanceof Drop) return textOfDrop(value);
  return typeof value === 'object' ? '' : String(value);
}

function textOfDrop(value: Drop): string {
  if (value instanceof WholeFloat || value instanceof MarkedText) return value.toString();
  const plain: unknown = value.valueOf();
  return plain === value ? '' : textOf(plain);
}

const wholeText = (number: number): string => (Math.abs(number) < 1e21 ? BigInt(number).toString() : floatText(number));

/** The elements that filters over lists see: lists in it are taken apart, a single value is a list of one. */
export function elementsOf(value: unknown): unknown[] {
  if (isNil(value)) return [];
  const plain = plainOf(value);
  if (!Array.isArray(plain)) return [value];
  return plain.some(Array.isArray) ? (plain.flat(20) as unknown[]) : [...(plain as unknown[])];
}

/** Characters, not halves of them. */
export const charactersOf = (text: string): string[] => Array.from(text);
