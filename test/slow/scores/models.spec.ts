import { expect } from 'chai';
import fc from 'fast-check';
import { fitPurchases, fitSpend } from '../../../domain/scores/fit.js';
import { minimize } from '../../../domain/scores/nelder-mead.js';
import { type PurchaseSummary, summarize } from '../../../domain/scores/purchase-history.js';
import {
  type Buyer,
  expectedOfNewCustomer,
  expectedPurchases,
  logLikelihood,
  nextPurchaseQuantile,
  type PurchaseModel,
  type PurchaseParameters,
  probabilityAlive,
  probabilityOfPurchase,
} from '../../../domain/scores/purchase-model.js';
import { logGamma } from '../../../domain/scores/special-functions.js';
import { expectedSpend } from '../../../domain/scores/spend-model.js';
import { cdnow, dayOf } from '../../scores/cdnow.js';
import {
  bgCountProbability,
  fitPareto,
  nbdLogLikelihood,
  type ParetoParameters,
  paretoAlive,
  paretoExpected,
} from '../../scores/reference-models.js';
import { purchasesOf, simulatedBuyers } from '../../scores/simulated-buyers.js';

const BG: PurchaseParameters = { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426 };
const MBG: PurchaseParameters = { r: 0.525, alpha: 6.183, a: 0.891, b: 1.614 };
const PARETO: ParetoParameters = { r: 0.553, alpha: 10.578, s: 0.606, beta: 11.669 };
const WEEK = 7;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [sum(a) / a.length, sum(b) / b.length];
  const products = (x: readonly number[], meanX: number, y: readonly number[], meanY: number) =>
    sum(x.map((value, i) => (value - meanX) * ((y[i] as number) - meanY)));
  return products(a, meanA, b, meanB) / Math.sqrt(products(a, meanA, a, meanA) * products(b, meanB, b, meanB));
}

