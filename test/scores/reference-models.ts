/** Models that the service does not use, to compare its own with published figures. */
import type { ModelFit } from '../../domain/scores/fit.js';
import { minimize } from '../../domain/scores/nelder-mead.js';
import type { Buyer, PurchaseParameters } from '../../domain/scores/purchase-model.js';
import { hypergeometric, logBeta, logGamma } from '../../domain/scores/special-functions.js';

export interface ParetoParameters {
  readonly r: number;
  readonly alpha: number;
  readonly s: number;
  readonly beta: number;
}

/** ln A0 of the Pareto/NBD model (Fader, Hardie: A Note on Deriving the Pareto/NBD Model, 2005). */
function logA0({ r, alpha, s, beta }: ParetoParameters, { x, t_x, T }: Buyer): number {
  const [longer, difference, second] = alpha >= beta ? [alpha, alpha - beta, s + 1] : [beta, beta - alpha, r + x];
  const logF = (u: number): number =>
    Math.log(hypergeometric(r + s + x, second, r + s + x + 1, difference / (longer + u))) - (r + s + x) * Math.log(longer + u);
  const [at, until] = [logF(t_x), logF(T)];
  return at + Math.log1p(-Math.exp(until - at));
}

export function paretoLogLikelihood(parameters: ParetoParameters, buyer: Buyer): number {
  const { r, alpha, s, beta } = parameters;
  const { x, T } = buyer;
  const alive = -(r + x) * Math.log(alpha + T) - s * Math.log(beta + T);
  const gone = Math.log(s / (r + s + x)) + logA0(parameters, buyer);
  const greater = Math.max(alive, gone);
  return (
    logGamma(r + x) -
    logGamma(r) +
    r * Math.log(alpha) +
    s * Math.log(beta) +
    greater +
    Math.log(Math.exp(alive - greater) + Math.exp(gone - greater))
  );
}

/** Maximum likelihood, from parameters in the middle of what is usual. */
export function fitPareto(buyers: readonly Buyer[]): ModelFit<ParetoParameters> {
  const toParameters = ([r = 0, alpha = 0, s = 0, beta = 0]: readonly number[]): ParetoParameters => ({
    ...{ r: Math.exp(r), alpha: Math.exp(alpha), s: Math.exp(s), beta: Math.exp(beta) },
  });
  const total = (parameters: ParetoParameters): number => buyers.reduce((sum, buyer) => sum + paretoLogLikelihood(parameters, buyer), 0);
  let found = minimize((point) => -total(toParameters(point)), [0.5, 10, 0.5, 10].map(Math.log));
  found = minimize((point) => -total(toParameters(point)), found.point);
  return { parameters: toParameters(found.point), logLikelihood: -found.value, n: buyers.length };
}

export function paretoAlive(parameters: ParetoParameters, buyer: Buyer): number {
  const { r, alpha, s, beta } = parameters;
  const { x, T } = buyer;
  const odds = Math.log(s / (r + s + x)) + (r + x) * Math.log(alpha + T) + s * Math.log(beta + T) + logA0(parameters, buyer);
  return 1 / (1 + Math.exp(odds));
}

export function paretoExpected(parameters: ParetoParameters, buyer: Buyer, horizon: number): number {
  const { r, alpha, s, beta } = parameters;
  const { x, T } = buyer;
  const factor = ((r + x) * (beta + T)) / ((alpha + T) * (s - 1));
  return paretoAlive(parameters, buyer) * factor * (1 - ((beta + T) / (beta + T + horizon)) ** (s - 1));
}

/** The negative binomial model: nobody drops out. */
export const nbdLogLikelihood = ({ r, alpha }: { readonly r: number; readonly alpha: number }, { x, T }: Buyer): number =>
  logGamma(r + x) - logGamma(r) + r * Math.log(alpha) - (r + x) * Math.log(alpha + T);

/** The probability that a new customer of the BG/NBD model buys `n` times again within a time (Fader, Hardie, Lee 2005, equation 8). */
export function bgCountProbability({ r, alpha, a, b }: PurchaseParameters, n: number, time: number): number {
  const [stays, goes] = [Math.log(alpha / (alpha + time)), Math.log(time / (alpha + time))];
  const countOf = (k: number): number => Math.exp(logGamma(r + k) - logGamma(r) - logGamma(k + 1) + r * stays + k * goes);
  const alive = Math.exp(logBeta(a, b + n) - logBeta(a, b)) * countOf(n);
  if (n === 0) return alive;
  const fewer = Array.from({ length: n }, (_, k) => countOf(k)).reduce((sum, one) => sum + one, 0);
  return alive + Math.exp(logBeta(a + 1, b + n - 1) - logBeta(a, b)) * (1 - fewer);
}
