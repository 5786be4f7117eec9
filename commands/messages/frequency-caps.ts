import type { Settings } from '../../domain/accounts/settings.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import { DomainError } from '../../domain/kernel/errors.js';
import {
  capsFor,
  decide,
  evolve,
  type FrequencyCap,
  type FrequencyEvent,
  type FrequencySlots,
  type FullCap,
  frequencyStream,
  fullCap,
  holdsSlot,
  nextSlotTime,
  settingsDurationMs,
} from '../../domain/messages/frequency.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { tryAppend } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';

/** Events per read; the stream is read backwards until it is older than every window. */
const PAGE_SIZE = 50;
/** Each failed attempt means that another message of the same recipient took or released a slot. */
const MAX_ATTEMPTS = 50;

/** Ids under which the slots of one recipient are recorded: the contact, its merged contacts, its address keys. New slots go to the first. */
export type FrequencySubjects = readonly [string, ...string[]];

export interface CappedMessage {
  readonly message_id: string;
  readonly channel: ChannelName;
  /** Of the account. */
  readonly caps: readonly FrequencyCap[];
  /** No cap refuses it; it counts for later ones. */
  readonly beyond?: boolean;
}

export const frequencyCapsOf = ({ frequency_caps }: Pick<Settings, 'frequency_caps'>): FrequencyCap[] =>
  frequency_caps.map(({ channel, max, per }) => ({ channel, max, per, perMs: settingsDurationMs(per) }));

/** The cap that leaves no slot for a message at a time, by the slots recorded so far, or null. Takes none. */
export async function findFullCap(
  log: EventLog,
  subjects: FrequencySubjects,
  { message_id, channel, caps, beyond = false }: CappedMessage,
  at: string,
): Promise<FullCap | null> {
  const held = capsFor(caps, channel);
  if (held.length === 0 || beyond) return null;
  const slots = (await Promise.all(subjects.map((subject) => loadRecentSlots(log, subject, held, at)))).flatMap((tail) => tail.slots);
  return holdsSlot(slots, message_id) ? null : fullCap(slots, held, channel, at);
}

/** Takes a slot for a message. The cap that leaves none, where all are taken. 'had': it already has one, or needs none. Throws `conflict` after 50 attempts. */
export async function takeSlot(
  context: Context,
  subjects: FrequencySubjects,
  { message_id, channel, caps, beyond = false }: CappedMessage,
): Promise<'taken' | 'had' | FullCap> {
  const held = capsFor(caps, channel);
  if (held.length === 0) return 'had';
  const [subject, ...others] = subjects;
  return context.exclusively([frequencyStream(subject)], async () => {
    const otherSlots = (await Promise.all(others.map((other) => loadRecentSlots(context.log, other, held, context.now)))).flatMap(
      ({ slots }) => slots,
    );
    if (holdsSlot(otherSlots, message_id)) return 'had';
    // Own retries, because the messages of a bulk that wait for the same recipient exceed the retries of the dispatcher.
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { slots, revision } = await loadRecentSlots(context.log, subject, held, context.now);
      if (holdsSlot(slots, message_id)) return 'had';
      const events = decide({ type: 'ReserveSlot', subject, message_id, channel, caps: held, otherSlots, beyond, now: context.now }, slots);
      const full = events.length === 0 && fullCap([...otherSlots, ...slots], held, channel, nextSlotTime(slots, context.now));
      if (full) return full;
      if (await tryAppend(context, frequencyStream(subject), revision, events)) return 'taken';
    }
    throw new DomainError('conflict', 'Other messages to the same recipient are being sent. Try again.');
  });
}

/** Releases the slot of a message that is not dispatched after all. */
export async function releaseSlot(context: Context, [subject]: FrequencySubjects, { message_id, channel, caps }: CappedMessage): Promise<void> {
  const held = capsFor(caps, channel);
  if (held.length === 0) return;
  // Own retries, because the dispatch is already decided: a retry by the dispatcher would decide it again.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { slots, revision } = await loadRecentSlots(context.log, subject, held, context.now);
    const events = decide({ type: 'Release', subject, message_id, now: context.now }, slots);
    if (events.length === 0 || (await tryAppend(context, frequencyStream(subject), revision, events))) return;
  }
}

/** The slots within the longest window, and the revision of the stream. Older events are not read. */
async function loadRecentSlots(
  log: EventLog,
  subject: string,
  caps: readonly FrequencyCap[],
  at: string,
): Promise<{ slots: FrequencySlots; revision: number }> {
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
  const slots = tail.reduceRight<FrequencySlots>((known, { event }) => evolve(known, event), []);
  return { slots, revision: tail[0]?.revision ?? -1 };
}