describe('models of purchases over the CDNOW sample', () => {
  const today = dayOf('1997-09-30');
  const customers = [...cdnow().values()];
  const summaries = customers.map((purchases) => summarize(purchases, today) as PurchaseSummary);
  const buyers: Buyer[] = summaries.map(({ x, t_x, T }) => ({ x, t_x: t_x / WEEK, T: T / WEEK }));
  /** Repeat purchases in weeks 40 to 78. */
  const later = customers.map(
    (purchases) => new Set(purchases.filter(({ day }) => day > today && day <= today + 39 * WEEK).map(({ day }) => day)).size,
  );

  it('have the published parameters and likelihoods', () => {
    const bg = fitPurchases('bg-nbd', buyers);
    for (const name of ['r', 'alpha', 'a', 'b'] as const) expect(bg.parameters[name], name).to.be.closeTo(BG[name], 0.01);
    expect(bg.logLikelihood).to.be.closeTo(-9582.4, 0.1);
    const mbg = fitPurchases('mbg-nbd', buyers);
    for (const name of ['r', 'alpha', 'a', 'b'] as const) expect(mbg.parameters[name], name).to.be.closeTo(MBG[name], 0.001);
    expect(mbg.logLikelihood).to.be.closeTo(-9582.1, 0.1);
    expect(mbg.n).to.equal(2357);
  });

  it('have the published parameters and likelihoods in the reference models of the tests', () => {
    const nbd = minimize(
      ([r = 0, alpha = 0]) => -sum(buyers.map((buyer) => nbdLogLikelihood({ r: Math.exp(r), alpha: Math.exp(alpha) }, buyer))),
      [0, 2],
    );
    expect(nbd.point.map(Math.exp)[0]).to.be.closeTo(0.3848, 0.01);
    expect(nbd.point.map(Math.exp)[1]).to.be.closeTo(12.072, 0.01);
    expect(-nbd.value).to.be.closeTo(-9763.7, 0.1);
    const pareto = fitPareto(buyers);
    for (const name of ['r', 'alpha', 's', 'beta'] as const) expect(pareto.parameters[name], name).to.be.closeTo(PARETO[name], 0.01);
    expect(pareto.logLikelihood).to.be.closeTo(-9595.0, 0.1);
  });

  it('have the published expectations', () => {
    const fitted = fitPurchases('bg-nbd', buyers).parameters;
    const published = [0.0078, 0.0532, 0.1506, 1.0405, 1.0437, 1.8576];
    for (const [i, t] of [0.1429, 1, 3, 31.8571, 32, 78].entries())
      expect(expectedOfNewCustomer('bg-nbd', fitted, t), `${t}`).to.be.closeTo(published[i] as number, 5e-4);
    expect(expectedPurchases('bg-nbd', BG, { x: 2, t_x: 30.43, T: 38.86 }, 39)).to.be.closeTo(1.226, 0.001);
    // Without a first purchase of its own, nothing is bought in a period with the probability of the gamma mixture.
    expect(1 - probabilityOfPurchase('bg-nbd', BG, { x: 0, t_x: 0, T: 0 }, 39)).to.be.closeTo(0.5737864, 1e-5);
    expect(paretoAlive(PARETO, { x: 26, t_x: 30.86, T: 31 })).to.be.closeTo(0.9979, 1e-4);
    expect(paretoExpected(PARETO, { x: 26, t_x: 30.86, T: 31 }, 52)).to.be.closeTo(25.46, 0.01);
    // Two customers who are alike have expectations that are alike: sums of small numbers would underflow here.
    const often = { r: 0.55, alpha: 10.58, s: 0.61, beta: 11.67 };
    expect(paretoExpected(often, { x: 132, t_x: 200, T: 200 }, 10)).to.be.closeTo(6.20605, 1e-5);
    expect(paretoExpected(often, { x: 133, t_x: 200, T: 200 }, 10)).to.be.closeTo(6.25287, 1e-5);
  });

  it('have the published shares of customers by number of purchases', () => {
    const published = [0.0019995, 0.001517, 0.0011633, 0.0009003, 0.0007024, 0.0005518, 0.0004362, 0.0003467, 0.000277, 0.0002222];
    for (const [i, share] of published.entries()) expect(bgCountProbability(BG, 11 + i, 30), `${11 + i}`).to.be.closeTo(share, 1e-7);
    expect(bgCountProbability(BG, 10, 2)).to.be.closeTo(1.07869e-7, 1e-12);
    expect(bgCountProbability(BG, 0, 39)).to.be.closeTo(1 - probabilityOfPurchase('bg-nbd', BG, { x: 0, t_x: 0, T: 0 }, 39), 1e-12);
    const all = Array.from({ length: 400 }, (_, n) => bgCountProbability(BG, n, 30));
    expect(sum(all)).to.be.closeTo(1, 1e-9);
    // The shares and the expectation are two formulas of one model.
    expect(sum(all.map((share, n) => n * share))).to.be.closeTo(expectedOfNewCustomer('bg-nbd', BG, 30), 1e-6);
  });

  it('have the published correlation and totals with what was bought in the following 39 weeks', () => {
    const forecast = (model: PurchaseModel, parameters: PurchaseParameters) => buyers.map((buyer) => expectedPurchases(model, parameters, buyer, 39));
    const [bg, mbg] = [forecast('bg-nbd', BG), forecast('mbg-nbd', MBG)];
    const pareto = buyers.map((buyer) => paretoExpected(PARETO, buyer, 39));
    expect(sum(later)).to.equal(1882);
    expect(correlation(pareto, later)).to.be.closeTo(0.6302, 5e-4);
    expect(sum(pareto)).to.be.closeTo(1666, 5);
    expect(correlation(bg, later)).to.be.closeTo(0.6256, 5e-4);
    expect(correlation(mbg, later)).to.be.closeTo(0.6273, 5e-4);
    expect(sum(bg)).to.be.closeTo(1653, 5);
    expect(sum(mbg)).to.be.closeTo(1577, 5);
  });

  it('have the published model of spending', () => {
    const spenders = summaries
      .filter(({ x, repeatValue }) => x > 0 && repeatValue !== null)
      .map(({ x, repeatValue }) => ({ x, mean: (repeatValue as number) / x }));
    expect(spenders).to.have.length(946);
    const { parameters, logLikelihood: likelihood } = fitSpend(spenders);
    expect(parameters.p).to.be.closeTo(6.25, 0.01);
    expect(parameters.q).to.be.closeTo(3.74, 0.01);
    expect(parameters.v).to.be.closeTo(15.44, 0.01);
    expect(likelihood).to.be.closeTo(-4055.9, 0.1);
    const published = { p: 6.25, q: 3.74, v: 15.44 };
    const means = summaries
      .slice(0, 10)
      .map(({ x, repeatValue }) => expectedSpend(published, { x, mean: x === 0 ? 0 : (repeatValue as number) / x }));
    const expected = [24.65, 18.91, 35.17, 35.17, 35.17, 71.46, 18.91, 35.17, 27.28, 35.17];
    for (const [i, value] of means.entries()) expect(value, `${i}`).to.be.closeTo(expected[i] as number, 0.05);
  });

  it('have the same likelihood by customer and by group, and for parts of all', () => {
    const fitted = fitPurchases('mbg-nbd', buyers);
    expect(sum(buyers.map((buyer) => logLikelihood('mbg-nbd', fitted.parameters, buyer)))).to.be.closeTo(fitted.logLikelihood, 1e-6);
    const twice = fitPurchases('mbg-nbd', [...buyers, ...buyers]);
    expect(twice.logLikelihood).to.be.closeTo(2 * fitted.logLikelihood, 1e-3);
    expect(twice.parameters.alpha).to.be.closeTo(fitted.parameters.alpha, 1e-3);
  });

  it('do not depend on the unit of time', () => {
    const slower = buyers.map(({ x, t_x, T }) => ({ x, t_x: 10 * t_x, T: 10 * T }));
    const [inWeeks, inTenths] = [fitPurchases('mbg-nbd', buyers).parameters, fitPurchases('mbg-nbd', slower).parameters];
    for (const [i, buyer] of buyers.slice(0, 200).entries())
      expect(probabilityAlive('mbg-nbd', inTenths, slower[i] as Buyer)).to.be.closeTo(probabilityAlive('mbg-nbd', inWeeks, buyer), 1e-4);
  });
});

