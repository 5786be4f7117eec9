/** Computes the scores of one contact by the model in force. Pure: the same purchases, model and time give the same scores to the bit. */
import { DAY_MS } from '../kernel/clocks.js';
import { type Purchase, type PurchaseSummary, summarize } from './purchase-history.js';
import { expectedPurchases, nextPurchaseQuantile, type PurchaseParameters, probabilityAlive, probabilityOfPurchase } from './purchase-model.js';
import type { FittedModel, ScoreFigures } from './score-model.js';
import { type Band, horizonOf, isFact, type NullReason, type ScoreName, scoreNames } from './scores.js';
import { expectedSpend } from './spend-model.js';

/** What is known of the purchases of a contact. */
export interface BuyerHistory {
  readonly purchases: readonly Purchase[];
  /** Of the purchases that have an amount, each once; null among them if one has none. */
  readonly currencies: readonly (string | null)[];
}

export interface ScoreValue {
  readonly name: ScoreName;
  /** Of `expected_next_order_at`: days from now. */
  readonly value: number | null;
  readonly null_reason: NullReason | null;
  /** Of `expected_next_order_at`, in days from now. */
  readonly quartiles: readonly [number, number] | null;
}

export const MODEL = 'mbg-nbd';
/** Two weekly fits were missed, and more. */
export const STALE_MS = 30 * DAY_MS;
const MIN_REPEATS_OF_DATE = 2;
const MIN_ALIVE_OF_DATE = 0.5;
const MAX_MEDIAN_DAYS = 365;

/** Days since 1970, in UTC. */
export const dayOfTime = (ms: number): number => Math.floor(ms / DAY_MS);
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export type ModelInForce = FittedModel & { readonly at: string };

/** The reason for which no contact of the account has this score; null where it is shown. */
export function accountReason(model: ModelInForce | null, name: ScoreName, now: number): NullReason | null {
  if (isFact(name)) return null;
  if (!model) return 'insufficient_account_data';
  if (now - Date.parse(model.at) > STALE_MS) return 'stale';
  return model.scores[name] ? (model.scores[name].null_reason as NullReason | null) : 'insufficient_account_data';
}

/** All scores of a contact at `now` (milliseconds since 1970), in the order of their names. */
export function scoreContact(model: ModelInForce | null, history: BuyerHistory, now: number): ScoreValue[] {
  const summary = summarize(history.purchases, dayOfTime(now));
  return scoreNames.map((name) => {
    const reason = accountReason(model, name, now);
    if (reason !== null) return none(name, reason);
    if (isFact(name)) return spentOf(name, model, summary, history.currencies);
    return scoreOf(name, model as ModelInForce, summary, history.currencies);
  });
}

const none = (name: ScoreName, null_reason: NullReason): ScoreValue => ({ name, value: null, null_reason, quartiles: null });
const some = (name: ScoreName, value: number, quartiles: ScoreValue['quartiles'] = null): ScoreValue => ({
  name,
  value,
  null_reason: null,
  quartiles,
});

/** The score of a buyer by a model, whether it has passed its gate or not. */
export function scoreOf(
  name: ScoreName,
  model: Pick<FittedModel, 'parameters' | 'spend' | 'currency' | 'order_factor' | 'churn_days'>,
  summary: PurchaseSummary | null,
  currencies: BuyerHistory['currencies'],
): ScoreValue {
  if (isFact(name)) return spentOf(name, model, summary, currencies);
  const { parameters } = model;
  if (!parameters) return none(name, 'insufficient_account_data');
  if (!summary) return none(name, 'insufficient_contact_data');
  switch (name) {
    case 'purchase_probability_30d':
    case 'purchase_probability_90d':
      return some(name, probabilityOfPurchase(MODEL, parameters, summary, horizonOf(name, model.churn_days) as number));
    case 'churn_probability':
      return some(name, 1 - probabilityOfPurchase(MODEL, parameters, summary, model.churn_days));
    case 'expected_orders_365d':
      return some(name, ordersOf(parameters, model.order_factor, summary));
    case 'predicted_clv_365d':
      return lifetimeValue(name, { ...model, parameters }, summary, currencies);
    case 'expected_next_order_at':
      return nextOrder(name, parameters, summary);
    case 'historic_clv':
      return spentOf(name, model, summary, currencies);
    default:
      return name satisfies never;
  }
}

/** Before the first fit the contact's own purchases decide about the currency. */
function spentOf(
  name: ScoreName,
  model: Pick<FittedModel, 'currency'> | null,
  summary: PurchaseSummary | null,
  currencies: BuyerHistory['currencies'],
): ScoreValue {
  if (!summary || currencies.length === 0) return none(name, 'insufficient_contact_data');
  const [own = null] = currencies;
  const currency = model ? model.currency : own;
  return currency === null || currencies.some((one) => one !== currency) ? none(name, 'no_currency') : some(name, summary.value);
}

const ordersOf = (parameters: PurchaseParameters, factor: number, summary: PurchaseSummary): number =>
  Math.max(0, factor * expectedPurchases(MODEL, parameters, summary, 365));

function lifetimeValue(
  name: ScoreName,
  {
    parameters,
    spend,
    currency,
    order_factor,
  }: Pick<FittedModel, 'spend' | 'currency' | 'order_factor'> & { readonly parameters: PurchaseParameters },
  summary: PurchaseSummary,
  currencies: BuyerHistory['currencies'],
): ScoreValue {
  if (currency === null || currencies.some((one) => one !== currency)) return none(name, 'no_currency');
  if (!spend) return none(name, 'insufficient_account_data');
  const { x, repeatValue } = summary;
  if (x > 0 && (repeatValue === null || repeatValue <= 0)) return none(name, 'insufficient_contact_data');
  const mean = x === 0 ? 0 : (repeatValue as number) / x;
  return some(name, ordersOf(parameters, order_factor, summary) * expectedSpend(spend, { x, mean }));
}

/** Given that the contact has not dropped out. The quantiles of the model count from now. */
function nextOrder(name: ScoreName, parameters: PurchaseParameters, summary: PurchaseSummary): ScoreValue {
  if (summary.x < MIN_REPEATS_OF_DATE || probabilityAlive(MODEL, parameters, summary) < MIN_ALIVE_OF_DATE)
    return none(name, 'insufficient_contact_data');
  const days = (share: number): number => nextPurchaseQuantile(parameters, summary, share);
  const median = days(0.5);
  return median > MAX_MEDIAN_DAYS ? none(name, 'insufficient_contact_data') : some(name, median, [days(0.25), days(0.75)]);
}

/** The band of a value by the terciles of the account; null without terciles. */
export const bandOf = (model: ModelInForce, name: ScoreName, value: number | null): Band | null => bandIn(model.scores[name], value);

export function bandIn(figures: Pick<ScoreFigures, 'bounds'> | undefined, value: number | null): Band | null {
  const bounds = figures?.bounds;
  if (value === null || !bounds) return null;
  return value <= bounds.low ? 'low' : value <= bounds.medium ? 'medium' : 'high';
}

/** How many in a hundred buyers of the account have a lower value; null without any. */
export const percentileOf = (model: ModelInForce, name: ScoreName, value: number | null): number | null => percentileIn(model.scores[name], value);

export function percentileIn(figures: Pick<ScoreFigures, 'percentiles'> | undefined, value: number | null): number | null {
  const percentiles = figures?.percentiles ?? [];
  if (value === null || percentiles.length === 0) return null;
  return Math.min(100, percentiles.filter((bound) => bound < value).length);
}
