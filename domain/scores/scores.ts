/** The scores: their names, units and horizons, and why one has no value. */
import { type ChannelName, channelNames } from '../kernel/channels.js';

export const scoreNames = [
  'purchase_probability_30d',
  'purchase_probability_90d',
  'churn_probability',
  'expected_orders_365d',
  'predicted_clv_365d',
  'historic_clv',
  'expected_next_order_at',
] as const;
export type ScoreName = (typeof scoreNames)[number];

/** Of each channel: how likely somebody engages with the next message, and at which local hour somebody engages most. */
export type ChannelScoreName = `engagement_${ChannelName}` | `best_send_hour_${ChannelName}`;
export const engagementName = (channel: ChannelName) => `engagement_${channel}` as const;
export const bestHourName = (channel: ChannelName) => `best_send_hour_${channel}` as const;
export const channelScoreNames: readonly ChannelScoreName[] = channelNames.flatMap((channel) => [engagementName(channel), bestHourName(channel)]);

/**
 * `insufficient_account_data`: the account has too few buyers, repeat buyers, days or recent orders, or no fit yet.
 * `insufficient_contact_data`: this contact has too few purchases, or some without a value. `quality_below_gate`: the back-test was not
 * good enough. `no_currency`: the purchases do not have one currency. `stale`: the last fit is too long ago.
 */
export const nullReasons = ['insufficient_account_data', 'insufficient_contact_data', 'quality_below_gate', 'no_currency', 'stale'] as const;
export type NullReason = (typeof nullReasons)[number];

export const bands = ['low', 'medium', 'high'] as const;
export type Band = (typeof bands)[number];

const YEAR_DAYS = 365;
/** What orders, spending and dates are judged by: the back-test over so many days. */
const GENERAL_HORIZON = 90;

/** Days that a score looks ahead; null for a date and for the past. `churn`: the account's churn window. */
export function horizonOf(name: ScoreName, churnDays: number): number | null {
  switch (name) {
    case 'purchase_probability_30d':
      return 30;
    case 'purchase_probability_90d':
      return 90;
    case 'churn_probability':
      return churnDays;
    case 'expected_orders_365d':
    case 'predicted_clv_365d':
      return YEAR_DAYS;
    case 'expected_next_order_at':
    case 'historic_clv':
      return null;
    default:
      return name satisfies never;
  }
}

/** The days that are held out to test a score. */
export function testedDays(name: ScoreName, churnDays: number): number {
  const days = horizonOf(name, churnDays);
  return days === null || days === YEAR_DAYS ? GENERAL_HORIZON : days;
}

/** A sum of the past, which needs no model. */
export const isFact = (name: ScoreName): boolean => name === 'historic_clv';

/** Scores that are numbers: they have bands, and rules may ask for them. */
export const isNumeric = (name: ScoreName): boolean => name !== 'expected_next_order_at';

/** Scores whose changes are recorded: contacts show them, and rules of segments may ask for them. */
export const recordedNames: readonly string[] = [...scoreNames.filter(isNumeric), ...channelNames.map(engagementName)];

/** The days of a churn window such as `P90D`. */
export const churnDaysOf = (window: string): number => Number(window.slice(1, -1));
