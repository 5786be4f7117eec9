/** Makes buyers by the model itself: for trying scores out, and for tests of the fit. The same seed gives the same buyers. */
import type { Purchase } from './purchase-history.js';
import type { PurchaseParameters } from './purchase-model.js';

export interface BuyerOptions {
  readonly count: number;
  readonly seed: number;
  /** By days. */
  readonly parameters: PurchaseParameters;
  /** Length of the history in days; its last day is `days - 1`. */
  readonly days: number;
  /** First purchases are in the first so many days. */
  readonly newDays: number;
}

export interface SampleBuyer {
  readonly index: number;
  /** By days from 0, with values. Several may be on one day. */
  readonly purchases: readonly Purchase[];
}

/** Parameters of the published spending model (Fader and Hardie, 2013). */
const SPEND = { p: 6.25, q: 3.74, v: 15.44 };

export function sampleBuyers({ count, seed, parameters: { r, alpha, a, b }, days, newDays }: BuyerOptions): readonly SampleBuyer[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const rate = dice.gamma(r) / alpha;
    const dropout = dice.beta(a, b);
    const spendRate = dice.gamma(SPEND.q) / SPEND.v;
    const purchases: Purchase[] = [];
    let time = dice.uniform() * newDays;
    while (time < days) {
      purchases.push({ day: Math.floor(time), value: cents(dice.gamma(SPEND.p) / spendRate) });
      if (dice.uniform() < dropout) break;
      time += -Math.log(1 - dice.uniform()) / rate;
    }
    return { index, purchases };
  });
}

const cents = (value: number): number => Math.max(0.01, Math.round(value * 100) / 100);

/** Random numbers of a seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1: mulberry32 by Tommy Ettinger. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** The polar method of Marsaglia. */
  #normal(): number {
    for (;;) {
      const [u, v] = [2 * this.uniform() - 1, 2 * this.uniform() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  }

  /** A gamma variable with this shape and rate 1 (Marsaglia, Tsang: A Simple Method for Generating Gamma Variables, 2000). */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.#normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  beta(a: number, b: number): number {
    const x = this.gamma(a);
    return x / (x + this.gamma(b));
  }
}
