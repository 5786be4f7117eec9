import { DAY_MS } from '../kernel/clocks.js';
import { type SampleBuyer, sampleBuyers } from './sample-buyers.js';

const HOURS_MS = 12 * 3_600_000;

/** The published parameters of the CDNOW sample (mbg-nbd), by days; the publication counts weeks. */
export const PUBLISHED_PARAMETERS = { r: 0.525, alpha: 6.183 * 7, a: 0.891, b: 1.614 };

export interface SamplePurchase {
  readonly contact: { readonly email: string };
  readonly event: string;
  readonly occurred_at: string;
  readonly properties: { readonly value: number; readonly currency: string };
}

export interface SampleOptions {
  readonly count: number;
  readonly seed: number;
  /** Length of the history; its last day is the one before `now`. */
  readonly days: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Purchases of simulated buyers, as they are recorded by `POST /v1/events`. The first half of the days brings new buyers. */
export function samplePurchases({ count, seed, days, now }: SampleOptions): SamplePurchase[] {
  const first = Math.floor(now / DAY_MS) - days;
  const buyers = sampleBuyers({ count, seed, parameters: PUBLISHED_PARAMETERS, days, newDays: Math.floor(days / 2) });
  return buyers.flatMap((buyer) => purchasesOf(buyer, first));
}

const purchasesOf = ({ index, purchases }: SampleBuyer, first: number): SamplePurchase[] =>
  purchases.map(({ day, value }) => ({
    contact: { email: `buyer-${index + 1}@example.com` },
    event: 'purchase',
    occurred_at: new Date((first + day) * DAY_MS + HOURS_MS).toISOString(),
    properties: { value: value ?? 0, currency: 'EUR' },
  }));
