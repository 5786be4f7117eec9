/**
 * How a value compares with what a rule says: the one table of equality, case, numbers and emptiness, for fields, lists and properties of
 * events. Whatever evaluates rules uses these functions.
 */
import { matchedValueEarlier } from './earlier-reading.js';
import { isNegatedOp, isTextualOp, isWholeOp, negatedOps, type PositiveOp } from './fields.js';
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

type Matcher = (stored: unknown) => boolean;

/** What is worked out of a rule once, for all values: it goes with the rule, which never changes. */
const matchers = new WeakMap<ValueComparison, Matcher>();

/** Two-valued: without a value each positive operator is false and each negated one is true, which is always the opposite. */
export function matchesValue(comparison: ValueComparison, stored: unknown): boolean {
  const known = matchers.get(comparison);
  if (known) return known(stored);
  const matcher = matcherOf(comparison);
  matchers.set(comparison, matcher);
  return matcher(stored);
}

function matcherOf(comparison: ValueComparison): Matcher {
  const { op, value, reading } = comparison;
  if (reading === 1) return (stored) => matchedValueEarlier(op, stored, value);
  if (!isNegatedOp(op)) return positiveMatcher(op, comparison);
  const holds = positiveMatcher(negatedOps[op], comparison);
  return (stored) => !holds(stored);
}

function positiveMatcher(op: PositiveOp, comparison: ValueComparison): Matcher {
  const { value } = comparison;
  switch (op) {
    case 'exists':
      return (stored) => !isUnset(stored);
    case 'eq':
      return equalTo([value], comparison);
    case 'in':
      return ofEach(equalTo(Array.isArray(value) ? value : [], comparison));
    case 'between':
      return (stored) => Array.isArray(value) && compares('gte', stored, value[0]) && compares('lte', stored, value[1]);
    case 'contains': {
      const [isElement, isPart] = [ofEach(equalTo([value], comparison)), partMatcher(op, comparison)];
      return (stored) => (Array.isArray(stored) ? isElement(stored) : isPart(stored));
    }
    case 'starts_with':
    case 'ends_with':
      return partMatcher(op, comparison);
    default:
      return (stored) => compares(op, stored, value);
  }
}

/** Of a list, whether one of its elements matches. */
const ofEach =
  (matches: Matcher): Matcher =>
  (stored) =>
    Array.isArray(stored) ? stored.some(matches) : matches(stored);

/** Whether a value equals one of some: a number also where a text says it, a text only as a text. */
function equalTo(values: readonly unknown[], comparison: ValueComparison): Matcher {
  const texts = new Set(values.flatMap((one) => (typeof one === 'string' ? [formOf(one, comparison)] : [])));
  const others = new Set<unknown>(values.filter((one) => typeof one === 'number' || typeof one === 'boolean'));
  const hasNumbers = values.some((one) => typeof one === 'number');
  return (stored) => {
    if (typeof stored !== 'string') return others.has(stored);
    return (texts.size > 0 && texts.has(heldForm(stored, comparison))) || (hasNumbers && others.has(numberIn(stored) ?? Number.NaN));
  };
}

function partMatcher(op: 'contains' | 'starts_with' | 'ends_with', comparison: ValueComparison): Matcher {
  const { value } = comparison;
  const wanted = typeof value === 'string' ? formOf(value, comparison) : '';
  // What consists of separators alone is a part of nothing.
  if (wanted === '') return () => false;
  const isIn = { contains: 'includes', starts_with: 'startsWith', ends_with: 'endsWith' } as const;
  return (stored) => typeof stored === 'string' && heldForm(stored, comparison)[isIn[op]](wanted);
}

const heldForm = (stored: string, { field, case_sensitive }: ValueComparison): string => formOf(stored, { field, case_sensitive, op: 'eq' });

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
const withoutCase = (text: string): string => (isAscii(text) ? text.toUpperCase() : text.normalize('NFC').toUpperCase().normalize('NFC'));

/** Most texts are: they have one spelling. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

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
export const comparesForms = (op: AttributeOp): boolean => isWholeOp(op) || isTextualOp(op);

/** All by which an index finds the leaves that a stored value of a field may equal: `formOf` of their values is among them. */
export function lookupKeysOf(stored: unknown, field: string): readonly unknown[] {
  const number = numberIn(stored);
  if (typeof stored !== 'string') return [stored];
  const forms = [stored, formOf(stored, { field, op: 'eq' }), formOf(stored, { field, op: 'eq', case_sensitive: true })];
  return [...new Set<unknown>(number === undefined ? forms : [...forms, number])];
}
