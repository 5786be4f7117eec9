/** A value and the time of the change that set it. Null: the change removed it. */
export interface TimestampedValue<V = unknown> {
  readonly value: V;
  /** RFC 3339 in milliseconds, so that times compare as texts. */
  readonly at: string;
}

/** Chooses between the values of two sides, if both have one and neither was set after they were unified. */
export type ResolveConflict<V> = (left: TimestampedValue<V>, right: TimestampedValue<V>) => TimestampedValue<V>;

export const latest = <S extends TimestampedValue>(left: S, right: S): S => (right.at > left.at ? right : left);

/**
 * Unifies two records. Values set after `unitedAt` apply to both sides: the latest wins. Between values set before, `resolve`
 * decides.
 */
export function unifyRecords<V>(
  left: Readonly<Record<string, TimestampedValue<V>>>,
  right: Readonly<Record<string, TimestampedValue<V>>>,
  unifiedAt: string,
  resolve: ResolveConflict<V>,
): Record<string, TimestampedValue<V>> {
  const unified = new Map(Object.entries(left));
  for (const [name, own] of Object.entries(right)) {
    const other = unified.get(name);
    if (!other) unified.set(name, own);
    else {
      const last = latest(other, own);
      unified.set(name, last.at > unifiedAt ? last : resolve(other, own));
    }
  }
  // Names are the caller's own, `__proto__` and `constructor` among them.
  return Object.fromEntries(unified);
}
