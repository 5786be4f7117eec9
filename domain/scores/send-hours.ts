/**
 * The hour of the day at which somebody engages most: a Dirichlet-multinomial model with the account's hours as prior. Its
 * strength `kappa` is fitted, because a fixed weak prior makes the choice worse where people have no habits.
 */
import { minimize } from './nelder-mead.js';
import { logGamma } from './special-functions.js';

/** Number of engagements by local hour, 0 to 23. */
export type HourCounts = readonly number[];

const HOURS = 24;
const BIN_HOURS = 3;
/** A strength above this says that people do not differ in their hours. */
export const MAX_KAPPA = 40;
/** The local hour where an account knows nothing. */
export const DEFAULT_HOUR = 17;
/** So that an hour without any engagement stays possible. */
const SMALLEST_SHARE = 1e-6;
const MAX_LOG_KAPPA = Math.log(1e6);

/** The share of each hour in all engagements of an account, smoothed. Equal shares without any. */
export function accountHours(contacts: Iterable<HourCounts>): readonly number[] {
  const total = new Array<number>(HOURS).fill(0);
  for (const counts of contacts) for (const [hour, count] of counts.entries()) total[hour] = (total[hour] ?? 0) + count;
  return shares(smooth(total));
}

/** The strength of the account's hours for its contacts, by maximum likelihood over bins of three hours. */
export function fitKappa(contacts: readonly HourCounts[], prior: readonly number[]): number {
  const bins = (hours: readonly number[]): number[] =>
    Array.from({ length: HOURS / BIN_HOURS }, (_, bin) => sum(hours.slice(bin * BIN_HOURS, (bin + 1) * BIN_HOURS)));
  const shared = shares(bins(prior).map((share) => Math.max(share, SMALLEST_SHARE)));
  const binned = contacts.map(bins);
  const loss = ([log = 0]: readonly number[]): number => {
    const kappa = Math.exp(Math.min(log, MAX_LOG_KAPPA));
    return -binned.reduce((total, counts) => total + binnedLogLikelihood(kappa, shared, counts), 0);
  };
  const [log = 0] = minimize(loss, [Math.log(10)]).point;
  return Math.exp(Math.min(log, MAX_LOG_KAPPA));
}

function binnedLogLikelihood(kappa: number, prior: readonly number[], counts: readonly number[]): number {
  const bins = counts.map((count, bin) => (count === 0 ? 0 : logGamma(kappa * (prior[bin] ?? 0) + count) - logGamma(kappa * (prior[bin] ?? 0))));
  return logGamma(kappa) - logGamma(kappa + sum(counts)) + sum(bins);
}

/** The shares of the hours for one contact: its own engagements and the account's, smoothed. */
export const contactHours = (counts: HourCounts, prior: readonly number[], kappa: number): readonly number[] =>
  shares(smooth(counts.map((count, hour) => count + kappa * (prior[hour] ?? 0))));

/** The hour with the largest share within an hour of it, among the allowed ones; the earliest of equal ones. Null if none is allowed. */
export function bestHour(hours: readonly number[], isAllowed: (hour: number) => boolean = () => true): number | null {
  const around = (hour: number): number => sum([-1, 0, 1].map((shift) => hours[(hour + shift + HOURS) % HOURS] ?? 0));
  const allowed = hours.map((_, hour) => hour).filter(isAllowed);
  return allowed.reduce<number | null>((best, hour) => (best === null || around(hour) > around(best) + Number.EPSILON ? hour : best), null);
}

/** Each hour with a quarter of its neighbors'. The day is a circle. */
const smooth = (hours: readonly number[]): number[] =>
  hours.map((own, hour) => ((hours[(hour + HOURS - 1) % HOURS] ?? 0) + 2 * own + (hours[(hour + 1) % HOURS] ?? 0)) / 4);

function shares(values: readonly number[]): readonly number[] {
  const total = sum(values);
  return values.map((value) => (total > 0 ? value / total : 1 / values.length));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
