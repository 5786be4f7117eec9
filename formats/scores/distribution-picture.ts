import type { Distribution } from '../../domain/scores/distribution.js';
import { px } from '../journeys/graph-picture.js';
import { axisOf, numberText, percentText } from './axes.js';
import { axes, chart, emptyChart, lineBetween, planeOf, textAt } from './chart.js';

export interface DistributionDrawn extends Distribution {
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

/** The share of contacts with a value up to `value`, between the percentiles. */
function shareUpTo(value: number, percentiles: readonly number[]): number {
  const last = percentiles.length - 1;
  const above = percentiles.findIndex((one) => one > value);
  if (above < 0) return 1;
  if (above === 0) return 0;
  const [low, high] = [percentiles[above - 1] as number, percentiles[above] as number];
  return (above - 1 + (value - low) / (high - low)) / last;
}

/** How many contacts have which value, with the bounds of the bands. */
export function distributionPicture({ title, subtitle, unit, percentiles, bounds, reason }: DistributionDrawn): string {
  const [least, greatest] = [percentiles[0], percentiles[Math.min(SHOWN_PERCENTILE, percentiles.length - 1)]];
  if (least === undefined || greatest === undefined) return emptyChart(title, reason);
  const x = axisOf(Math.min(0, least), greatest, 6);
  const width = (x.to - x.from) / BARS;
  const bars = Array.from({ length: BARS }, (_, i) => {
    const from = x.from + i * width;
    const below = i === 0 ? 0 : shareUpTo(from, percentiles);
    const upTo = i === BARS - 1 ? x.to : from + width;
    return { from, share: Math.max(0, shareUpTo(upTo, percentiles) - below) };
  });
  const y = axisOf(0, Math.max(...bars.map(({ share }) => share)));
  const plane = planeOf(x, y);
  const drawn = bars.map(({ from, share }) => {
    const [left, top] = [plane.x(from), plane.y(share)];
    const size = `width="${px(plane.x(from + width) - left)}" height="${px(plane.y(0) - top)}"`;
    return `<rect class="bar" x="${px(left)}" y="${px(top)}" ${size}><title>${numberText(from)} to ${numberText(from + width)}: ${percentText(share)}</title></rect>`;
  });
  return chart(title, subtitle, [
    ...axes(x, y, { x: unit, y: 'Share of contacts', tickX: numberText, tickY: percentText }),
    ...drawn,
    ...(bounds
      ? [
          ...[bounds.low, bounds.medium].map((bound) => lineBetween('other', plane.x(bound), plane.y(y.to), plane.x(bound), plane.y(0))),
          textAt('note', 24, 66, `Bands: low up to ${numberText(bounds.low)}, medium up to ${numberText(bounds.medium)}, high above`),
        ]
      : []),
  ]);
}
