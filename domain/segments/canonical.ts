/**
 * The normal form of leaves. Leaves that are always equally true have the same key wherever they are, so that segments can share
 * them. A key is a text; whoever stores it may hash it.
 */
import { isDay } from '../kernel/written-times.js';
import { comparesForms, formOf, hasFieldForm, type ValueComparison } from './comparing.js';
import { calendarSpanOf } from './durations.js';
import { fullFieldName, isNegatedOp, negatedOps } from './fields.js';
import { msOf } from './meaning.js';
import { AT_LEAST_ONCE, type Condition, type Count, type Leaf, type LeafOf, type Window } from './rule.js';

/** A leaf without negation. The leaf that it was made of holds if `leaf` does, or if it does not where `negated`. */
export interface CanonicalLeaf {
  readonly leaf: Leaf;
  readonly negated: boolean;
}

/**
 * `count` is `gte` or `eq`; negated operators, `is_member: false` and `is: false` are turned round; fields have their full names;
 * defaults are written out; lists without an order are sorted; durations and times have one form. A count may be 101.
 */
export function canonicalLeaf(leaf: Leaf): CanonicalLeaf {
  switch (leaf.type) {
    case 'attribute':
      return canonicalAttribute(leaf);
    case 'date':
      return positive({ ...leaf, field: fullFieldName(leaf.field), value: canonicalDate(leaf.value) });
    case 'geo':
      return positive({ ...leaf, field: fullFieldName(leaf.field) });
    case 'event': {
      const { negated, ...count } = canonicalCount(leaf.count);
      return { leaf: { ...leaf, ...predicateParts(leaf), ...count }, negated };
    }
    case 'message': {
      const { negated, ...count } = canonicalCount(leaf.count);
      return { leaf: { ...leaf, ...windowPart(leaf.window), ...count, include_machine: leaf.include_machine ?? false }, negated };
    }
    case 'aggregate':
      return positive({ ...leaf, ...predicateParts(leaf) });
    case 'list':
    case 'segment':
      return { leaf: { ...leaf, is_member: true }, negated: !leaf.is_member };
    case 'reachable':
      return { leaf: { ...leaf, is: true }, negated: !leaf.is };
    default:
      return positive(leaf);
  }
}

const positive = (leaf: Leaf): CanonicalLeaf => ({ leaf, negated: false });

function canonicalAttribute({ op, value, case_sensitive, ...leaf }: LeafOf<'attribute'>): CanonicalLeaf {
  const negated = isNegatedOp(op);
  const plain = negated ? negatedOps[op] : op;
  const field = fullFieldName(leaf.field);
  return { leaf: { ...leaf, ...canonicalComparison({ ...leaf, field, op: plain, value, case_sensitive }) } as LeafOf<'attribute'>, negated };
}

/** With what is compared of texts instead of them, so that each spelling has one key. */
function canonicalComparison<C extends ValueComparison>({ case_sensitive, value, ...comparison }: C): Omit<C, 'case_sensitive' | 'value'> {
  const { op, field, reading } = comparison as ValueComparison;
  const sensitive = case_sensitive === true && comparesForms(op) && !hasFieldForm(field);
  const form = <V>(one: V): V | string => (typeof one === 'string' ? formOf(one, { field, op, case_sensitive }) : one);
  const formed = reading === 1 || !comparesForms(op) || value === undefined ? value : Array.isArray(value) ? value.map(form) : form(value);
  return {
    ...comparison,
    ...(formed !== undefined && { value: canonicalValue(op, formed as Value) }),
    ...(sensitive && { case_sensitive }),
  };
}

type Value = NonNullable<Condition['value']>;

/** Only `between` has an order. */
const canonicalValue = (op: Condition['op'], value: Value): Value =>
  Array.isArray(value) && op !== 'between' ? sortedOnce(value as readonly Exclude<Value, readonly unknown[]>[]) : value;

function sortedOnce<V>(values: readonly V[]): V[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as V);
}

interface LeafPredicate {
  readonly where?: readonly Condition[];
  readonly window?: Window;
}

function predicateParts({ where = [], window }: LeafPredicate) {
  const conditions = where.map((condition) => canonicalComparison(condition) as Condition);
  const byText = new Map(conditions.map((condition) => [canonicalText(condition), condition]));
  return { where: [...byText.keys()].sort().map((text) => byText.get(text) as Condition), ...windowPart(window) };
}

const windowPart = (window: Window | undefined) => (window === undefined ? {} : { window: canonicalWindow(window) });

function canonicalWindow(window: Window): Window {
  if ('last' in window) return { last: canonicalTime(window.last) };
  if ('since' in window) return { since: canonicalTime(window.since) };
  if ('between' in window) return { between: window.between.map(canonicalTime) };
  if (msOf(window.to) === 0) return { last: canonicalTime(window.from) };
  return { from: canonicalTime(window.from), to: canonicalTime(window.to) };
}

/** Days of a duration are not hours; a moment is in UTC, and a day stays one. */
function canonicalDate(text: string): string {
  const span = text.startsWith('P') ? calendarSpanOf(text) : null;
  if (span) return `P${span.days}DT${span.ms / 1_000}S`;
  return isDay(text) ? text : canonicalTime(text);
}

/** A duration in seconds, a moment in UTC. */
const canonicalTime = (text: string): string => (text.startsWith('P') ? `PT${msOf(text) / 1_000}S` : new Date(text).toISOString());

/** At most N is not at least N + 1. */
function canonicalCount({ op, value }: Count = AT_LEAST_ONCE): { readonly count: Count; readonly negated: boolean } {
  switch (op) {
    case 'gt':
      return { count: { op: 'gte', value: value + 1 }, negated: false };
    case 'lte':
      return { count: { op: 'gte', value: value + 1 }, negated: true };
    case 'lt':
      return { count: { op: 'gte', value }, negated: true };
    default:
      return value === 0 && op === 'eq' ? { count: AT_LEAST_ONCE, negated: true } : { count: { op, value }, negated: false };
  }
}

/** JSON with sorted names. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const named = Object.entries(value).filter(([, part]) => part !== undefined);
  const sorted = named.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, part]) => `${JSON.stringify(name)}:${canonicalText(part)}`).join(',')}}`;
}

/** The key of a canonical leaf. */
export const leafKey = ({ leaf }: CanonicalLeaf): string => canonicalText(leaf);

/** Leaves over events that happen to a contact. */
export type EventfulLeaf = LeafOf<'event'> | LeafOf<'aggregate'> | LeafOf<'message'>;

/** The key of what a canonical leaf counts or adds up: the events without count and window. Leaves with one key share their times. */
export function predicateKey(leaf: EventfulLeaf): string {
  if (leaf.type !== 'message') return canonicalText({ event: leaf.event, where: leaf.where ?? [] });
  const { count: _, window: __, ...meant } = leaf;
  return canonicalText(meant);
}
