/** What is known of the messages that reached a contact: when, and when the person engaged with each for the first time. */

import type { ChannelName } from '../kernel/channels.js';
import { DAY_MS, type UtcOffsetAt } from '../kernel/clocks.js';
import { decayed, type EngagementCounts } from './engagement-model.js';
import type { HourCounts } from './send-hours.js';

/** Milliseconds since 1970. An open, click, read or reply by the person counts, not one by a program. */
export interface ReachedMessage {
  readonly delivered: number;
  readonly engaged: number | null;
}

export type ReachedByChannel = ReadonlyMap<ChannelName, readonly ReachedMessage[]>;

/** A page of contacts in the order of their creation, with the messages that reached each. */
export interface ReachedPage {
  readonly contacts: readonly { readonly contact_id: string; readonly reached: ReachedByChannel }[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

const HOUR_MS = 3_600_000;
/** Older messages do not count. */
export const COUNTED_DAYS = 180;
/** An engagement counts within so many days; before they are over a message does not count, as it may still be engaged with. */
export const ENGAGE_DAYS = 7;
/** Somebody who has never engaged. */
const NEVER_DAYS = 365;

export interface ContactCounts extends EngagementCounts {
  /** Messages that count, each as one. */
  readonly messages: number;
  readonly engagements: number;
}

/** Whether the person engaged in time, by what was known at `at`. */
const isEngaged = ({ delivered, engaged }: ReachedMessage, at: number): boolean =>
  engaged !== null && engaged <= at && engaged - delivered <= ENGAGE_DAYS * DAY_MS;

/** What counts at a time. */
export function countsAt(messages: readonly ReachedMessage[], at: number): ContactCounts {
  let [delivered, engaged, count, engagements] = [0, 0, 0, 0];
  for (const message of messages) {
    const days = (at - message.delivered) / DAY_MS;
    if (days < ENGAGE_DAYS || days > COUNTED_DAYS) continue;
    const weight = decayed(days);
    count++;
    delivered += weight;
    if (!isEngaged(message, at)) continue;
    engagements++;
    engaged += weight;
  }
  return { delivered, engaged, messages: count, engagements };
}

/** Days since the last engagement that was known at `at`. */
export function engagementRecency(messages: readonly ReachedMessage[], at: number): number {
  const last = messages.reduce((most, { engaged }) => (engaged !== null && engaged <= at ? Math.max(most, engaged) : most), Number.NEGATIVE_INFINITY);
  return Math.min(NEVER_DAYS, Math.floor((at - last) / DAY_MS));
}

/** Whether the first message that reached somebody within the days after `at` was engaged with in time; null if none did. */
export function nextEngagement(messages: readonly ReachedMessage[], at: number, days: number): boolean | null {
  let next: ReachedMessage | null = null;
  for (const one of messages) if (one.delivered > at && one.delivered <= at + days * DAY_MS && (!next || one.delivered < next.delivered)) next = one;
  return next && isEngaged(next, Number.POSITIVE_INFINITY);
}

/** Engagements of the counted days by local hour. */
export function hourCounts(messages: readonly ReachedMessage[], at: number, offsetAt: UtcOffsetAt): HourCounts {
  const counts = new Array<number>(24).fill(0);
  for (const { engaged } of messages) {
    if (engaged === null || engaged > at || engaged < at - COUNTED_DAYS * DAY_MS) continue;
    const hour = Math.floor((engaged + offsetAt(engaged)) / HOUR_MS) % 24;
    counts[hour] = (counts[hour] ?? 0) + 1;
  }
  return counts;
}
