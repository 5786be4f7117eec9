/** Times in rules as callers write them: one without a zone is of the account, and is stored as the instant that it is now. */
import type { CustomFieldType } from '../contacts/custom-field.js';
import type { UtcOffsetAt } from '../kernel/clocks.js';
import { isInstant, isoOf, readTime } from '../kernel/written-times.js';
import { isObject } from './shape.js';
import { typeOfField } from './validate.js';

/** What a rule within a request is read with. */
export interface RuleClocks {
  /** Types of the custom fields, by key. */
  readonly fields: ReadonlyMap<string, CustomFieldType>;
  /** Of the account. */
  readonly offsetAt: UtcOffsetAt;
}

/** Parts of what may be malformed that are looked at. */
const MAX_DEPTH = 24;
/** What callers have for themselves is no rule, whatever it looks like. */
const OWN_DATA: ReadonlySet<string> = new Set(['data', 'properties', 'metadata', 'set']);

/** Any JSON value with rules in it: the same, where local times are instants. What is no time stays as it is, and is refused by its own rule. */
export function withInstants<V>(given: V, clocks: RuleClocks, depth = 0): V {
  if (depth > MAX_DEPTH) return given;
  if (Array.isArray(given)) return given.map((part) => withInstants(part, clocks, depth + 1)) as V;
  if (!isObject(given)) return given;
  const parts = Object.entries(given).map(([name, part]) => [name, OWN_DATA.has(name) ? part : withInstants(part, clocks, depth + 1)] as const);
  return { ...Object.fromEntries(parts), ...ownTimes(given, clocks) } as V;
}

function ownTimes(part: Readonly<Record<string, unknown>>, { fields, offsetAt }: RuleClocks): object {
  const instant = (text: unknown): unknown => instantText(text, offsetAt);
  const { type, field, op, value, window } = part;
  if (type === 'date' && (op === 'before' || op === 'after')) return { value: instant(value) };
  if (type === 'attribute' && typeof field === 'string' && typeOfField(field, fields) === 'datetime' && value !== undefined)
    return { value: Array.isArray(value) ? value.map(instant) : instant(value) };
  if ((type !== 'event' && type !== 'message' && type !== 'aggregate') || !isObject(window)) return {};
  const { since, between } = window;
  if (since !== undefined) return { window: { ...window, since: instant(since) } };
  return Array.isArray(between) ? { window: { ...window, between: between.map(instant) } } : {};
}

/** A day stays a day; and a time with a zone stays as it is written. */
function instantText(text: unknown, offsetAt: UtcOffsetAt): unknown {
  if (typeof text !== 'string' || isInstant(text)) return text;
  const time = readTime(text, offsetAt);
  return time && 'instant' in time ? (isoOf(time.instant) ?? text) : text;
}
