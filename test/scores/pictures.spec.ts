import { expect } from 'chai';
import fc from 'fast-check';
import { distributionOf } from '../../domain/scores/distribution.js';
import { axisOf } from '../../formats/scores/axes.js';
import { distributionPicture } from '../../formats/scores/distribution-picture.js';
import { reliabilityPicture, wilson } from '../../formats/scores/reliability-picture.js';

const about = { title: 'Churn <&>', subtitle: '', note: '', of: 'a purchase', observed: 0.2, unit: 'Probability', reason: 'Nothing to show' };
const numbersOf = (svg: string, attribute: string): number[] =>
  [...svg.matchAll(new RegExp(` ${attribute}="(-?[\\d.]+)"`, 'g'))].map(([, value]) => Number(value));

describe('the picture of reliability', () => {
  it('has each group where it was predicted and observed, with the range of the observation', () => {
    const bins = [
      { n: 100, predicted: 0.1, observed: 0.1 },
      { n: 100, predicted: 0.5, observed: 0.3 },
    ];
    const svg = reliabilityPicture({ ...about, bins });
    const [x, y] = [numbersOf(svg, 'cx'), numbersOf(svg, 'cy')];
    expect(x).to.have.length(2);
    expect((x[1] ?? 0) > (x[0] ?? 0) && (y[1] ?? 0) < (y[0] ?? 0)).to.equal(true);
    expect(svg).to.include('100 contacts: predicted 50%, observed 30%').and.include('Churn &lt;&amp;&gt;').and.include('all: 20%');
    expect(svg)
      .to.include('prefers-color-scheme: dark')
      .and.not.match(/NaN|undefined|<script/);
  });

  it('says why the score is not shown, on a line of its own', () => {
    const svg = reliabilityPicture({ ...about, subtitle: 'AUC', note: 'The score is not shown', bins: [{ n: 9, predicted: 0.1, observed: 0.1 }] });
    expect(svg)
      .to.match(/y="50"[^>]*>AUC</)
      .and.match(/y="66"[^>]*>The score is not shown</);
  });

  it('has the ranges that Wilson published', () => {
    // Newcombe, 1998: 81 of 263, and 0 of 20.
    const [low, high] = wilson(81 / 263, 263);
    expect([low.toFixed(4), high.toFixed(4)]).to.deep.equal(['0.2553', '0.3662']);
    const [none, some] = wilson(0, 20);
    expect([none, some.toFixed(4)]).to.deep.equal([0, '0.1611']);
  });

  it('says why there is nothing to show', () => {
    expect(reliabilityPicture({ ...about, bins: [] })).to.include('Nothing to show');
    expect(distributionPicture({ ...about, bounds: null, percentiles: [] })).to.include('Nothing to show');
  });
});

const amounts = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100);

describe('the picture of a distribution', () => {
  it('has bars of which all together are all shown contacts, inside the picture, whatever the values', () =>
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 300 }), (values) => {
        const svg = distributionPicture({ ...about, ...distributionOf(values) });
        expect(svg).not.to.match(/NaN|undefined|Infinity/);
        const shares = [...svg.matchAll(/: ([\d.]+)%<\/title>/g)].map(([, share]) => Number(share));
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(total).to.be.within(95, 103);
        for (const at of [...numbersOf(svg, 'x'), ...numbersOf(svg, 'x1'), ...numbersOf(svg, 'y')]) expect(at).to.be.within(-1, 641);
      }),
    ));

  it('names the bounds of the bands', () => {
    const values = Array.from({ length: 300 }, (_, i) => i / 300);
    expect(distributionPicture({ ...about, ...distributionOf(values) })).to.include('low up to 0.3333, medium up to 0.6667, high above');
  });
});

describe('an axis', () => {
  it('has round steps around the values', () => {
    expect(axisOf(0, 0.83).ticks).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(axisOf(0, 97, 6).ticks).to.deep.equal([0, 20, 40, 60, 80, 100]);
    expect(axisOf(0, 0).ticks.length).to.be.above(1);
  });
});
