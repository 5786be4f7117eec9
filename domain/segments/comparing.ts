/**
 * How a value compares with what a rule says: the one table of equality, case, numbers and emptiness, for fields, lists and properties of
 * events. Whatever evaluates rules uses these functions.
 */
import { matchedEarlier } from './earlier-reading.js';
import { isNegatedOp, negatedOps, type PositiveOp } from './fields.js';
import type { AttributeOp, CompareOp, ReadEarlier, Scalar } from './rule.js';

/** A leaf over a field, or a condition on a property. */
export interface ValueComparison extends ReadEarlier {
  readonly op: AttributeOp;
  readonly value?: Scalar | readonly Scalar[] | undefined;
  readonly case_sensitive?: boolean | undefined;
  /** Absent where a property is compared. */
  readonly field?: string | undefined;
}

/** Without a value, an empty text, or an empty list. */
export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a value is or that a text says, as shops write prices: `"10.00"`. Undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Two-valued: without a value each positive operator is false and each negated one is true, which is always the opposite. */
export function matchesValue(comparison: ValueComparison, stored: unknown): boolean {
  const { op, value, reading } = comparison;
  if (reading === 1) return matchedEarlier(op, stored, value);
  return isNegatedOp(op) ? !isTrue(negatedOps[op], comparison, stored) : isTrue(op, comparison, stored);
}

function isTrue(op: PositiveOp, comparison: ValueComparison, stored: unknown): boolean {
  const { value } = comparison;
  switch (op) {
    case 'exists':
      return !isUnset(stored);
    case 'eq':
      return equals(comparison, stored, value);
    case 'in': {
      const held = Array.isArray(stored) ? stored : [stored];
      return Array.isArray(value) && held.some((one) => equalsAny(comparison, one, value));
    }
    case 'between':
      return Array.isArray(value) && compares('gte', stored, value[0]) && compares('lte', stored, value[1]);
    case 'contains':
      return Array.isArray(stored) ? stored.some((one) => equals(comparison, one, value)) : isPart(op, comparison, stored);
    case 'starts_with':
    case 'ends_with':
      return isPart(op, comparison, stored);
    default:
      return compares(op, stored, value);
  }
}

/** A number equals texts that say it, a text equals texts alone. */
function equals(comparison: ValueComparison, stored: unknown, value: unknown): boolean {
  if (typeof value === 'number') return numberIn(stored) === value;
  if (typeof value !== 'string' || typeof stored !== 'string') return stored === value;
  return formOf(stored, comparison) === formOf(value, comparison);
}

function equalsAny(comparison: ValueComparison, stored: unknown, values: readonly unknown[]): boolean {
  if (values.includes(stored)) return true;
  // Read once for all values.
  const [number, text] = [numberIn(stored), typeof stored === 'string' ? formOf(stored, comparison) : undefined];
  return values.some((value) => {
    if (typeof value === 'number') return value === number;
    return typeof value === 'string' && text !== undefined && formOf(value, comparison) === text;
  });
}

function isPart(op: 'contains' | 'starts_with' | 'ends_with', comparison: ValueComparison, stored: unknown): boolean {
  const { value } = comparison;
  if (typeof stored !== 'string' || typeof value !== 'string') return false;
  const wanted = formOf(value, comparison);
  const held = formOf(stored, { ...comparison, op: 'eq' });
  // What consists of separators alone is a part of nothing.
  if (wanted === '') return false;
  if (op === 'contains') return held.includes(wanted);
  return op === 'starts_with' ? held.startsWith(wanted) : held.endsWith(wanted);
}

/** Numbers by size, and texts that say one; other texts by their characters: so dates and moments, which have one normal form, by time. */
function compares(op: CompareOp, stored: unknown, value: unknown): boolean {
  if (typeof value === 'number') {
    const number = numberIn(stored);
    return number !== undefined && numberMatches(op, number, value);
  }
  if (typeof stored !== 'string' || typeof value !== 'string') return false;
  return numberMatches(op, stored < value ? -1 : stored > value ? 1 : 0, 0);
}

export function numberMatches(op: CompareOp, left: number, right: number): boolean {
  switch (op) {
    case 'eq':
      return left === right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    default:
      return op satisfies never;
  }
}

// Texts

/** Upper case joins more than lower case does: `ß` and `SS`, both small sigmas. */
const withoutCase = (text: string): string => text.normalize('NFC').toUpperCase().normalize('NFC');

/** Of fields that have a normal form in which case never counts: how a text of a rule, or a part of one, becomes comparable with it. */
const fieldForms: ReadonlyMap<string, (text: string, op: AttributeOp) => string> = new Map([
  ['email', (text) => text.trim()],
  ['phone', phoneForm],
  ['locale', (text) => text.trim().replaceAll('_', '-')],
  ['timezone', (text) => text.trim()],
]);

/** Separators do not count; `00` at the beginning of a number is `+`. */
function phoneForm(text: string, op: AttributeOp): string {
  const compact = text.replace(/[\s\p{Pd}\p{Cf}().·/]/gu, '');
  return op === 'contains' || op === 'not_contains' || op === 'ends_with' ? compact : compact.replace(/^00/, '+');
}

/** Whether a field has a normal form, so that `case_sensitive` says nothing about it. */
export const hasFieldForm = (field: string | undefined): boolean => field !== undefined && fieldForms.has(field);

/** What is compared of a text. Idempotent. */
export function formOf(text: string, { field, op, case_sensitive }: Pick<ValueComparison, 'field' | 'op' | 'case_sensitive'>): string {
  const ofField = field === undefined ? undefined : fieldForms.get(field);
  if (ofField) return withoutCase(ofField(text, op));
  return case_sensitive === true ? text.normalize('NFC') : withoutCase(text);
}

/** Whether an operator compares texts by their forms. */
const ofTexts: ReadonlySet<AttributeOp> = new Set([
  ...(['eq', 'neq', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'ends_with'] as const),
] satisfies AttributeOp[]);
export const comparesForms = (op: AttributeOp): boolean => ofTexts.has(op);

/** All by which an index finds the leaves that a stored value of a field may equal: `formOf` of their values is among them. */
export function lookupKeysOf(stored: unknown, field: string): readonly unknown[] {
  const number = numberIn(stored);
  if (typeof stored !== 'string') return [stored];
  const forms = [stored, formOf(stored, { field, op: 'eq' }), formOf(stored, { field, op: 'eq', case_sensitive: true })];
  return [...new Set<unknown>(number === undefined ? forms : [...forms, number])];
}
