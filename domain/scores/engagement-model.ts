/**
 * How likely somebody engages with the next message of a channel: a beta-binomial model. A message counts half after 60 days.
 * The prior is that of the account, fitted by maximum likelihood.
 */
import { minimize } from './nelder-mead.js';
import { logBeta } from './special-functions.js';

export interface EngagementPrior {
  readonly alpha: number;
  readonly beta: number;
}

/** Delivered messages and those that were engaged with, both decayed: not whole numbers. */
export interface EngagementCounts {
  readonly delivered: number;
  readonly engaged: number;
}

const HALF_LIFE_DAYS = 60;

/** What a message of `days` ago counts. */
export const decayed = (days: number): number => 0.5 ** (days / HALF_LIFE_DAYS);

const START = [Math.log(1), Math.log(5)];

export function fitEngagement(contacts: readonly EngagementCounts[]): EngagementPrior {
  const toPrior = ([alpha = 0, beta = 0]: readonly number[]): EngagementPrior => ({ alpha: Math.exp(alpha), beta: Math.exp(beta) });
  const loss = (point: readonly number[]): number => {
    const { alpha, beta } = toPrior(point);
    const prior = logBeta(alpha, beta);
    return -contacts.reduce((sum, { delivered, engaged }) => sum + logBeta(alpha + engaged, beta + delivered - engaged) - prior, 0);
  };
  return toPrior(minimize(loss, minimize(loss, START).point).point);
}

/** The expected probability of a contact, with the counts as of now. */
export const engagementProbability = ({ alpha, beta }: EngagementPrior, { delivered, engaged }: EngagementCounts): number =>
  (alpha + engaged) / (alpha + beta + delivered);
