import { expect } from 'chai';
import fc from 'fast-check';
import { backTest } from '../../../domain/scores/back-test.js';
import { type Purchase, summarize } from '../../../domain/scores/purchase-history.js';
import { auc, brier, calibrationError, type PredictionOutcome, passesGate, reliability } from '../../../domain/scores/quality.js';
import { cdnow, dayOf } from '../../scores/cdnow.js';
import { plainFigures } from '../../scores/reference-figures.js';

const outcomes = (...pairs: readonly [predicted: number, happened: 0 | 1][]): PredictionOutcome[] =>
  pairs.map(([predicted, happened]) => ({ predicted, happened: happened === 1 }));

describe('the back-test of scores', () => {
  it('shows the model of purchases over the CDNOW sample: better than recency by the published figures', () => {
    const test = backTest('mbg-nbd', cdnow().values(), dayOf('1997-09-30') + 90, 90);
    expect(test?.quality.n).to.equal(2357);
    expect(test?.quality.brier).to.be.at.most(0.11);
    expect(test?.quality.brier_recency).to.be.closeTo(0.1173, 5e-4);
    expect(test?.quality.auc).to.be.at.least(0.785);
    expect(test?.quality.lift_quality).to.be.closeTo(2 * (test?.quality.auc ?? 0) - 1, 1e-12);
    // It forecasts 16 % too few purchases, so that the account's factor is 1.19.
    expect(test?.actualByExpected).to.be.closeTo(1.19, 0.01);
    expect(test && passesGate(test.quality)).to.equal(true);
  });

  it('finds the figures that a separate computation finds, over any window', () => {
    const customers = [...cdnow().values()];
    const days = customers.map((purchases) => purchases.map(({ day }) => day));
    for (const [end, horizon] of [
      ['1998-06-30', 90],
      ['1997-12-31', 30],
    ] as const) {
      const test = backTest('mbg-nbd', customers, dayOf(end), horizon);
      for (const [figure, value] of Object.entries(plainFigures(days, dayOf(end), horizon, test?.fit.parameters)))
        expect(test?.quality[figure as 'brier'], figure).to.be.closeTo(value, 1e-12);
      const apart = plainFigures(days, dayOf(end), horizon);
      expect(test?.quality.brier).to.be.closeTo(apart.brier, 1e-5);
      expect(test?.quality.mean_predicted).to.be.closeTo(apart.mean_predicted, 1e-5);
    }
  });

  it('refuses to show a model of purchases that follow no pattern', () => {
    const uniform = lcg(5);
    const customers = Array.from({ length: 600 }, (): Purchase[] => {
      const count = 1 + Math.floor(uniform() * 4);
      return Array.from({ length: count }, () => ({ day: Math.floor(uniform() * 365), value: 10 }));
    });
    const test = backTest('mbg-nbd', customers, 364, 90);
    expect(test && passesGate(test.quality)).to.equal(false);
  });

  it('has nothing to say about an account without customers before the window', () => {
    expect(backTest('mbg-nbd', [[{ day: 360, value: 1 }]], 364, 90)).to.equal(null);
  });
});

describe('the figures of quality', () => {
  it('are those of textbooks', () => {
    const known = outcomes([0.9, 1], [0.8, 1], [0.7, 0], [0.6, 1], [0.3, 0], [0.2, 0]);
    expect(auc(known)).to.be.closeTo(8 / 9, 1e-12);
    expect(brier(known)).to.be.closeTo((0.01 + 0.04 + 0.49 + 0.16 + 0.09 + 0.04) / 6, 1e-12);
    expect(auc(outcomes([0.5, 1], [0.5, 0]))).to.equal(0.5);
    expect(auc(outcomes([0.5, 1], [0.6, 1]))).to.equal(null);
  });

  it('group people by rising prediction, each person once', () => {
    const one = fc.record({ predicted: fc.double({ min: 0, max: 1, noNaN: true }), happened: fc.boolean() });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 60 }), (all) => {
        const bins = reliability(all);
        expect(bins.reduce((n, bin) => n + bin.n, 0)).to.equal(all.length);
        for (const [i, { predicted }] of bins.entries()) if (i > 0) expect(predicted).to.be.at.least((bins[i - 1]?.predicted ?? 0) - 1e-12);
        expect(calibrationError(all)).to.be.within(0, 1);
      }),
    );
  });

  it('pass the gate with a lower error, a ranking that is not worse and a small bias, and not otherwise', () => {
    const good = {
      auc: 0.8,
      auc_recency: 0.79,
      brier: 0.1,
      brier_recency: 0.11,
      ece: 0,
      lift_quality: 0.6,
      mean_predicted: 0.15,
      observed: 0.17,
      n: 500,
    };
    expect(passesGate(good)).to.equal(true);
    expect(passesGate({ ...good, brier: 0.109 })).to.equal(false);
    expect(passesGate({ ...good, auc: 0.775 })).to.equal(false);
    expect(passesGate({ ...good, mean_predicted: 0.22 })).to.equal(false);
    expect(passesGate({ ...good, auc: null })).to.equal(false);
  });
});

describe('the summary of purchases', () => {
  it('counts the purchases of a day once, and leaves out what came later', () => {
    const purchases = [
      { day: 20, value: 5 },
      { day: 10, value: 7 },
      { day: 20, value: 6 },
      { day: 40, value: 1 },
    ];
    expect(summarize(purchases, 30)).to.deep.equal({ x: 1, t_x: 10, T: 20, repeatValue: 11, value: 18 });
    expect(summarize(purchases, 40)).to.deep.equal({ x: 2, t_x: 30, T: 30, repeatValue: 12, value: 19 });
    expect(summarize(purchases, 9)).to.equal(null);
  });

  it('knows no mean value where a purchase has none', () => {
    const purchases = [
      { day: 1, value: 5 },
      { day: 2, value: null },
    ];
    expect(summarize(purchases, 5)?.repeatValue).to.equal(null);
  });
});

/** Numbers from 0 to below 1 of a seed. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
