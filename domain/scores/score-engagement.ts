/** The scores of one contact on one channel, by the model in force. Pure: the same messages, model and time give the same scores. */

import { type ChannelName, channelNames } from '../kernel/channels.js';
import type { UtcOffsetAt } from '../kernel/clocks.js';
import type { ContactScoreEvent } from './contact-scores.js';
import type { ChannelModel, EngagementModel } from './engagement-fitted.js';
import { engagementProbability } from './engagement-model.js';
import { MIN_ENGAGEMENTS, MIN_MESSAGES } from './fit-engagement.js';
import { type ContactCounts, countsAt, hourCounts, type ReachedByChannel, type ReachedMessage } from './reached-messages.js';
import { changesOf, type OnRecord } from './score-changes.js';
import { bandIn, STALE_MS } from './score-contact.js';
import { engagementName, type NullReason } from './scores.js';
import { bestHour, contactHours } from './send-hours.js';

/** The model of a channel, and when it was fitted (RFC 3339). */
export type ChannelInForce = ChannelModel & { readonly at: string };

export interface ChannelScore {
  readonly value: number | null;
  readonly null_reason: NullReason | null;
}

export interface ChannelScores {
  readonly engagement: ChannelScore;
  /** The local hour, 0 to 23. */
  readonly best_hour: ChannelScore;
  readonly counts: ContactCounts;
}

/** The reason for which no contact of the account has this score; null where it is shown. */
export function channelReason(model: ChannelInForce | null, score: 'engagement' | 'best_hour', now: number): NullReason | null {
  if (!model) return 'insufficient_account_data';
  if (now - Date.parse(model.at) > STALE_MS) return 'stale';
  return model[score].null_reason as NullReason | null;
}

export function scoreChannel(model: ChannelInForce | null, messages: readonly ReachedMessage[], offsetAt: UtcOffsetAt, now: number): ChannelScores {
  const counts = countsAt(messages, now);
  const hours = ownHours(model, messages, offsetAt, now);
  return {
    counts,
    engagement: engagementOf(model, counts, now),
    best_hour: typeof hours === 'string' ? none(hours) : { value: bestHour(hours), null_reason: null },
  };
}

const none = (null_reason: NullReason): ChannelScore => ({ value: null, null_reason });

function engagementOf(model: ChannelInForce | null, counts: ContactCounts, now: number): ChannelScore {
  const reason = channelReason(model, 'engagement', now);
  if (reason !== null) return none(reason);
  if (counts.messages < MIN_MESSAGES) return none('insufficient_contact_data');
  return model?.prior ? { value: engagementProbability(model.prior, counts), null_reason: null } : none('insufficient_account_data');
}

/** Whether contacts can have a value of engagement with any channel. */
export const showsEngagement = ({ channels }: EngagementModel): boolean =>
  Object.values(channels).some(({ engagement }) => engagement.null_reason === null);

/** What is to be recorded of a contact's engagement with all channels. */
export function engagementChanges(
  contact_id: string,
  model: EngagementModel,
  { reached, ...onRecord }: OnRecord & { readonly reached: ReachedByChannel },
  at: string,
): ContactScoreEvent[] {
  const now = Date.parse(at);
  const computed = channelNames.map((channel) => {
    const own = channelInForce(model, channel);
    const { value } = engagementOf(own, countsAt(reached.get(channel) ?? [], now), now);
    return { name: engagementName(channel), value, band: own && bandIn(own.engagement, value) };
  });
  return changesOf(contact_id, computed, onRecord, { model_version: model.model_version, at });
}

/** The model of one channel. */
export function channelInForce(model: EngagementModel | null, channel: ChannelName): ChannelInForce | null {
  const own = model?.channels[channel];
  return model && own ? { ...own, at: model.at } : null;
}

/** The share of each local hour for this contact, or the reason why it is not known. */
function ownHours(model: ChannelInForce | null, messages: readonly ReachedMessage[], offsetAt: UtcOffsetAt, now: number) {
  const reason = channelReason(model, 'best_hour', now);
  if (reason !== null) return reason;
  const counts = hourCounts(messages, now, offsetAt);
  if (counts.reduce((sum, one) => sum + one, 0) < MIN_ENGAGEMENTS) return 'insufficient_contact_data';
  return contactHours(counts, model?.hours ?? [], model?.kappa ?? 0);
}

/**
 * The share of each local hour by which a message to a contact is timed: its own where it has a best hour, or else the account's. Null
 * where neither is known.
 */
export function sendHoursOf(
  model: ChannelInForce | null,
  messages: readonly ReachedMessage[],
  offsetAt: UtcOffsetAt,
  now: number,
): readonly number[] | null {
  const own = ownHours(model, messages, offsetAt, now);
  if (typeof own !== 'string') return own;
  return model && model.hours.length > 0 ? model.hours : null;
}
