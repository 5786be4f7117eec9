/** Fits the models of purchases and of spending to customers: maximum likelihood. */
import { minimize } from './nelder-mead.js';
import { type Buyer, likelihoodOfCount, logLikelihood, type PurchaseModel, type PurchaseParameters } from './purchase-model.js';
import { type Spender, type SpendParameters, spendLogLikelihood } from './spend-model.js';

export interface ModelFit<P> {
  readonly parameters: P;
  readonly logLikelihood: number;
  /** Number of customers. */
  readonly n: number;
}

interface Group {
  readonly buyer: Buyer;
  readonly weight: number;
}

/** Times are scaled so that the longest is this: the minimizer works best near 1. */
const SCALED_TIME = 10;
/** Two starts, in case one ends in a local minimum. */
const STARTS = [
  [1, 1, 1, 1],
  [0.3, 3, 0.8, 2],
] as const;
const RESTARTS = 2;

/** Fits a model of purchases. Customers with equal histories are evaluated once. */
export function fitPurchases(model: PurchaseModel, buyers: Iterable<Buyer>): ModelFit<PurchaseParameters> {
  const all = groupsOf(buyers);
  const longest = Math.max(...all.map(({ buyer }) => buyer.T));
  const scale = longest > 0 ? SCALED_TIME / longest : 1;
  const scaled = all.map(({ buyer: { x, t_x, T }, weight }) => ({ buyer: { x, t_x: t_x * scale, T: T * scale }, weight }));
  const best = bestOf(STARTS, (point) => -totalLikelihood(model, toParameters(point), scaled));
  const { alpha, ...others } = toParameters(best);
  const parameters = { ...others, alpha: alpha / scale };
  return { parameters, logLikelihood: totalLikelihood(model, parameters, all), n: all.reduce((sum, { weight }) => sum + weight, 0) };
}

const SPEND_STARTS = [
  [1, 1, 1],
  [6, 4, 15],
] as const;

/** Fits the model of spending to customers with at least one repeat purchase. */
export function fitSpend(spenders: readonly Spender[]): ModelFit<SpendParameters> {
  const total = (parameters: SpendParameters): number => spenders.reduce((sum, spender) => sum + spendLogLikelihood(parameters, spender), 0);
  const toSpend = ([p = 0, q = 0, v = 0]: readonly number[]): SpendParameters => ({ p: Math.exp(p), q: Math.exp(q), v: Math.exp(v) });
  const parameters = toSpend(bestOf(SPEND_STARTS, (point) => -total(toSpend(point))));
  return { parameters, logLikelihood: total(parameters), n: spenders.length };
}

function bestOf(starts: readonly (readonly number[])[], f: (point: readonly number[]) => number): readonly number[] {
  const finite = (point: readonly number[]): number => {
    const value = f(point);
    return Number.isFinite(value) ? value : Number.MAX_VALUE;
  };
  const found = starts.map((start) => {
    let result = minimize(finite, start.map(Math.log));
    for (let i = 0; i < RESTARTS; i++) result = minimize(finite, result.point);
    return result;
  });
  return found.reduce((best, one) => (one.value < best.value ? one : best)).point;
}

const toParameters = ([r = 0, alpha = 0, a = 0, b = 0]: readonly number[]): PurchaseParameters => ({
  r: Math.exp(r),
  alpha: Math.exp(alpha),
  a: Math.exp(a),
  b: Math.exp(b),
});

/** The log-likelihood of all customers. What depends on the number of purchases alone is computed once for each number. */
function totalLikelihood(model: PurchaseModel, parameters: PurchaseParameters, groups: readonly Group[]): number {
  const counts = new Map<number, ReturnType<typeof likelihoodOfCount>>();
  let total = 0;
  for (const { buyer, weight } of groups) {
    const known = counts.get(buyer.x);
    const ofCount = known ?? likelihoodOfCount(model, parameters, buyer.x);
    if (!known) counts.set(buyer.x, ofCount);
    total += weight * logLikelihood(model, parameters, buyer, ofCount);
  }
  return total;
}

function groupsOf(buyers: Iterable<Buyer>): readonly Group[] {
  const groups = new Map<string, { buyer: Buyer; weight: number }>();
  for (const buyer of buyers) {
    const key = `${buyer.x} ${buyer.t_x} ${buyer.T}`;
    const group = groups.get(key);
    if (group) group.weight++;
    else groups.set(key, { buyer, weight: 1 });
  }
  return [...groups.values()];
}
