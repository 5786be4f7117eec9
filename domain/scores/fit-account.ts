/** Fits the models of an account, tests them on its own past, and decides which scores may be shown. */
import { type BackTest, backTest } from './back-test.js';
import { distributionOf, median } from './distribution.js';
import { fitPurchases, fitSpend } from './fit.js';
import { type PurchaseSummary, summarize } from './purchase-history.js';
import { passesGate, reliability } from './quality.js';
import { type BuyerHistory, dateOfDay, MODEL, scoreOf } from './score-contact.js';
import type { FittedModel, PurchaseSource, ScoreFigures } from './score-model.js';
import { isFact, isNumeric, type NullReason, type ScoreName, scoreNames, testedDays } from './scores.js';
import type { Spender } from './spend-model.js';

export interface FitInput {
  readonly buyers: readonly BuyerHistory[];
  readonly purchase: PurchaseSource;
  readonly churn_days: number;
  /** The current day, since 1970. Only whole days are used: those before it. */
  readonly today: number;
}

/** Fewer cannot be fitted reliably: of 30 fits with 100 buyers two ran to extreme parameters, of 30 with 200 none. */
export const MIN_BUYERS = 200;
const MIN_REPEAT_BUYERS = 50;
const MIN_HISTORY_DAYS = 90;
const MAX_DAYS_SINCE_ORDER = 30;
const MIN_SPENDERS = 50;
/** The spending model assumes that spending does not depend on how often somebody buys. */
const MAX_SPEND_CORRELATION = 0.3;
const [MIN_FACTOR, MAX_FACTOR] = [0.5, 2];

type Core = Omit<FittedModel, 'scores'>;

export function fitAccount({ buyers, purchase, churn_days, today }: FitInput): FittedModel {
  const last = today - 1;
  const summaries = buyers.flatMap(({ purchases }) => summarize(purchases, last) ?? []);
  const core = {
    ...{ model: MODEL, purchase, churn_days, data_through: dateOfDay(last), buyers: summaries.length, currency: currencyOf(buyers) },
    repeat_buyers: summaries.filter(({ x }) => x > 0).length,
    typical: {
      x: median(summaries.map(({ x }) => x)),
      recency: median(summaries.map(({ T, t_x }) => T - t_x)),
      T: median(summaries.map(({ T }) => T)),
    },
  };
  if (!isEnough(core, summaries))
    return { ...core, parameters: null, log_likelihood: null, spend: null, order_factor: 1, scores: figuresWithout(core, buyers, today) };
  const { parameters, logLikelihood: log_likelihood } = fitPurchases(MODEL, summaries);
  const tests = backTests(buyers, last, churn_days);
  const general = tests.get(testedDays('expected_orders_365d', churn_days)) ?? null;
  const order_factor = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, general?.actualByExpected ?? 1));
  const fitted: Core = { ...core, parameters, log_likelihood, spend: fitSpending(summaries), order_factor };
  const ofDay = buyers.map((buyer) => ({ summary: summarize(buyer.purchases, today), currencies: buyer.currencies }));
  const scores = Object.fromEntries(
    scoreNames.map((name) => [name, figuresOf(name, fitted, tests.get(testedDays(name, churn_days)) ?? null, ofDay, dateOfDay(last))]),
  );
  return { ...fitted, scores };
}

function isEnough({ repeat_buyers }: Pick<Core, 'repeat_buyers'>, summaries: readonly PurchaseSummary[]): boolean {
  const oldest = summaries.reduce((most, { T }) => Math.max(most, T), 0);
  const latest = summaries.reduce((least, { T, t_x }) => Math.min(least, T - t_x), Number.POSITIVE_INFINITY);
  return summaries.length >= MIN_BUYERS && repeat_buyers >= MIN_REPEAT_BUYERS && oldest >= MIN_HISTORY_DAYS && latest <= MAX_DAYS_SINCE_ORDER;
}

function backTests(buyers: readonly BuyerHistory[], last: number, churn_days: number): ReadonlyMap<number, BackTest | null> {
  const customers = buyers.map(({ purchases }) => purchases);
  const days = new Set(scoreNames.map((name) => testedDays(name, churn_days)));
  return new Map([...days].map((horizon) => [horizon, backTest(MODEL, customers, last, horizon)]));
}

