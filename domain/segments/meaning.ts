/**
 * What the parts of leaves mean beside comparisons and dates: windows, aggregates, distances. Whatever evaluates rules, at once or step by
 * step, uses these functions. Times are milliseconds since 1970.
 */
import { ownField } from '../kernel/own-fields.js';
import { matchesValue, numberIn, numberMatches } from './comparing.js';
import { ruleDurationMs } from './durations.js';
import type { AggregateFunction, Condition, Count, LeafOf, Window } from './rule.js';
import { isObject } from './shape.js';

export const countMatches = ({ op, value }: Count, count: number): boolean => numberMatches(op, count, value);

// Custom events

/** A property by its name, or by the path that dots make of it. Undefined if there is none. */
export function propertyOf(properties: unknown, name: string): unknown {
  if (!isObject(properties)) return undefined;
  if (Object.hasOwn(properties, name)) return ownField(properties, name);
  const dot = name.indexOf('.');
  if (dot < 0) return undefined;
  const first = name.slice(0, dot);
  return Object.hasOwn(properties, first) ? propertyOf(ownField(properties, first), name.slice(dot + 1)) : undefined;
}

/** Whether the properties of an event meet every condition. */
export const matchesWhere = (where: readonly Condition[] | undefined, properties: unknown): boolean =>
  (where ?? []).every((condition) => matchesValue(condition, propertyOf(properties, condition.property)));

/** The number that an aggregate takes of an event; undefined if the property has none. */
export function aggregatedNumber(properties: unknown, { property, reading }: Pick<LeafOf<'aggregate'>, 'property' | 'reading'>): number | undefined {
  const value = propertyOf(properties, property);
  return reading === 1 && typeof value !== 'number' ? undefined : numberIn(value);
}

/** Of no values `sum` and `distinct_count` are 0, the others null. The result does not depend on the order of the values. */
export function aggregateOf(what: AggregateFunction, values: readonly number[]): number | null {
  // Sums of floating-point numbers depend on their order.
  const ordered = [...values].sort((a, b) => a - b);
  const sum = ordered.reduce((total, value) => total + value, 0);
  switch (what) {
    case 'sum':
      return sum;
    case 'distinct_count':
      return new Set(ordered).size;
    case 'avg':
      return ordered.length === 0 ? null : sum / ordered.length;
    case 'min':
      return ordered[0] ?? null;
    case 'max':
      return ordered.at(-1) ?? null;
    default:
      return what satisfies never;
  }
}

// Windows

/** Whether the time of an event is in a window at a moment. Without a window, everything up to the moment is. */
export function isInWindow(window: Window | undefined, time: number, now: number): boolean {
  if (time > now) return false;
  if (!window) return true;
  if ('last' in window) return time > now - msOf(window.last);
  if ('since' in window) return time >= Date.parse(window.since);
  if ('between' in window) return time >= Date.parse(window.between[0] as string) && time <= Date.parse(window.between[1] as string);
  return time > now - msOf(window.from) && time <= now - msOf(window.to);
}

/** The milliseconds of a duration that was validated. */
export function msOf(duration: string): number {
  const ms = ruleDurationMs(duration);
  if (ms === null) throw new Error(`${duration} is no duration`);
  return ms;
}

// Places

const EARTH_RADIUS_KM = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Whether a value `{ latitude, longitude }` lies within a circle. The distance is that on a sphere; its edge is inside. */
export function isWithinRadius({ latitude, longitude, radius_km }: LeafOf<'geo'>['within'], stored: unknown): boolean {
  if (!isObject(stored) || !isDegree(stored.latitude, 90) || !isDegree(stored.longitude, 180)) return false;
  const up = Math.sin(radians(stored.latitude - latitude) / 2);
  const across = Math.sin(radians(stored.longitude - longitude) / 2);
  const chord = up * up + Math.cos(radians(latitude)) * Math.cos(radians(stored.latitude)) * across * across;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord))) <= radius_km;
}

const isDegree = (value: unknown, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most;

// Samples

/** `bucket`: 0 to 9,999, by the contact and the salt. */
export const isSampled = (percent: number, bucket: number): boolean => bucket < percent * 100;
