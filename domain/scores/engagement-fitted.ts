/** The models of an account's messages that are in force, complete in one event: how contacts engage, and at which hours. */
import { type EventOf, eventType } from '../kernel/event.js';
import { count, list, mapOf, nullable, numberOf, record, type Static, text, time } from '../kernel/schema.js';
import { scoreFigures } from './score-model.js';

const number = numberOf();

const channelModel = record({
  /** Delivered messages and contacts that were used. */
  messages: count,
  contacts: count,
  /** Of the beta-binomial model; null if there are too few data. */
  prior: nullable(record({ alpha: number, beta: number })),
  engagement: scoreFigures,
  /** The share of each local hour in all engagements, from midnight; empty if there are too few. */
  hours: list(number),
  /** How strongly the hours of the account bind its contacts; null if there are too few data. */
  kappa: nullable(number),
  best_hour: scoreFigures,
});
export type ChannelModel = Static<typeof channelModel>;

export const EngagementModelFitted = eventType(
  'EngagementModelFitted',
  record({
    job_id: text,
    /** Of the account, from 1. */
    model_version: count,
    /** By channel: those with delivered messages. */
    channels: mapOf(channelModel),
    at: time,
  }),
);
export const engagementModelEvents = [EngagementModelFitted] as const;
export type EngagementModelFittedEvent = EventOf<typeof EngagementModelFitted>;
export type EngagementModel = EngagementModelFittedEvent['data'];

/** Of one account: one event a fit. */
export const engagementModelStream = (account: string): string => `engagementModel-${account}`;
