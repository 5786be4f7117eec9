/** How the values of a score are spread over the contacts of an account. */
export interface Distribution {
  /** Upper ends of the bands low and medium: terciles. Null without values. */
  readonly bounds: { readonly low: number; readonly medium: number } | null;
  /** The 0th to the 100th percentile; empty without values. */
  readonly percentiles: readonly number[];
}

const PERCENTILES = 100;

export function distributionOf(values: readonly number[]): Distribution {
  if (values.length === 0) return { bounds: null, percentiles: [] };
  const sorted = [...values].sort((a, b) => a - b);
  return {
    bounds: { low: quantile(sorted, 1 / 3), medium: quantile(sorted, 2 / 3) },
    percentiles: Array.from({ length: PERCENTILES + 1 }, (_, i) => quantile(sorted, i / PERCENTILES)),
  };
}

/** Of sorted values: one of them. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;

/** 0 without values. */
export const median = (values: readonly number[]): number =>
  values.length === 0
    ? 0
    : quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );
