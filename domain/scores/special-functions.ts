/** Functions of probability theory that JavaScript lacks. Packages for them bring 150 others, so they are written out here. */

const G = 7;
/** Coefficients of Lanczos' approximation for g = 7 and nine terms (P. Godfrey, 2001): a relative error below 1e-14. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
  9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;
const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

/** The logarithm of the gamma function, of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  const shifted = x - 1;
  const sum = LANCZOS.reduce((total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (shifted + i)), 0);
  const t = shifted + G + 0.5;
  return HALF_LOG_TAU + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The logarithm of the beta function, of two positive numbers. */
export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** log(exp(a) + exp(b)) without overflow. Either may be -Infinity. */
export function logAddExp(a: number, b: number): number {
  const greater = Math.max(a, b);
  return greater === Number.NEGATIVE_INFINITY ? greater : greater + Math.log1p(Math.exp(Math.min(a, b) - greater));
}

/** 1 / (1 + exp(-x)). */
export const logistic = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));

const RELATIVE_ERROR = 1e-15;
const MAX_TERMS = 100_000;

/** Gauss' hypergeometric function 2F1(a, b; c; z) by its power series, for 0 <= z < 1 and c > 0. */
export function hypergeometric(a: number, b: number, c: number, z: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 0; k < MAX_TERMS; k++) {
    term *= (((a + k) * (b + k)) / ((c + k) * (k + 1))) * z;
    sum += term;
    if (Math.abs(term) < RELATIVE_ERROR * Math.abs(sum)) break;
  }
  return sum;
}
