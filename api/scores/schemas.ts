import Type from 'typebox';
import {
  annotate,
  count,
  flag,
  list,
  mapOf,
  named,
  nullable,
  numberOf,
  oneOf,
  rawSchema,
  record,
  type Static,
  text,
  time,
  unionOf,
} from '../../domain/kernel/schema.js';
import { bands, channelScoreNames, nullReasons, scoreNames } from '../../domain/scores/scores.js';

const number = numberOf();
const described = (description: string) => ({ description });

export const scoreNameSchema = named('ScoreName', oneOf(...scoreNames, ...channelScoreNames));
const nullReason = named('ScoreNullReason', oneOf(...nullReasons));
const band = named('ScoreBand', oneOf(...bands));

export const scoreQuality = named(
  'ScoreQuality',
  record({
    auc: nullable(Type.Number(described('How well it ranks: 1 is perfect, 0.5 is chance. Null if all bought, or none.'))),
    auc_recency: nullable(Type.Number(described('The same of the baseline: days since the last purchase.'))),
    brier: Type.Number(described('Mean squared error: 0 is perfect.')),
    brier_recency: Type.Number(described('The same of the baseline, calibrated on the window before.')),
    ece: Type.Number(described('Mean distance between predicted and observed shares.')),
    lift_quality: nullable(Type.Number(described('Share of the possible lift that the ranking reaches.'))),
    mean_predicted: number,
    observed: number,
    n: count,
    days: Type.Integer(described('Days that were held out.')),
    backtest_end: Type.String(described('The last of them.')),
  }),
);

const driver = named(
  'ScoreDriver',
  record({
    factor: named('ScoreFactor', oneOf('recency', 'frequency', 'age', 'engagement')),
    direction: annotate(
      named('ScoreDirection', oneOf('raises', 'lowers', 'neutral')),
      described('What it does to the chance of a purchase, compared with the median buyer.'),
    ),
    text,
  }),
);
const scoreInputs = named(
  'ScoreInputs',
  record({
    x: Type.Integer(described('Repeat purchases: days with a purchase after the first one.')),
    t_x_days: Type.Integer(described('Days from the first to the last purchase.')),
    age_days: Type.Integer(described('Days since the first purchase.')),
    mean_order_value: nullable(Type.Number(described('Of the repeat purchases; of all without one.'))),
  }),
);
const engagementInputs = named(
  'ScoreEngagementInputs',
  record({
    delivered: Type.Integer(described('Messages that reached the contact 7 to 180 days ago.')),
    engaged: Type.Integer(described('Those that it opened, clicked, read or answered itself within 7 days.')),
  }),
);
const explanation = named(
  'ScoreExplanation',
  record({
    inputs: rawSchema<Static<typeof scoreInputs> | Static<typeof engagementInputs>>(unionOf(scoreInputs, engagementInputs)),
    p_alive: nullable(Type.Number(described('Probability that the contact still buys at all. It is no score: it ranks worse than the others.'))),
    percentile: nullable(Type.Number(described('How many of a hundred buyers have a lower value.'))),
    baseline: nullable(Type.Number(described('The share of all buyers for whom it happened in the back-test.'))),
    drivers: list(driver),
  }),
);

export const contactScore = named(
  'ContactScore',
  record({
    name: scoreNameSchema,
    value: annotate(
      nullable(Type.Union([Type.Number(), Type.String()])),
      described('A number, of `best_send_hour_…` the local hour; a time for `expected_next_order_at`; null where `null_reason` says why.'),
    ),
    band: nullable(annotate(band, described('By terciles of the account.'))),
    as_of: time,
    horizon_days: nullable(count),
    model: nullable(text),
    model_version: nullable(count),
    null_reason: nullable(nullReason),
    interval: nullable(annotate(record({ p25: time, p75: time }), described('Of a date: its quartiles.'))),
    currency: nullable(text),
    explanation: nullable(explanation),
    quality: nullable(scoreQuality),
  }),
);
export const contactScores = named('ContactScores', record({ contact_id: text, as_of: time, scores: list(contactScore) }));

const bounds = nullable(annotate(record({ low: number, medium: number }), described('Upper ends of the bands low and medium.')));
const without = annotate(mapOf(count), described('Buyers without a value, by reason.'));

export const accountScore = named(
  'AccountScore',
  record({
    name: scoreNameSchema,
    shown: annotate(flag, described('Whether contacts can have a value: the back-test passed the gate.')),
    null_reason: nullable(nullReason),
    horizon_days: nullable(count),
    quality: nullable(scoreQuality),
    reliability: list(named('ReliabilityBin', record({ n: count, predicted: number, observed: number }))),
    baseline: nullable(number),
    bounds,
    with_value: count,
    without,
  }),
);
export const scoreModel = named(
  'ScoreModel',
  record({
    model: text,
    model_version: count,
    fitted_at: time,
    data_through: text,
    buyers: count,
    repeat_buyers: count,
    currency: nullable(text),
    order_factor: Type.Number(
      described('Purchases of the back-test divided by those it expected, between 0.5 and 2. Expected orders are multiplied by it.'),
    ),
    parameters: nullable(record({ r: number, alpha: number, a: number, b: number })),
    spend: nullable(record({ p: number, q: number, v: number, n: count })),
  }),
);
export const scoreOverview = named('ScoreOverview', record({ model: nullable(scoreModel), data: list(accountScore) }));

export const scoreDistribution = named(
  'ScoreDistribution',
  record({
    name: scoreNameSchema,
    model_version: nullable(count),
    as_of: nullable(time),
    null_reason: nullable(nullReason),
    percentiles: annotate(list(number), described('The 0th to the 100th; of a date, in days from `as_of`. Empty without values.')),
    bounds,
    with_value: count,
    without,
  }),
);