describe('models of purchases', () => {
  it('are probabilities for every customer', () => {
    const time = fc.double({ min: 0, max: 100, noNaN: true });
    const buyer = fc.tuple(fc.nat({ max: 100 }), time, time).map(([x, a, b]): Buyer => ({ x, t_x: x === 0 ? 0 : Math.min(a, b), T: Math.max(a, b) }));
    fc.assert(
      fc.property(fc.constantFrom<PurchaseModel>('bg-nbd', 'mbg-nbd'), buyer, fc.double({ min: 0, max: 500, noNaN: true }), (model, one, horizon) => {
        const parameters = model === 'bg-nbd' ? BG : MBG;
        expect(probabilityAlive(model, parameters, one)).to.be.within(0, 1);
        expect(probabilityOfPurchase(model, parameters, one, horizon)).to.be.within(0, 1);
        expect(expectedPurchases(model, parameters, one, horizon)).to.be.at.least(-1e-12).and.finite;
      }),
      { numRuns: 1_000 },
    );
  });

  it('stay finite for customers with a thousand purchases, and at a = 1', () => {
    const often = { x: 1000, t_x: 99, T: 100 };
    for (const horizon of [0.1, 39, 520]) {
      const expected = expectedPurchases('mbg-nbd', MBG, often, horizon);
      expect(expected).to.be.finite.and.above(0);
      expect(expectedPurchases('mbg-nbd', { ...MBG, a: 1 }, often, horizon)).to.be.finite.and.above(0);
    }
    expect(probabilityAlive('bg-nbd', BG, { x: 1000, t_x: 10, T: 100 })).to.equal(0);
    expect(expectedPurchases('bg-nbd', BG, { x: 1000, t_x: 10, T: 100 }, 520)).to.equal(0);
  });

  it('take the gamma function to twelve digits', () => {
    // Values of ln(n!) summed up, and ln(sqrt(pi)).
    for (const n of [1, 2, 10, 100, 1_000]) {
      const factorial = sum(Array.from({ length: n }, (_, i) => Math.log(i + 1)));
      expect(logGamma(n + 1)).to.be.closeTo(factorial, 1e-12 * Math.max(1, factorial));
    }
    expect(logGamma(0.5)).to.be.closeTo(Math.log(Math.sqrt(Math.PI)), 1e-13);
    expect(logGamma(0.01)).to.be.closeTo(4.599479878042022, 1e-12);
  });

  it('say that somebody who bought once is less and less likely to return', () => {
    const ages = [1, 7, 30, 90, 180, 365, 730];
    const churn = ages.map((T) => 1 - probabilityOfPurchase('mbg-nbd', { ...MBG, alpha: MBG.alpha * WEEK }, { x: 0, t_x: 0, T }, 90));
    for (const [i, value] of churn.slice(1).entries()) expect(value).to.be.above(churn[i] as number);
  });

  it('expect the next purchase later the less often somebody bought', () => {
    const [p25, median, p75] = [0.25, 0.5, 0.75].map((share) => nextPurchaseQuantile(MBG, { x: 5, t_x: 30, T: 31 }, share)) as [
      number,
      number,
      number,
    ];
    expect(p25).to.be.below(median);
    expect(median).to.be.below(p75);
    expect(nextPurchaseQuantile(MBG, { x: 2, t_x: 30, T: 31 }, 0.5)).to.be.above(median);
  });

  it('find the parameters from which customers were simulated', () => {
    const truth: PurchaseParameters = { r: 0.6, alpha: 40, a: 0.9, b: 2 };
    const buyers = simulatedBuyers(5_000, truth, 7).map((buyer) => summarize(purchasesOf(buyer), 364) as Buyer);
    const { parameters } = fitPurchases('mbg-nbd', buyers);
    const errors = standardErrors(parameters, buyers);
    for (const name of ['r', 'alpha', 'a', 'b'] as const)
      expect(Math.abs(Math.log(parameters[name] / truth[name])), `${name}: ${parameters[name]}`).to.be.below(3 * errors[name]);
  });
});

