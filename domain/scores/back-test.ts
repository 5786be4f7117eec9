/** Tests a model of purchases on an account's own past: what it would have predicted `horizon` days ago, and what happened since. */
import { fitPurchases, type ModelFit } from './fit.js';
import { type Purchase, type PurchaseSummary, summarize } from './purchase-history.js';
import { expectedPurchases, type PurchaseModel, type PurchaseParameters, probabilityOfPurchase } from './purchase-model.js';
import { type PredictionOutcome, predictByRecency, type Quality, qualityOf, recencyBaseline } from './quality.js';

/** The longest window on which the baseline is trained, in days. */
const MAX_BASELINE_WINDOW = 120;

export interface BackTest {
  readonly fit: ModelFit<PurchaseParameters>;
  readonly outcomes: readonly PredictionOutcome[];
  readonly quality: Quality;
  /** Purchases that happened in the window, divided by those expected. 1 if none were expected. */
  readonly actualByExpected: number;
}

type Customer = readonly Purchase[];

/** Fits the model to what was known at the end of day `today - horizon` and compares it with the days since. Null without customers then. */
export function backTest(model: PurchaseModel, customers: Iterable<Customer>, today: number, horizon: number): BackTest | null {
  const all = [...customers];
  const cutoff = today - horizon;
  const known = all.flatMap((purchases) => {
    const summary = summarize(purchases, cutoff);
    return summary ? [{ summary, bought: daysBetween(purchases, cutoff, today) }] : [];
  });
  if (known.length === 0) return null;
  const baseline = baselineBefore(all, cutoff, Math.min(horizon, MAX_BASELINE_WINDOW));
  const fit = fitPurchases(
    model,
    known.map(({ summary }) => summary),
  );
  const outcomes = known.map(({ summary, bought }) => ({
    predicted: probabilityOfPurchase(model, fit.parameters, summary, horizon),
    happened: bought > 0,
  }));
  const byRecency = known.map(({ summary, bought }) => ({ predicted: predictByRecency(baseline, recencyOf(summary)), happened: bought > 0 }));
  const expected = known.reduce((sum, { summary }) => sum + expectedPurchases(model, fit.parameters, summary, horizon), 0);
  const actual = known.reduce((sum, { bought }) => sum + bought, 0);
  return { fit, outcomes, quality: qualityOf(outcomes, byRecency), actualByExpected: expected > 0 ? actual / expected : 1 };
}

function baselineBefore(customers: readonly Customer[], cutoff: number, window: number) {
  const before = customers.flatMap((purchases) => {
    const summary = summarize(purchases, cutoff - window);
    return summary ? [{ recency: recencyOf(summary), happened: daysBetween(purchases, cutoff - window, cutoff) > 0 }] : [];
  });
  return recencyBaseline(before);
}

const recencyOf = ({ T, t_x }: PurchaseSummary): number => T - t_x;

/** The number of days with a purchase after day `from` and up to day `to`. */
const daysBetween = (purchases: Customer, from: number, to: number): number =>
  new Set(purchases.filter(({ day }) => day > from && day <= to).map(({ day }) => day)).size;
