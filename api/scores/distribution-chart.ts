import type { Distribution } from '../../domain/scores/distribution.js';
import { type Chart, chartOf, color, emptyChart, numberAxis, numberText, percentText, shareAxis } from '../../formats/scores/chart.js';

export interface DistributionShown extends Distribution {
  readonly title: string;
  readonly subtitle: string;
  /** `Probability`, `EUR`. */
  readonly unit: string;
  /** Where there are no values. */
  readonly reason: string;
}

const BARS = 24;
/** A few large values would leave no room for the others: what is above this percentile is left out. */
const SHOWN_PERCENTILE = 99;
/** Values that differ by less are one. */
const SMALLEST = 1e-9;

/** The share of contacts with a value up to `value`, between the percentiles. */
function shareUpTo(value: number, percentiles: readonly number[]): number {
  const last = percentiles.length - 1;
  const above = percentiles.findIndex((one) => one > value);
  if (above < 0) return 1;
  if (above === 0) return 0;
  const [low, high] = [percentiles[above - 1] as number, percentiles[above] as number];
  return (above - 1 + (value - low) / (high - low)) / last;
}

/** Bars of equal width from the least value, or from 0, to the greatest that is shown. */
function barsOf(percentiles: readonly number[], least: number, greatest: number) {
  const from = Math.min(0, least);
  const span = greatest - from > SMALLEST ? greatest - from : Math.max(Math.abs(greatest), 1);
  const width = span / BARS;
  return Array.from({ length: BARS }, (_, i) => {
    const [start, end] = [from + i * width, from + (i + 1) * width];
    const below = i === 0 ? 0 : shareUpTo(start, percentiles);
    // Rounding must not leave out the greatest.
    const share = Math.max(0, shareUpTo(i === BARS - 1 ? Math.max(end, greatest) : end, percentiles) - below);
    return { start, end, share, zero: 0, text: `${numberText(start)} to ${numberText(end)}: ${percentText(share)}` };
  });
}

const field = (name: string) => ({ field: name, type: 'quantitative' });

/** How many contacts have which value, with the bounds of the bands. */
export function distributionChart({ title, subtitle, unit, percentiles, bounds, reason }: DistributionShown): Chart {
  const [least, greatest] = [percentiles[0], percentiles[Math.min(SHOWN_PERCENTILE, percentiles.length - 1)]];
  if (least === undefined || greatest === undefined) return emptyChart(title, reason);
  const bars = barsOf(percentiles, least, greatest);
  const x = { ...field('start'), scale: { nice: 6, zero: false }, axis: numberAxis(unit, false) };
  const y = { ...field('share'), scale: { nice: 6 }, axis: shareAxis('Share of contacts', true) };
  const note = bounds ? `Bands: low up to ${numberText(bounds.low)}, medium up to ${numberText(bounds.medium)}, high above` : '';
  return chartOf({ title, lines: [subtitle, note] }, [
    {
      data: { values: bars },
      mark: { type: 'rect', color: color.fill, stroke: color.mark },
      encoding: { x, x2: { field: 'end' }, y, y2: { field: 'zero' }, description: { field: 'text' } },
    },
    ...(bounds
      ? [
          {
            data: { values: [bounds.low, bounds.medium].map((bound) => ({ start: bound })) },
            mark: { type: 'rule', color: color.other, strokeDash: [5, 4], strokeWidth: 1.5 },
            encoding: { x },
          },
        ]
      : []),
  ]);
}
