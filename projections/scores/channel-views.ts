/** The scores of channels with all that explains them. */

import { type ChannelName, channelNames } from '../../domain/kernel/channels.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import type { EngagementModel } from '../../domain/scores/engagement-fitted.js';
import { ENGAGE_DAYS, type ReachedMessage } from '../../domain/scores/reached-messages.js';
import { bandIn, percentileIn } from '../../domain/scores/score-contact.js';
import { type ChannelInForce, type ChannelScores, channelInForce, channelReason, scoreChannel } from '../../domain/scores/score-engagement.js';
import { bestHourName, engagementName } from '../../domain/scores/scores.js';
import type { AccountScore, EngagementDriver, EngagementInputs, ScoreView } from './score-view.js';

const ENGAGEMENT_MODEL = 'beta-binomial';
const HOUR_MODEL = 'dirichlet-multinomial';
const NOTICEABLE = 0.005;

type Version = { readonly model_version: number } | null;

/** Of the channels that the account uses, and of those by which this contact was reached. */
export function channelViews(
  model: EngagementModel | null,
  reached: ReadonlyMap<ChannelName, readonly ReachedMessage[]>,
  offsetAt: UtcOffsetAt,
  at: string,
): ScoreView[] {
  return channelNames.flatMap((channel) => {
    const own = channelInForce(model, channel);
    const messages = reached.get(channel);
    if (!own && !messages) return [];
    return viewsOf(channel, { own, version: model, at }, scoreChannel(own, messages ?? [], offsetAt, Date.parse(at)));
  });
}

interface Surroundings {
  readonly own: ChannelInForce | null;
  readonly version: Version;
  readonly at: string;
}

function viewsOf(channel: ChannelName, { own, version, at }: Surroundings, { engagement, best_hour, counts }: ChannelScores): ScoreView[] {
  const inputs: EngagementInputs = { delivered: counts.messages, engaged: counts.engagements };
  const common = { as_of: at, model_version: own ? (version?.model_version ?? null) : null, interval: null, currency: null };
  const baseline = own?.engagement.baseline ?? null;
  const rate = engagement.value;
  return [
    {
      ...common,
      ...{ name: engagementName(channel), value: rate, null_reason: engagement.null_reason, horizon_days: ENGAGE_DAYS },
      band: own && bandIn(own.engagement, rate),
      model: own && ENGAGEMENT_MODEL,
      explanation: {
        ...{ inputs, p_alive: null, percentile: own && percentileIn(own.engagement, rate), baseline: rate === null ? null : baseline },
        drivers: rate === null ? [] : [driverOf(inputs, rate, baseline ?? rate)],
      },
      quality: own?.engagement.quality ?? null,
    },
    {
      ...common,
      ...{ name: bestHourName(channel), value: best_hour.value, null_reason: best_hour.null_reason, horizon_days: null, band: null },
      model: own && HOUR_MODEL,
      explanation: { inputs, p_alive: null, percentile: null, baseline: null, drivers: [] },
      quality: null,
    },
  ];
}

function driverOf({ delivered, engaged }: EngagementInputs, rate: number, baseline: number): EngagementDriver {
  const by = rate - baseline;
  return {
    factor: 'engagement',
    direction: Math.abs(by) < NOTICEABLE ? 'neutral' : by > 0 ? 'raises' : 'lowers',
    text: `Engaged with ${engaged} of ${delivered} messages; of all messages of the account that were predicted, ${Math.round(baseline * 100)} % were engaged with.`,
  };
}

/** What is known of the scores of channels for the whole account. */
export function accountChannelScores(model: EngagementModel | null, now: number): AccountScore[] {
  return channelNames.flatMap((channel) => {
    const own = channelInForce(model, channel);
    if (!own) return [];
    return [
      {
        ...{ name: engagementName(channel), model, null_reason: channelReason(own, 'engagement', now), horizon_days: ENGAGE_DAYS },
        figures: own.engagement,
      },
      { name: bestHourName(channel), model, null_reason: channelReason(own, 'best_hour', now), horizon_days: null, figures: own.best_hour },
    ];
  });
}
