/** Fits the models of an account's messages by channel, tests that of engagement on its own past, and decides which scores are shown. */
import { DAY_MS } from '../kernel/clocks.js';
import { distributionOf } from './distribution.js';
import type { ChannelModel } from './engagement-fitted.js';
import { engagementProbability, fitEngagement } from './engagement-model.js';
import { type PredictionOutcome, passesGate, predictByRecency, qualityOf, recencyBaseline, reliability } from './quality.js';
import {
  COUNTED_DAYS,
  type ContactCounts,
  countsAt,
  ENGAGE_DAYS,
  engagementRecency,
  nextEngagement,
  type ReachedMessage,
} from './reached-messages.js';
import type { ScoreFigures } from './score-model.js';
import type { NullReason } from './scores.js';
import { accountHours, fitKappa, type HourCounts, MAX_KAPPA } from './send-hours.js';

export interface ChannelHistory {
  readonly channel: string;
  /** The messages that reached each contact. */
  readonly contacts: readonly (readonly ReachedMessage[])[];
  /** Engagements of contacts by local hour. */
  readonly hours: readonly HourCounts[];
}

export interface EngagementInput {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly channels: readonly ChannelHistory[];
}

const MIN_CONTACTS = 200;
const MIN_ENGAGED_CONTACTS = 50;
/** Of one contact. */
export const MIN_MESSAGES = 3;
export const MIN_ENGAGEMENTS = 5;
/** For the hours of an account. */
const MIN_HOURS = 50;
/** Contacts that have engaged twice or more, for its strength. */
const MIN_REPEATS = 50;
/** Days that are held out. */
const TEST_DAYS = 30;
/** More make the prior no better, only the fit slower. */
const MAX_FITTED = 5_000;
/** Days of messages that a fit looks at: those that count at the earlier of the two times of its test. */
export const FIT_DAYS = COUNTED_DAYS + 2 * (TEST_DAYS + ENGAGE_DAYS);

export const fitChannels = ({ now, channels }: EngagementInput): Record<string, ChannelModel> =>
  Object.fromEntries(channels.map((channel) => [channel.channel, fitChannel(channel, now)]));

function fitChannel({ contacts, hours }: ChannelHistory, now: number): ChannelModel {
  const counts = contacts.map((messages) => countsAt(messages, now));
  const known = counts.filter(({ messages }) => messages >= MIN_MESSAGES);
  const isEnough = known.length >= MIN_CONTACTS && known.filter(({ engagements }) => engagements > 0).length >= MIN_ENGAGED_CONTACTS;
  const prior = isEnough ? fitEngagement(sample(known)) : null;
  return {
    messages: contacts.reduce((sum, messages) => sum + messages.length, 0),
    contacts: contacts.length,
    prior,
    engagement: prior ? engagementFigures(prior, contacts, counts, now) : noFigures('insufficient_account_data', contacts.length),
    ...hourModel(hours),
  };
}

const noFigures = (null_reason: NullReason, without: number): ScoreFigures => ({
  ...{ null_reason, quality: null, reliability: [], baseline: null, bounds: null, percentiles: [], with_value: 0 },
  without: without > 0 ? { [null_reason]: without } : {},
});

function engagementFigures(
  prior: NonNullable<ChannelModel['prior']>,
  contacts: readonly (readonly ReachedMessage[])[],
  counts: readonly ContactCounts[],
  now: number,
): ScoreFigures {
  const tested = test(contacts, now);
  if (!tested) return noFigures('insufficient_account_data', contacts.length);
  const { outcomes, byRecency } = tested;
  const found = qualityOf(outcomes, byRecency);
  const backtest_end = new Date(now - ENGAGE_DAYS * DAY_MS).toISOString().slice(0, 10);
  const figures = {
    quality: { ...found, days: TEST_DAYS, backtest_end },
    reliability: reliability(outcomes).map((bin) => ({ ...bin })),
    baseline: found.observed,
  };
  if (!passesGate(found)) return { ...noFigures('quality_below_gate', contacts.length), ...figures };
  const values = counts.flatMap((one) => (one.messages >= MIN_MESSAGES ? [engagementProbability(prior, one)] : []));
  const { bounds, percentiles } = distributionOf(values);
  const missing = contacts.length - values.length;
  const without: Record<string, number> = missing > 0 ? { insufficient_contact_data: missing } : {};
  return { ...figures, null_reason: null, bounds, percentiles: [...percentiles], with_value: values.length, without };
}

/**
 * Predicts the first message of the held-out days from what was known before them, and whether it was engaged with from the days since
 * the last engagement, as learned from the days before. Null if too few contacts have a message in both.
 */
function test(contacts: readonly (readonly ReachedMessage[])[], now: number) {
  const window = (TEST_DAYS + ENGAGE_DAYS) * DAY_MS;
  const known = knownAt(contacts, now - window);
  const earlier = knownAt(contacts, now - 2 * window);
  if (known.length < MIN_CONTACTS || earlier.length === 0) return null;
  const prior = fitEngagement(sample(known.map(({ counts }) => counts)));
  const baseline = recencyBaseline(earlier);
  const outcomes = known.map(({ counts, happened }): PredictionOutcome => ({ predicted: engagementProbability(prior, counts), happened }));
  const byRecency = known.map(({ recency, happened }): PredictionOutcome => ({ predicted: predictByRecency(baseline, recency), happened }));
  return { outcomes, byRecency };
}

const knownAt = (contacts: readonly (readonly ReachedMessage[])[], at: number) =>
  contacts.flatMap((messages) => {
    const happened = nextEngagement(messages, at, TEST_DAYS);
    const counts = countsAt(messages, at);
    return happened === null || counts.messages < MIN_MESSAGES ? [] : [{ counts, recency: engagementRecency(messages, at), happened }];
  });

/** At most so many of all, evenly. */
function sample<T>(all: readonly T[]): readonly T[] {
  const step = Math.ceil(all.length / MAX_FITTED);
  return step <= 1 ? all : all.filter((_, i) => i % step === 0);
}

const sum = (counts: HourCounts): number => counts.reduce((total, one) => total + one, 0);

function hourModel(contacts: readonly HourCounts[]): Pick<ChannelModel, 'hours' | 'kappa' | 'best_hour'> {
  const total = contacts.reduce((all, counts) => all + sum(counts), 0);
  if (total < MIN_HOURS) return { hours: [], kappa: null, best_hour: noFigures('insufficient_account_data', contacts.length) };
  const hours = accountHours(contacts);
  const repeated = contacts.filter((counts) => sum(counts) > 1);
  if (repeated.length < MIN_REPEATS) return { hours: [...hours], kappa: null, best_hour: noFigures('insufficient_account_data', contacts.length) };
  const kappa = fitKappa(sample(repeated), hours);
  if (kappa > MAX_KAPPA) return { hours: [...hours], kappa, best_hour: noFigures('quality_below_gate', contacts.length) };
  const with_value = contacts.filter((counts) => sum(counts) >= MIN_ENGAGEMENTS).length;
  const missing = contacts.length - with_value;
  const without: Record<string, number> = missing > 0 ? { insufficient_contact_data: missing } : {};
  const shown: ScoreFigures = { ...noFigures('insufficient_account_data', 0), null_reason: null, with_value, without };
  return { hours: [...hours], kappa, best_hour: shown };
}