/** Standard errors of the logarithms of the parameters, by the second derivatives of the likelihood. */
function standardErrors(parameters: PurchaseParameters, buyers: readonly Buyer[]): PurchaseParameters {
  const names = ['r', 'alpha', 'a', 'b'] as const;
  const step = 1e-3;
  const at = (shifts: readonly number[]): number => {
    const moved = Object.fromEntries(
      names.map((name, i) => [name, parameters[name] * Math.exp((shifts[i] ?? 0) * step)]),
    ) as unknown as PurchaseParameters;
    return -sum(buyers.map((buyer) => logLikelihood('mbg-nbd', moved, buyer)));
  };
  const unit = (i: number, by: number): number[] => names.map((_, j) => (i === j ? by : 0));
  const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value + (b[i] as number));
  const hessian = names.map((_, i) =>
    names.map((__, j) => {
      const [up, down] = [unit(i, 1), unit(i, -1)];
      const [right, left] = [unit(j, 1), unit(j, -1)];
      return (at(plus(up, right)) - at(plus(up, left)) - at(plus(down, right)) + at(plus(down, left))) / (4 * step * step);
    }),
  );
  const variances = inverse(hessian);
  return Object.fromEntries(names.map((name, i) => [name, Math.sqrt(variances[i]?.[i] as number)])) as unknown as PurchaseParameters;
}

/** By Gauss and Jordan. */
function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const rows = matrix.map((row, i) => [...row, ...matrix.map((_, j) => Number(i === j))]);
  for (const [i, row] of rows.entries()) {
    const pivot = row[i] as number;
    for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) / pivot;
    for (const [k, other] of rows.entries()) {
      const factor = other[i] as number;
      if (k !== i) for (let j = 0; j < other.length; j++) other[j] = (other[j] as number) - factor * (row[j] as number);
    }
  }
  return rows.map((row) => row.slice(matrix.length));
}
