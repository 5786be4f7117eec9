/** What the models need of a customer's purchases. A unit of time is a day: purchases of one day count as one. */
import type { Buyer } from './purchase-model.js';

/** A purchase, at a whole number of days since any fixed day. */
export interface Purchase {
  readonly day: number;
  /** Null if the event had no numeric value. */
  readonly value: number | null;
}

/** A customer as of a day, and their spending. */
export interface PurchaseSummary extends Buyer {
  /** Total value of the repeat purchases, of which all have a value; otherwise null. */
  readonly repeatValue: number | null;
  /** Total value of all purchases that have one. */
  readonly value: number;
}

/** Sums purchases up, in any order, as they were known at the end of `today`. Null without a purchase by then. */
export function summarize(purchases: readonly Purchase[], today: number): PurchaseSummary | null {
  const days = new Map<number, number | null>();
  for (const { day, value } of purchases) {
    if (day > today) continue;
    const sum = days.get(day);
    days.set(day, sum === undefined ? value : sum === null || value === null ? null : sum + value);
  }
  if (days.size === 0) return null;
  const first = Math.min(...days.keys());
  const last = Math.max(...days.keys());
  const repeats = [...days].filter(([day]) => day !== first).map(([, value]) => value);
  return {
    x: days.size - 1,
    t_x: last - first,
    T: today - first,
    repeatValue: repeats.some((value) => value === null) ? null : repeats.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    value: [...days.values()].reduce<number>((sum, value) => sum + (value ?? 0), 0),
  };
}
