/** A value and the time of the change that set it. Null: the change removed it. */
export interface Timestamped<V = unknown> {
  readonly value: V;
  /** RFC 3339 in milliseconds, so that times compare as texts. */
  readonly at: string;
}

/** Chooses between the values of two sides, if both have one and neither was set after they were united. */
export type ResolveConflict<V> = (left: Timestamped<V>, right: Timestamped<V>) => Timestamped<V>;

export const latest = <S extends Timestamped>(left: S, right: S): S => (right.at > left.at ? right : left);

/**
 * Unites two records. Values set after `unitedAt` apply to both sides: the latest wins. Between values set before, `resolve`
 * decides.
 */
export function uniteRecords<V>(
  left: Readonly<Record<string, Timestamped<V>>>,
  right: Readonly<Record<string, Timestamped<V>>>,
  unitedAt: string,
  resolve: ResolveConflict<V>,
): Record<string, Timestamped<V>> {
  const united = new Map(Object.entries(left));
  for (const [name, own] of Object.entries(right)) {
    const other = united.get(name);
    if (!other) united.set(name, own);
    else {
      const last = latest(other, own);
      united.set(name, last.at > unitedAt ? last : resolve(other, own));
    }
  }
  // Names are the caller's own, `__proto__` and `constructor` among them.
  return Object.fromEntries(united);
}
