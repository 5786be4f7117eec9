/** When a campaign's message goes out: local times of a zone, windows of the week, and how late is too late. */
import { DAY_MS, dayOfWeek, instantOf, timeOfDayMs, type UtcOffsetAt } from '../kernel/clocks.js';
import { type BestHourOf, bestTime } from './best-time.js';
import type { Schedule, SendWindow } from './definition.js';

const MINUTE = 60_000;
/** Clocks are ahead of UTC by at most this much. */
const EARLIEST_ZONE = 14 * 60 * MINUTE;

/** The instant at which clocks of one zone show what those of another one show at `ms`. */
export const sameLocalTime = (ms: number, from: UtcOffsetAt, to: UtcOffsetAt): number => instantOf(ms + from(ms), to);

/** The first instant at which a local time comes anywhere. */
export const earliestAnywhere = (ms: number, from: UtcOffsetAt): number => ms + from(ms) - EARLIEST_ZONE;

/** The first instant from `ms` on that lies in the window; `ms` itself if it does. The start belongs to it, the end does not. */
export function nextOpening({ days, start, end }: SendWindow, ms: number, offsetAt: UtcOffsetAt): number {
  const local = ms + offsetAt(ms);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  for (let day = 0; day <= 8; day++) {
    const from = midnight + day * DAY_MS;
    if (!days.includes(dayOfWeek(from))) continue;
    const opens = instantOf(from + timeOfDayMs(start), offsetAt);
    const closes = instantOf(from + timeOfDayMs(end), offsetAt);
    if (ms < closes && opens < closes) return Math.max(ms, opens);
  }
  return ms;
}

export interface SendTimeOf {
  readonly schedule: Schedule | null;
  /** When the campaign was to start; null where it was started by hand: its time to send then does not count. */
  readonly scheduledFor: string | null;
  readonly now: string;
  /** Of the schedule, or else the account. */
  readonly zone: UtcOffsetAt;
  /** Of the contact, where it is known. */
  readonly contactZone: UtcOffsetAt | null;
  /** Set where it is messaged at its best hour. */
  readonly best?: BestHourOf | null;
}

/** `at` is null for at once. */
export type SendTime = { readonly at: string | null; readonly because: 'send_at' | 'window' } | 'too_late';

/** When one contact is messaged. */
export function sendTimeOf({ schedule, scheduledFor, now, zone, contactZone, best = null }: SendTimeOf): SendTime {
  const nowMs = Date.parse(now);
  const byContact = schedule?.use_contact_timezone === true;
  const local = (byContact ? contactZone : null) ?? zone;
  const wanted = wantedTime(schedule, scheduledFor, byContact, zone, local);
  const due = Math.max(nowMs, wanted ?? nowMs);
  const window = schedule?.window;
  const opening = (ms: number): number => (window ? nextOpening(window, ms, local) : ms);
  const opened = opening(due);
  const limit = schedule?.skip_if_late_seconds;
  const latest = limit !== undefined && wanted !== null ? wanted + limit * 1_000 : Number.POSITIVE_INFINITY;
  if (opened > latest) return 'too_late';
  const at = best ? bestTime(opened, contactZone ?? zone, best, (ms) => ms <= latest && opening(ms) === ms) : opened;
  return { at: at > nowMs ? new Date(at).toISOString() : null, because: opened > due ? 'window' : 'send_at' };
}

function wantedTime(
  schedule: Schedule | null,
  scheduledFor: string | null,
  byContact: boolean,
  zone: UtcOffsetAt,
  local: UtcOffsetAt,
): number | null {
  if (scheduledFor === null) return null;
  return byContact && schedule?.send_at ? sameLocalTime(Date.parse(schedule.send_at), zone, local) : Date.parse(scheduledFor);
}
