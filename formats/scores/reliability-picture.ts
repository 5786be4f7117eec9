import type { ReliabilityBin } from '../../domain/scores/quality.js';
import { px } from '../journeys/graph-picture.js';
import { axisOf, numberText, percentText } from './axes.js';
import { axes, chart, emptyChart, lineBetween, planeOf, textAt } from './chart.js';

export interface ReliabilityDrawn {
  readonly title: string;
  readonly subtitle: string;
  /** A line below it; may be empty. */
  readonly note: string;
  /** What is predicted: `a purchase within 90 days`. */
  readonly of: string;
  readonly bins: readonly ReliabilityBin[];
  /** The share of all for whom it happened. */
  readonly observed: number;
  /** Where there are no groups. */
  readonly reason: string;
}

/** Of a normal distribution: 95 % are within so many standard deviations. */
const Z = 1.96;

/** The range in which the true share lies with a probability of 95 %, by what was observed (Wilson, 1927). */
export function wilson(share: number, n: number): readonly [number, number] {
  const spread = (Z / (1 + Z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const center = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  return [Math.max(0, center - spread), Math.min(1, center + spread)];
}

/** How often something was predicted and how often it happened, by groups of equal size: near the diagonal the predictions are right. */
export function reliabilityPicture({ title, subtitle, note, of, bins, observed, reason }: ReliabilityDrawn): string {
  if (bins.length === 0) return emptyChart(title, reason);
  const groups = bins.map((bin) => ({ ...bin, range: wilson(bin.observed, bin.n) }));
  const axis = axisOf(0, Math.min(1, Math.max(...groups.flatMap(({ predicted, range }) => [predicted, range[1]]))));
  const { x, y } = planeOf(axis, axis);
  const points = groups.map((bin) => ({ ...bin, x: x(bin.predicted), y: y(bin.observed) }));
  return chart(title, subtitle, [
    textAt('note', 24, 66, note),
    ...axes(axis, axis, { x: `Predicted chance of ${of}`, y: 'Share that did', tickX: percentText, tickY: percentText }),
    lineBetween('other', x(axis.from), y(axis.from), x(axis.to), y(axis.to)),
    textAt('note', x(axis.to) - 6, y(axis.to) + 76, 'perfect calibration', 'end'),
    lineBetween('axis', x(axis.from), y(observed), x(axis.to), y(observed)),
    textAt('tick', x(axis.to), y(observed) - 5, `all: ${percentText(observed)}`, 'end'),
    ...points.map(({ x: at, range }) => lineBetween('range', at, y(range[0]), at, y(range[1]))),
    `<polyline class="line" points="${points.map((point) => `${px(point.x)},${px(point.y)}`).join(' ')}"/>`,
    ...points.map(
      (point) =>
        `<circle class="point" cx="${px(point.x)}" cy="${px(point.y)}" r="4.5"><title>${numberText(point.n)} contacts: predicted ${percentText(point.predicted)}, observed ${percentText(point.observed)}</title></circle>`,
    ),
  ]);
}
