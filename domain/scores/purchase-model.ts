/**
 * Two models of how often somebody buys and when they stop ("buy till you die"). A customer buys at a rate that differs
 * between customers by a gamma distribution (r, alpha), and drops out after a purchase with a probability that differs by
 * a beta distribution (a, b).
 *
 * - `bg-nbd`: Fader, Hardie, Lee: "Counting Your Customers" the Easy Way, Marketing Science 24 (2005). Nobody drops out
 *   before their first repeat purchase.
 * - `mbg-nbd`: Batislam, Denizel, Filiztekin: Empirical validation and comparison of models for customer base analysis,
 *   International Journal of Research in Marketing 24 (2007). The first purchase, too, may be the last.
 *
 * All times are in one unit, that of `alpha`.
 */
import { hypergeometric, logAddExp, logGamma, logistic } from './special-functions.js';

export type PurchaseModel = 'bg-nbd' | 'mbg-nbd';

export interface PurchaseParameters {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
}

/** What the models know of a customer. */
export interface Buyer {
  /** Number of repeat purchases: all but the first. */
  readonly x: number;
  /** Time from the first to the last purchase; 0 without a repeat. */
  readonly t_x: number;
  /** Time from the first purchase until now. */
  readonly T: number;
}

/** How often a customer could have dropped out and did not. */
const survived = (model: PurchaseModel, x: number): number => (model === 'bg-nbd' ? x : x + 1);

/** The part of a log-likelihood that depends on the number of purchases alone: kept for each `x` while a model is fitted. */
export function likelihoodOfCount(model: PurchaseModel, { r, alpha, a, b }: PurchaseParameters, x: number) {
  const n = survived(model, x);
  return {
    constant: logGamma(r + x) - logGamma(r) + r * Math.log(alpha) + logGamma(a + b) + logGamma(b + n) - logGamma(b) - logGamma(a + b + n),
    dropout: n > 0 ? Math.log(a) - Math.log(b + n - 1) : Number.NEGATIVE_INFINITY,
  };
}

/** The logarithm of the likelihood of what a customer did. */
export function logLikelihood(
  model: PurchaseModel,
  parameters: PurchaseParameters,
  { x, t_x, T }: Buyer,
  ofCount = likelihoodOfCount(model, parameters, x),
): number {
  const { r, alpha } = parameters;
  return ofCount.constant + logAddExp(-(r + x) * Math.log(alpha + T), ofCount.dropout - (r + x) * Math.log(alpha + t_x));
}

/** The probability that a customer has not dropped out. With `bg-nbd` it is 1 without a repeat purchase: no score uses that. */
export function probabilityAlive(model: PurchaseModel, { r, alpha, a, b }: PurchaseParameters, { x, t_x, T }: Buyer): number {
  const n = survived(model, x);
  if (n === 0) return 1;
  return logistic(-(Math.log(a / (b + n - 1)) + (r + x) * Math.log((alpha + T) / (alpha + t_x))));
}

/** The probability of at least one purchase within `horizon` from now. */
export function probabilityOfPurchase(model: PurchaseModel, parameters: PurchaseParameters, buyer: Buyer, horizon: number): number {
  const { r, alpha } = parameters;
  const none = -(r + buyer.x) * Math.log1p(horizon / (alpha + buyer.T));
  return probabilityAlive(model, parameters, buyer) * -Math.expm1(none);
}

/** `a` this close to 1 would divide by zero. */
const NEAR_ONE = 1e-6;

/**
 * The expected number of purchases within `horizon` from now: equation 10 of Fader, Hardie and Lee after Euler's
 * transformation of 2F1, which does not overflow.
 */
export function expectedPurchases(model: PurchaseModel, parameters: PurchaseParameters, buyer: Buyer, horizon: number): number {
  const { r, alpha, b } = parameters;
  const a = Math.abs(parameters.a - 1) < NEAR_ONE ? 1 + NEAR_ONE : parameters.a;
  const c = a + b + survived(model, buyer.x) - 1;
  const z = horizon / (alpha + buyer.T + horizon);
  const bracket = 1 - (1 - z) ** (a - 1) * hypergeometric(a - 1, c - r - buyer.x, c, z);
  return probabilityAlive(model, parameters, buyer) * (c / (a - 1)) * bracket;
}

/** The expected number of repeat purchases of a new customer within `horizon` from the first one. */
export const expectedOfNewCustomer = (model: PurchaseModel, parameters: PurchaseParameters, horizon: number): number =>
  expectedPurchases(model, parameters, { x: 0, t_x: 0, T: 0 }, horizon);

/** The time until the next purchase that a customer who has not dropped out does not exceed with probability `share`: a Lomax quantile. */
export const nextPurchaseQuantile = ({ r, alpha }: PurchaseParameters, { x, T }: Buyer, share: number): number =>
  (alpha + T) * Math.expm1(-Math.log1p(-share) / (r + x));