/** Null with too few repeat buyers with amounts, where spending depends on frequency, or where its mean does not exist. */
function fitSpending(summaries: readonly PurchaseSummary[]): FittedModel['spend'] {
  const spenders = summaries.flatMap(({ x, repeatValue }): Spender[] =>
    x > 0 && repeatValue !== null && repeatValue > 0 ? [{ x, mean: repeatValue / x }] : [],
  );
  if (spenders.length < MIN_SPENDERS || Math.abs(correlation(spenders)) > MAX_SPEND_CORRELATION) return null;
  const { parameters, n } = fitSpend(spenders);
  return parameters.q > 1 && Object.values(parameters).every(Number.isFinite) ? { ...parameters, n } : null;
}

function correlation(spenders: readonly Spender[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, mz] = [mean(spenders.map(({ x }) => x)), mean(spenders.map((one) => one.mean))];
  const covariance = mean(spenders.map((one) => (one.x - mx) * (one.mean - mz)));
  const spread = Math.sqrt(mean(spenders.map(({ x }) => (x - mx) ** 2)) * mean(spenders.map((one) => (one.mean - mz) ** 2)));
  return spread > 0 ? covariance / spread : 0;
}

/** The one currency of all purchases with an amount; null if there are several, or one is missing. */
function currencyOf(buyers: readonly BuyerHistory[]): string | null {
  const all = new Set(buyers.flatMap(({ currencies }) => currencies));
  const [only] = all;
  return all.size === 1 ? (only ?? null) : null;
}

function figuresWithout(core: Pick<FittedModel, 'buyers' | 'currency'>, buyers: readonly BuyerHistory[], today: number): FittedModel['scores'] {
  const known = (): PurchaseState[] => buyers.map(({ purchases, currencies }) => ({ summary: summarize(purchases, today), currencies }));
  const figures = (name: ScoreName): ScoreFigures =>
    isFact(name)
      ? { ...noFigures, null_reason: null, ...valuesOf(name, core, known()) }
      : { ...noFigures, null_reason: 'insufficient_account_data', without: without(core.buyers) };
  return Object.fromEntries(scoreNames.map((name) => [name, figures(name)]));
}

const unfitted = { parameters: null, spend: null, order_factor: 1, churn_days: 0 };
const noFigures = { quality: null, reliability: [], baseline: null, bounds: null, percentiles: [], with_value: 0 };
const without = (buyers: number, reason: NullReason = 'insufficient_account_data'): Record<string, number> =>
  buyers > 0 ? { [reason]: buyers } : {};

type ValueCore = Pick<FittedModel, 'currency'> & Partial<Core>;
type PurchaseState = { readonly summary: PurchaseSummary | null; readonly currencies: BuyerHistory['currencies'] };

function figuresOf(name: ScoreName, core: Core, test: BackTest | null, buyers: readonly PurchaseState[], backtest_end: string): ScoreFigures {
  if (isFact(name)) return { ...noFigures, null_reason: null, ...valuesOf(name, core, buyers) };
  if (!test) return { ...noFigures, null_reason: 'insufficient_account_data', without: without(buyers.length) };
  const tested = {
    quality: { ...test.quality, days: testedDays(name, core.churn_days), backtest_end },
    // Of churn, what is tested is its opposite.
    reliability: reliability(test.outcomes).map((bin) => ({ ...bin })),
    baseline: isProbability(name) ? (name === 'churn_probability' ? 1 - test.quality.observed : test.quality.observed) : null,
  };
  if (!passesGate(test.quality))
    return { ...noFigures, ...tested, null_reason: 'quality_below_gate', without: without(buyers.length, 'quality_below_gate') };
  const missing = name === 'predicted_clv_365d' ? (core.currency === null ? 'no_currency' : core.spend ? null : 'insufficient_account_data') : null;
  if (missing) return { ...noFigures, ...tested, null_reason: missing, without: without(buyers.length, missing) };
  return { ...tested, null_reason: null, ...valuesOf(name, core, buyers) };
}

function valuesOf(
  name: ScoreName,
  core: ValueCore,
  buyers: readonly PurchaseState[],
): Pick<ScoreFigures, 'bounds' | 'percentiles' | 'with_value' | 'without'> {
  const values: number[] = [];
  const reasons: Record<string, number> = {};
  for (const { summary, currencies } of buyers) {
    const { value, null_reason } = scoreOf(name, { ...unfitted, ...core }, summary, currencies);
    if (value !== null) values.push(value);
    else if (null_reason) reasons[null_reason] = (reasons[null_reason] ?? 0) + 1;
  }
  const { bounds, percentiles } = distributionOf(values);
  return { bounds: isNumeric(name) ? bounds : null, percentiles: [...percentiles], with_value: values.length, without: reasons };
}

const isProbability = (name: ScoreName): boolean => name.includes('_probability');
