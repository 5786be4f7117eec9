import { expect } from 'chai';
import fc from 'fast-check';
import { type DistributionShown, distributionChart } from '../../api/scores/distribution-chart.js';
import { type ReliabilityShown, reliabilityChart, wilson } from '../../api/scores/reliability-chart.js';
import { distributionOf } from '../../domain/scores/distribution.js';
import { drawChart } from '../../formats/scores/draw-chart.js';
import { createCharts } from '../../ops/app/threads/charts.js';
import { createClock } from '../../ops/system/clock.js';

const about = { title: 'Churn <&>', subtitle: '', note: '', of: 'a purchase', observed: 0.2, unit: 'Probability', reason: 'Nothing to show' };
const reliability = (shown: Partial<ReliabilityShown>) => drawChart(reliabilityChart({ ...about, bins: [], ...shown }));
const distribution = (shown: Partial<DistributionShown>) => drawChart(distributionChart({ ...about, bounds: null, percentiles: [], ...shown }));

describe('the picture of reliability', () => {
  it('has each group where it was predicted and observed, with the range of the observation', async () => {
    const bins = [
      { n: 100, predicted: 0.1, observed: 0.1 },
      { n: 100, predicted: 0.5, observed: 0.3 },
    ];
    const svg = await reliability({ bins });
    const points = [...svg.matchAll(/aria-label="100 contacts: [^>]*transform="translate\(([\d.]+),([\d.]+)\)"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(points).to.have.length(2);
    const [[x1, y1], [x2, y2]] = points as [[number, number], [number, number]];
    expect(x2 > x1 && y2 < y1).to.equal(true);
    expect(svg).to.include('100 contacts: predicted 50%, observed 30%').and.include('Churn &lt;&amp;&gt;').and.include('all: 20%');
    expect(svg).not.to.match(/NaN|undefined|<script|href="http/);
  });

  it('has its colors from the style, which knows light and dark', async () => {
    const svg = await reliability({ bins: [{ n: 9, predicted: 0.1, observed: 0.1 }] });
    const [, style = '', rest = ''] = /<style>(.*)<\/style>(.*)$/s.exec(svg) ?? [];
    expect(style).to.include('prefers-color-scheme: dark');
    const used = new Set([...rest.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, color = '']) => color));
    expect([...used].filter((color) => !/^var\(--\w+\)$|^none$|^transparent$/.test(color))).to.deep.equal([]);
    for (const color of used) if (color.startsWith('var')) expect(style.split(`${color.slice(4, -1)}: #`), color).to.have.length(3);
  });

  it('says why the score is not shown, on a line of its own', async () => {
    const svg = await reliability({ subtitle: 'AUC', note: 'The score is not shown', bins: [{ n: 9, predicted: 0.1, observed: 0.1 }] });
    expect(svg)
      .to.match(/>AUC</)
      .and.match(/>The score is not shown</);
  });

  it('has the ranges that Wilson published', () => {
    // Newcombe, 1998: 81 of 263, and 0 of 20.
    const [low, high] = wilson(81 / 263, 263);
    expect([low.toFixed(4), high.toFixed(4)]).to.deep.equal(['0.2553', '0.3662']);
    const [none, some] = wilson(0, 20);
    expect([none, some.toFixed(4)]).to.deep.equal([0, '0.1611']);
  });

  it('says why there is nothing to show', async () => {
    expect(await reliability({})).to.include('Nothing to show');
    expect(await distribution({})).to.include('Nothing to show');
  });
});

const amounts = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100);

describe('the picture of a distribution', () => {
  it('has bars of which all together are all shown contacts, inside the picture, whatever the values', () =>
    fc.assert(
      fc.asyncProperty(fc.array(amounts, { minLength: 1, maxLength: 300 }), async (values) => {
        const svg = await distribution(distributionOf(values));
        expect(svg).not.to.match(/NaN|undefined|Infinity/);
        const bars = [...svg.matchAll(/aria-label="[^"]*: ([\d.]+)%"[^>]* d="M([-\d.]+),([-\d.]+)h([-\d.]+)v([-\d.]+)/g)].map((bar) =>
          bar.slice(1).map(Number),
        );
        expect(bars.reduce((sum, [share = 0]) => sum + share, 0)).to.be.within(95, 103);
        for (const [, x = 0, y = 0, width = 0, height = 0] of bars) for (const at of [x, x + width, y, y + height]) expect(at).to.be.within(-1, 641);
      }),
      { numRuns: 30 },
    ));

  it('names the bounds of the bands', async () => {
    const values = Array.from({ length: 300 }, (_, i) => i / 300);
    expect(await distribution(distributionOf(values))).to.include('low up to 0.3333, medium up to 0.6667, high above');
  });
});

describe('pictures', () => {
  const chart = (n: number) => reliabilityChart({ ...about, title: `Chart ${n}`, bins: [{ n, predicted: 0.1, observed: 0.1 }] });

  it('are drawn in a thread, each its own, however many are asked for at once', async () => {
    const draw = createCharts(createClock());
    const drawn = await Promise.all([1, 2, 3].map((n) => draw(chart(n))));
    expect(drawn).to.deep.equal(await Promise.all([1, 2, 3].map((n) => drawChart(chart(n)))));
  });

  it('fail where one cannot be drawn, and the next ones are drawn again', async () => {
    const draw = createCharts(createClock());
    const failed = await draw({ title: { text: 'x' }, mark: 'no such mark' }).catch((e: Error) => e.message);
    expect(failed).to.equal('the chart could not be drawn');
    expect(await draw(chart(1))).to.match(/^<svg/);
  });
});
