import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Final } from './capability.js';
import { DOMAIN, MEMBERS } from './recipients.js';
import type { Run } from './run.js';

/** The channel of a consent or a suppression that means every channel. */
export const EVERY_CHANNEL = 'all';

/** Positions are digits of one length, so they compare as texts. */
export const isAtMost = (position: string, bound: string): boolean => position <= bound;

export const eventsUpTo = <E extends LogEvent>(events: readonly E[], bound: string): readonly E[] =>
  events.filter(({ position }) => isAtMost(position, bound));

/** The events of each stream, in order of the log. */
export function byStream(events: readonly LogEvent[]): ReadonlyMap<string, readonly LogEvent[]> {
  const streams = new Map<string, LogEvent[]>();
  for (const stored of events) {
    const stream = streams.get(stored.stream);
    if (stream) stream.push(stored);
    else streams.set(stored.stream, [stored]);
  }
  return streams;
}

/** The key of the entry that stops a whole domain. */
export const domainKeyOf = ({ log, accountId }: Run): string => log.addressKey(accountId, `*@${DOMAIN}`);

/** The keys of the members of the domain. */
export const memberKeysOf = ({ log, accountId }: Run): ReadonlySet<string> => new Set(MEMBERS.map((member) => log.addressKey(accountId, member)));

/** Whether the contact was never merged, deleted or erased. */
export const isPlain = ({ byStream }: Final, contactId: string): boolean => {
  const events = byStream.get(`contact-${contactId}`) ?? [];
  return events.length > 0 && events.every(({ event }) => event.type === 'ContactCreated' || event.type === 'ContactUpdated');
};

/** The events of all streams whose names begin so, by the rest of the name. */
export function streamsOf({ byStream }: Final, prefix: string): ReadonlyMap<string, readonly LogEvent[]> {
  const found = [...byStream].filter(([stream]) => stream.startsWith(prefix));
  return new Map(found.map(([stream, events]) => [stream.slice(prefix.length), events]));
}
