/** So many points in each period of `ms` milliseconds. */
export interface SharedPeriod {
  readonly points: number;
  readonly ms: number;
}

/** Points of a period, which all nodes take from together. Rejects while the store is away. */
export interface SharedRates {
  /**
   * Takes up to `wanted` points of the current period. `waitMs`: when the next period begins where not all could be taken, else 0.
   * A repeat of a call takes points again.
   */
  take(key: string, wanted: number, period: SharedPeriod): Promise<{ readonly taken: number; readonly waitMs: number }>;
}
