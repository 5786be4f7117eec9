/** Values of an axis at round steps, from 0 or below the least to above the greatest. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** Values that differ by less are one. */
const SMALLEST = 1e-9;
const STEPS = [1, 2, 2.5, 5, 10];

/** An axis with about `count` steps. */
export function axisOf(least: number, greatest: number, count = 5): Axis {
  const span = greatest - least > SMALLEST ? greatest - least : Math.max(Math.abs(greatest), 1);
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = power * (STEPS.find((one) => one * power * count >= span) ?? 10);
  const [first, last] = [Math.floor(least / step), Math.ceil((least + span) / step)];
  // Multiples, so that rounding errors do not add up.
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  return { from: ticks[0] as number, to: ticks.at(-1) as number, ticks };
}

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
/** `1,250`, `0.025`. */
export const numberText = (value: number): string => plain.format(value);
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
/** `2.5%`. */
export const percentText = (share: number): string => shares.format(share);
