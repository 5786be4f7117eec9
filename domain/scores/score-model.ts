/**
 * The model of an account's purchases that is in force: what the last fit has found, tested and decided. It is complete in one event,
 * so that nothing of a fit is in force before all of it is, and every score can be computed again from the log.
 */
import { type EventOf, eventType } from '../kernel/event.js';
import { count, list, mapOf, nullable, numberOf, oneOf, record, type Static, text, time } from '../kernel/schema.js';
import { nullReasons } from './scores.js';

const number = numberOf();
/** The custom event of a purchase, and its properties with the amount and the currency. */
const source = record({ event: text, value_property: text, currency_property: text });
export type PurchaseSource = Static<typeof source>;

const quality = record({
  auc: nullable(number),
  auc_recency: nullable(number),
  brier: number,
  brier_recency: number,
  ece: number,
  lift_quality: nullable(number),
  mean_predicted: number,
  observed: number,
  n: count,
  /** Days that were held out; their last day. */
  days: count,
  backtest_end: text,
});
export type ScoreQuality = Static<typeof quality>;

export const scoreFigures = record({
  /** Why no contact has a value; null where the score is shown. */
  null_reason: nullable(oneOf(...nullReasons)),
  quality: nullable(quality),
  /** Groups of the back-test by rising prediction. */
  reliability: list(record({ n: count, predicted: number, observed: number })),
  /** The share of all buyers for whom it happened in the back-test; null where the score is no probability. */
  baseline: nullable(number),
  /** Upper ends of the bands low and medium: terciles. Null without values. */
  bounds: nullable(record({ low: number, medium: number })),
  /** The 0th to the 100th percentile of the buyers. */
  percentiles: list(number),
  with_value: count,
  /** Buyers without a value, by reason. */
  without: mapOf(count),
});
export type ScoreFigures = Static<typeof scoreFigures>;

export const ScoreModelFitted = eventType(
  'ScoreModelFitted',
  record({
    job_id: text,
    /** Of the account, from 1. */
    model_version: count,
    model: text,
    purchase: source,
    churn_days: count,
    /** The last day whose purchases were used: the day before the fit. */
    data_through: text,
    buyers: count,
    repeat_buyers: count,
    /** Null if there are too few data to fit. By days. */
    parameters: nullable(record({ r: number, alpha: number, a: number, b: number })),
    log_likelihood: nullable(number),
    spend: nullable(record({ p: number, q: number, v: number, n: count })),
    /** Of all purchases that have an amount; null if there is not exactly one. */
    currency: nullable(text),
    /** By how much the back-test expected too few purchases. */
    order_factor: number,
    /** Of the median buyer, in days. */
    typical: record({ x: number, recency: number, T: number }),
    scores: mapOf(scoreFigures),
    at: time,
  }),
);
export const scoreModelEvents = [ScoreModelFitted] as const;
export type ScoreModelFittedEvent = EventOf<typeof ScoreModelFitted>;
export type ScoreModel = ScoreModelFittedEvent['data'];
/** What a fit finds, before it has a place in the log. */
export type FittedModel = Omit<ScoreModel, 'job_id' | 'model_version' | 'at'>;

/** Of one account: one event a fit. */
export const scoreModelStream = (account: string): string => `scoreModel-${account}`;
