/**
 * What a customer spends with a purchase: the gamma-gamma model (Fader, Hardie: The Gamma-Gamma Model of Monetary Value,
 * 2013). It holds if spending does not depend on how often somebody buys.
 */
import { logGamma } from './special-functions.js';

export interface SpendParameters {
  readonly p: number;
  readonly q: number;
  readonly v: number;
}

export interface Spender {
  /** Number of repeat purchases with a value: at least 1. */
  readonly x: number;
  /** Their mean value: positive. */
  readonly mean: number;
}

/** The logarithm of the likelihood of a mean value. */
export const spendLogLikelihood = ({ p, q, v }: SpendParameters, { x, mean }: Spender): number =>
  logGamma(p * x + q) -
  logGamma(p * x) -
  logGamma(q) +
  q * Math.log(v) +
  (p * x - 1) * Math.log(mean) +
  p * x * Math.log(x) -
  (p * x + q) * Math.log(x * mean + v);

/** The expected mean value of a customer's purchases. Without repeat purchases that of all customers, which exists for q > 1. */
export const expectedSpend = ({ p, q, v }: SpendParameters, { x, mean }: Spender): number =>
  x === 0 ? (p * v) / (q - 1) : (p * (v + x * mean)) / (p * x + q - 1);
