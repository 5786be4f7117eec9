import type { ReliabilityBin } from '../../domain/scores/quality.js';
import { type Chart, chartOf, color, emptyChart, numberText, percentText, shareAxis } from '../../formats/scores/chart.js';

export interface ReliabilityShown {
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

const field = (name: string) => ({ field: name, type: 'quantitative' });

/** How often something was predicted and how often it happened, by groups of equal size: near the diagonal the predictions are right. */
export function reliabilityChart({ title, subtitle, note, of, bins, observed, reason }: ReliabilityShown): Chart {
  if (bins.length === 0) return emptyChart(title, reason);
  const groups = bins.map(({ n, predicted, observed: share }) => {
    const [low, high] = wilson(share, n);
    const text = `${numberText(n)} contacts: predicted ${percentText(predicted)}, observed ${percentText(share)}`;
    return { predicted, observed: share, low, high, text };
  });
  const most = Math.min(1, Math.max(...groups.flatMap(({ predicted, high }) => [predicted, high])));
  const axis = { scale: { domain: [0, most], nice: 6 } };
  const x = { ...field('predicted'), ...axis, axis: shareAxis(`Predicted chance of ${of}`, false) };
  const y = { ...field('observed'), ...axis, axis: shareAxis('Share that did', true) };
  const label = { type: 'text', align: 'right', dx: -4 };
  return chartOf({ title, lines: [subtitle, note] }, [
    {
      data: { values: [0, most].map((share) => ({ predicted: share, observed: share })) },
      mark: { type: 'line', color: color.other, strokeDash: [5, 4], strokeWidth: 1.5 },
      encoding: { x, y },
    },
    {
      data: { values: [{ predicted: most, observed: most }] },
      mark: { ...label, text: 'perfect calibration', color: color.other, dx: -56, dy: 6 },
      encoding: { x, y },
    },
    { data: { values: [{ observed }] }, mark: { type: 'rule', color: color.axis }, encoding: { y } },
    {
      data: { values: [{ predicted: most, observed }] },
      mark: { ...label, text: `all: ${percentText(observed)}`, dy: -8 },
      encoding: { x, y },
    },
    {
      data: { values: groups },
      layer: [
        {
          mark: { type: 'rule', color: color.mark, opacity: 0.6, strokeWidth: 1.5 },
          encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
        { mark: { type: 'line', color: color.mark, strokeWidth: 1.5 }, encoding: { x, y } },
        { mark: { type: 'circle', color: color.mark, size: 64, opacity: 1 }, encoding: { x, y, description: { field: 'text' } } },
      ],
    },
  ]);
}
