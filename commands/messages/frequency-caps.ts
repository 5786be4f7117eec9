import type { Settings } from '../../domain/accounts/settings.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { ChannelName } from '../../domain/messages/channels.js';
import {
  type Cap,
  capsOn,
  decide,
  durationMs,
  evolve,
  type FrequencyEvent,
  frequencyStream,
  hasPlace,
  hasRoom,
  type Places,
} from '../../domain/messages/frequency.js';
import type { EventLog, LogEvent } from '../../log/event-log.js';
import { appendAt } from '../appending.js';
import type { Context } from '../kernel.js';

/** Read at a time, backwards, until no window reaches back any further. */
const PAGE = 50;
/** Nodes that are about the same person at once: each time one of them has gone on. */
const ATTEMPTS = 50;

/** Under whose names the places of one person stand: new ones under the first. */
export type Subjects = readonly [string, ...string[]];

export interface CappedMessage {
  readonly message_id: string;
  readonly channel: ChannelName;
  /** Those of the account, `capsOf`. */
  readonly caps: readonly Cap[];
}

export const capsOf = ({ frequency_caps }: Pick<Settings, 'frequency_caps'>): Cap[] =>
  frequency_caps.map(({ channel, max, per }) => ({ channel, max, perMs: durationMs(per) }));

/** Whether a message would get a place at a moment, as far as is known now. Takes none. */
export async function mayTakePlace(log: EventLog, subjects: Subjects, { message_id, channel, caps }: CappedMessage, at: string): Promise<boolean> {
  const held = capsOn(caps, channel);
  if (held.length === 0) return true;
  const places = (await Promise.all(subjects.map((subject) => tailOf(log, subject, held, at)))).flatMap((tail) => tail.places);
  return hasPlace(places, message_id) || hasRoom(places, held, channel, at);
}

/** Takes a place for a message: 'none' where all are taken, 'had' where it has one already, or needs none. */
export async function takePlace(
  context: Context,
  subjects: Subjects,
  { message_id, channel, caps }: CappedMessage,
): Promise<'taken' | 'had' | 'none'> {
  const held = capsOn(caps, channel);
  if (held.length === 0) return 'had';
  const [subject, ...others] = subjects;
  return context.turn([frequencyStream(subject)], async () => {
    const elsewhere = (await Promise.all(others.map((other) => tailOf(context.log, other, held, context.now)))).flatMap(({ places }) => places);
    if (hasPlace(elsewhere, message_id)) return 'had';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { places, revision } = await tailOf(context.log, subject, held, context.now);
      if (hasPlace(places, message_id)) return 'had';
      const events = decide({ type: 'Take', subject, message_id, channel, caps: held, elsewhere, now: context.now }, places);
      if (events.length === 0) return 'none';
      if (await appendAt(context, frequencyStream(subject), revision, events)) return 'taken';
    }
    throw new DomainError('conflict', 'Others write to the same person at the same time. Try again.');
  });
}

/** Gives back the place of a message that does not go after all. */
export async function releasePlace(context: Context, [subject]: Subjects, { message_id, channel, caps }: CappedMessage): Promise<void> {
  const held = capsOn(caps, channel);
  if (held.length === 0) return;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { places, revision } = await tailOf(context.log, subject, held, context.now);
    const events = decide({ type: 'Release', subject, message_id, now: context.now }, places);
    if (events.length === 0 || (await appendAt(context, frequencyStream(subject), revision, events))) return;
  }
}

/** The places that some window still reaches back to, and where the stream ends. What lies before is not read. */
async function tailOf(log: EventLog, subject: string, caps: readonly Cap[], at: string): Promise<{ places: Places; revision: number }> {
  const since = Date.parse(at) - Math.max(...caps.map(({ perMs }) => perMs));
  const tail: LogEvent<FrequencyEvent>[] = [];
  let from: number | undefined;
  do {
    const options = { backwards: true, limit: PAGE, ...(from !== undefined && { from }) };
    const page = ((await log.readSealed(frequencyStream(subject), options)) ?? []) as LogEvent<FrequencyEvent>[];
    tail.push(...page);
    const last = page.at(-1);
    const beyond = page.some(({ event }) => event.type === 'FrequencyPlaceTaken' && Date.parse(event.data.at) <= since);
    from = last && page.length === PAGE && !beyond ? last.revision - 1 : -1;
  } while (from >= 0);
  const places = tail.reduceRight<Places>((known, { event }) => evolve(known, event), []);
  return { places, revision: tail[0]?.revision ?? -1 };
}
