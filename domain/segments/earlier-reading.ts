/**
 * How values compared before the one table of `comparing.ts`. Rules that were recorded by then meant this, and answers about that time
 * still do; each is read anew once, as new rules of its segment (`SegmentUpdated` with `reread`).
 */
import { isNegatedOp, isOrderingOp, negatedOps, type PositiveOp } from './fields.js';
import { type AttributeOp, type CompareOp, type Condition, isLeaf, type Leaf, type ReadEarlier, type Rule, rulesBelow } from './rule.js';

/** Two-valued; values of different types never match. Letter case matters to `eq` and `in` alone, and an empty text is a value. */
export function matchedValueEarlier(op: AttributeOp, stored: unknown, value: unknown): boolean {
  return isNegatedOp(op) ? !wasTrue(negatedOps[op], stored, value) : wasTrue(op, stored, value);
}

function wasTrue(op: PositiveOp, stored: unknown, value: unknown): boolean {
  if (stored === undefined || stored === null || (Array.isArray(stored) && stored.length === 0)) return false;
  switch (op) {
    case 'exists':
      return true;
    case 'eq':
      return stored === value;
    case 'in':
      return Array.isArray(value) && (Array.isArray(stored) ? stored.some((one) => value.includes(one)) : value.includes(stored));
    case 'between':
      return Array.isArray(value) && compared('gte', stored, value[0]) && compared('lte', stored, value[1]);
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return typeof value === 'string' && textMatched(op, stored, value);
    default:
      return compared(op, stored, value);
  }
}

function textMatched(op: 'contains' | 'starts_with' | 'ends_with', stored: unknown, value: string): boolean {
  const wanted = value.toLowerCase();
  if (Array.isArray(stored)) return op === 'contains' && stored.some((one) => typeof one === 'string' && one.toLowerCase() === wanted);
  if (typeof stored !== 'string') return false;
  const held = stored.toLowerCase();
  if (op === 'contains') return held.includes(wanted);
  return op === 'starts_with' ? held.startsWith(wanted) : held.endsWith(wanted);
}

function compared(op: CompareOp, stored: unknown, value: unknown): boolean {
  const isOrdered = (typeof stored === 'number' && typeof value === 'number') || (typeof stored === 'string' && typeof value === 'string');
  if (!isOrdered) return false;
  const [left, right] = [stored, value] as [number, number];
  if (op === 'eq') return left === right;
  if (op === 'gt' || op === 'gte') return left > right || (op === 'gte' && left === right);
  return left < right || (op === 'lte' && left === right);
}

/** A rule that was recorded before, marked where its meaning has changed since. */
export const readEarlier = (rule: Rule): Rule => mapLeaves(rule, earlierLeaf);

/** Up to version 1 of `SegmentCreated` and `SegmentUpdated`. */
export const withEarlierRules = <D extends { readonly rules?: Rule }>(data: D): D =>
  data.rules === undefined ? data : { ...data, rules: readEarlier(data.rules) };

/** The same as rules are read now. */
export const readNow = (rule: Rule): Rule => mapLeaves(rule, (leaf) => mapConditions(unmarked(leaf), unmarked));

/** Whether a part of the rule means what it meant before. */
export const isReadEarlier = (rule: Rule): boolean =>
  isLeaf(rule)
    ? isMarked(rule) || ((rule.type === 'event' || rule.type === 'aggregate') && (rule.where ?? []).some(isMarked))
    : rulesBelow(rule).some(isReadEarlier);

const isMarked = (part: object): boolean => 'reading' in part && part.reading === 1;
const marked = <P extends object>(part: P): P => ({ ...part, reading: 1 });

function unmarked<P extends object>(part: P): P {
  const { reading: _, ...rest } = part as P & ReadEarlier;
  return rest as P;
}

function earlierLeaf(leaf: Leaf): Leaf {
  if (leaf.type === 'attribute') return hasChanged(leaf) ? marked(leaf) : leaf;
  // Dates are days on the clocks of the contact since then.
  if (leaf.type === 'date') return marked(leaf);
  const earlier = mapConditions(leaf, (condition) => (hasChanged(condition, true) ? marked(condition) : condition));
  // It adds up texts that are numbers, too.
  return leaf.type === 'aggregate' ? marked(earlier) : earlier;
}

/** Of fields, numbers and booleans compare as before; properties may be texts that are numbers. */
function hasChanged({ op, value }: Pick<Condition, 'op' | 'value'>, ofProperty = false): boolean {
  if (op === 'exists' || op === 'not_exists') return true;
  const hasText = [value].flat().some((one) => typeof one === 'string');
  return hasText ? !isOrderingOp(op) : ofProperty && typeof value !== 'boolean';
}

function mapLeaves(rule: Rule, change: (leaf: Leaf) => Leaf): Rule {
  if (isLeaf(rule)) return change(rule);
  return rule.type === 'not' ? { ...rule, rule: mapLeaves(rule.rule, change) } : { ...rule, rules: rule.rules.map((one) => mapLeaves(one, change)) };
}

const mapConditions = (leaf: Leaf, change: (condition: Condition) => Condition): Leaf =>
  (leaf.type === 'event' || leaf.type === 'aggregate') && leaf.where ? { ...leaf, where: leaf.where.map(change) } : leaf;
