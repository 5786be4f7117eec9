import type { Settings } from '../../domain/accounts/settings.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import { DomainError } from '../../domain/kernel/errors.js';
import {
  capsFor,
  decide,
  durationMs,
  evolve,
  type FrequencyCap,
  type FrequencyEvent,
  type FrequencySlots,
  frequencyStream,
  hasRoom,
  holdsSlot,
} from '../../domain/messages/frequency.js';
import type { EventLog } from '../../log/event-log.js';
import type { LogEvent } from '../../log/log-event.js';
import { tryAppend } from '../append.js';
import type { Context } from '../kernel.js';

/** Events per read; the stream is read backwards until it is older than every window. */
const PAGE_SIZE = 50;
/** For concurrent takers of one recipient: each lost attempt is one that another taker has won. */
const MAX_ATTEMPTS = 50;

/** Ids under which the slots of one recipient are recorded: the contact, its merged contacts, its address keys. New slots go to the first. */
export type FrequencySubjects = readonly [string, ...string[]];

export interface CappedMessage {
  readonly message_id: string;
  readonly channel: ChannelName;
  /** Of the account. */
  readonly caps: readonly FrequencyCap[];
}

export const frequencyCapsOf = ({ frequency_caps }: Pick<Settings, 'frequency_caps'>): FrequencyCap[] =>
  frequency_caps.map(({ channel, max, per }) => ({ channel, max, perMs: durationMs(per) }));

/** Whether a slot would be free for a message at a time, as far as is known now. Takes none. */
export async function hasFreeSlot(
  log: EventLog,
  subjects: FrequencySubjects,
  { message_id, channel, caps }: CappedMessage,
  at: string,
): Promise<boolean> {
  const held = capsFor(caps, channel);
  if (held.length === 0) return true;
  const places = (await Promise.all(subjects.map((subject) => loadRecentSlots(log, subject, held, at)))).flatMap((tail) => tail.places);
  return holdsSlot(places, message_id) || hasRoom(places, held, channel, at);
}

/** Takes a slot for a message. 'none': all are taken. 'had': it holds one already, or needs none. Throws `conflict` after 50 attempts. */
export async function takeSlot(
  context: Context,
  subjects: FrequencySubjects,
  { message_id, channel, caps }: CappedMessage,
): Promise<'taken' | 'had' | 'none'> {
  const held = capsFor(caps, channel);
  if (held.length === 0) return 'had';
  const [subject, ...others] = subjects;
  return context.exclusively([frequencyStream(subject)], async () => {
    const otherSlots = (await Promise.all(others.map((other) => loadRecentSlots(context.log, other, held, context.now)))).flatMap(
      ({ places }) => places,
    );
    if (holdsSlot(otherSlots, message_id)) return 'had';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { places, revision } = await loadRecentSlots(context.log, subject, held, context.now);
      if (holdsSlot(places, message_id)) return 'had';
      const events = decide({ type: 'Take', subject, message_id, channel, caps: held, otherSlots, now: context.now }, places);
      if (events.length === 0) return 'none';
      if (await tryAppend(context, frequencyStream(subject), revision, events)) return 'taken';
    }
    throw new DomainError('conflict', 'Other messages to the same recipient are being sent. Try again.');
  });
}

/** Releases the slot of a message that is not handed over after all. */
export async function releaseSlot(context: Context, [subject]: FrequencySubjects, { message_id, channel, caps }: CappedMessage): Promise<void> {
  const held = capsFor(caps, channel);
  if (held.length === 0) return;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { places, revision } = await loadRecentSlots(context.log, subject, held, context.now);
    const events = decide({ type: 'Release', subject, message_id, now: context.now }, places);
    if (events.length === 0 || (await tryAppend(context, frequencyStream(subject), revision, events))) return;
  }
}

/** The slots within the longest window, and the revision of the stream. Older events are not read. */
async function loadRecentSlots(
  log: EventLog,
  subject: string,
  caps: readonly FrequencyCap[],
  at: string,
): Promise<{ places: FrequencySlots; revision: number }> {
  const since = Date.parse(at) - Math.max(...caps.map(({ perMs }) => perMs));
  const tail: LogEvent<FrequencyEvent>[] = [];
  let from: number | undefined;
  do {
    const options = { backwards: true, limit: PAGE_SIZE, ...(from !== undefined && { from }) };
    const page = ((await log.readSealed(frequencyStream(subject), options)) ?? []) as LogEvent<FrequencyEvent>[];
    tail.push(...page);
    const last = page.at(-1);
    const beyond = page.some(({ event }) => event.type === 'FrequencyPlaceTaken' && Date.parse(event.data.at) <= since);
    from = last && page.length === PAGE_SIZE && !beyond ? last.revision - 1 : -1;
  } while (from >= 0);
  const places = tail.reduceRight<FrequencySlots>((known, { event }) => evolve(known, event), []);
  return { places, revision: tail[0]?.revision ?? -1 };
}
