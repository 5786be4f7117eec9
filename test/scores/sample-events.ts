import { sampleBuyers } from '../../domain/scores/sample-buyers.js';

const DAY_MS = 86_400_000;
/** By days; the published ones of the CDNOW sample are by weeks. */
export const PARAMETERS = { r: 0.525, alpha: 6.183 * 7, a: 0.891, b: 1.614 };

/** Purchases of simulated buyers as events for `POST /v1/events/batch`, the last day being the one before `now`. */
export function sampleEvents({
  count,
  seed,
  days = 365,
  now,
}: {
  readonly count: number;
  readonly seed: number;
  readonly days?: number;
  readonly now: number;
}) {
  const start = Math.floor(now / DAY_MS) - days;
  return sampleBuyers({ count, seed, parameters: PARAMETERS, days, newDays: Math.floor(days / 2) }).flatMap(({ index, purchases }) =>
    purchases.map(({ day, value }) => ({
      contact: { email: `buyer-${seed}-${index + 1}@example.com` },
      event: 'purchase',
      occurred_at: new Date((start + day + 0.5) * DAY_MS).toISOString(),
      properties: { value, currency: 'EUR' },
    })),
  );
}
