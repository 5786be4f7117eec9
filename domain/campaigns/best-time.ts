/** When a message goes out that is sent at the best hour of its recipient. */
import { instantOf, type UtcOffsetAt } from '../kernel/clocks.js';
import { endOfQuietHours, type QuietHours } from '../messages/quiet-hours.js';
import { bestHour, DEFAULT_HOUR } from '../scores/send-hours.js';

export interface BestHourOf {
  /** The share of each local hour, from midnight; null where neither the contact's nor the account's are known. */
  readonly hours: readonly number[] | null;
  /** From 0 to 9,999, always the same for a message: the lowest tenth tries another hour, so that habits that change are noticed. */
  readonly bucket: number;
  /** None for what is sent in quiet hours, too. */
  readonly quiet: QuietHours | null;
}

const HOUR = 3_600_000;
const HOURS = 24;
const EXPLORED = 1_000;

/**
 * The start of the best hour by the recipient's clocks within the 24 hours from `from`, or `from` itself if that is within the hour.
 * Only hours outside quiet hours and with an allowed start are taken; without one it is the first time after quiet hours. All in
 * milliseconds since 1970.
 */
export function bestTime(
  from: number,
  offsetAt: UtcOffsetAt,
  { hours, bucket, quiet }: BestHourOf,
  isAllowed: (ms: number) => boolean = () => true,
): number {
  const first = quiet ? endOfQuietHours(quiet, from, offsetAt) : from;
  const starts = startsOfHours(first, offsetAt).filter(({ at }) => (!quiet || endOfQuietHours(quiet, at, offsetAt) === at) && isAllowed(at));
  const explored = bucket < EXPLORED ? starts[Math.floor((bucket / EXPLORED) * starts.length)] : undefined;
  if (explored) return explored.at;
  const allowed = new Map(starts.map(({ hour, at }) => [hour, at]));
  const best = bestHour(hours ?? AROUND_DEFAULT, (hour) => allowed.has(hour));
  return (best === null ? undefined : allowed.get(best)) ?? first;
}

/** The nearer to the default the better. */
const AROUND_DEFAULT = Array.from({ length: HOURS }, (_, hour) => {
  const distance = Math.abs(hour - DEFAULT_HOUR);
  return 1 / (1 + Math.min(distance, HOURS - distance));
});

/** Each hour of the day once, with the first instant from `from` on at which clocks show it. */
function startsOfHours(from: number, offsetAt: UtcOffsetAt): { readonly hour: number; readonly at: number }[] {
  const local = Math.floor((from + offsetAt(from)) / HOUR);
  return Array.from({ length: HOURS }, (_, i) => ({ hour: (local + i) % HOURS, at: i === 0 ? from : instantOf((local + i) * HOUR, offsetAt) }));
}
