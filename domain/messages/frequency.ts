/**
 * Frequency caps: each marketing message takes a slot of its recipient before dispatch, and a cap limits the slots within a
 * rolling window. The slots of a recipient are in one stream, so two concurrent messages never both get the last one. The
 * stored events call a slot "place".
 */

import type { Aggregate } from '../kernel/aggregate.js';
import { type ChannelName, channelNames } from '../kernel/channels.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { oneOf, record, text, time } from '../kernel/schema.js';

// Events

/** `subject` is the contact, or the key of an address that no contact has. */
export const FrequencyPlaceTaken = eventType(
  'FrequencyPlaceTaken',
  record({ subject: text, message_id: text, channel: oneOf(...channelNames), at: time }),
);
/** The message is not dispatched after all: it was canceled, or it expired. */
export const FrequencyPlaceReleased = eventType('FrequencyPlaceReleased', record({ subject: text, message_id: text, at: time }));

export const frequencyEvents = [FrequencyPlaceTaken, FrequencyPlaceReleased] as const;
export type FrequencyEvent = EventOf<(typeof frequencyEvents)[number]>;

// State

export interface FrequencySlot {
  readonly message_id: string;
  readonly channel: ChannelName;
  /** RFC 3339 in milliseconds. */
  readonly at: string;
}

/** In the order in which they were taken. Slots older than every window may be left out. */
export type FrequencySlots = readonly FrequencySlot[];

export function evolve(slots: FrequencySlots, event: FrequencyEvent): FrequencySlots {
  switch (event.type) {
    case 'FrequencyPlaceTaken': {
      const { message_id, channel, at } = event.data;
      return [...slots, { message_id, channel, at }];
    }
    case 'FrequencyPlaceReleased':
      return slots.filter(({ message_id }) => message_id !== event.data.message_id);
    default:
      return event satisfies never;
  }
}

/** At most `max` messages within `perMs` milliseconds, on one channel or on all together. */
export interface FrequencyCap {
  readonly channel: ChannelName | 'any';
  readonly max: number;
  /** ISO 8601. */
  readonly per: string;
  readonly perMs: number;
}

/** The caps that apply to a channel. */
export const capsFor = (caps: readonly FrequencyCap[], channel: string): FrequencyCap[] =>
  caps.filter((cap) => cap.channel === 'any' || cap.channel === channel);

/** A cap that allows no more messages at a time. */
export interface FullCap {
  readonly cap: FrequencyCap;
  /** Times of the messages within its window, the earliest first. */
  readonly times: readonly string[];
}

/** The first cap that does not allow one more message at a time, or null. */
export function fullCap(slots: FrequencySlots, caps: readonly FrequencyCap[], channel: string, at: string): FullCap | null {
  const now = Date.parse(at);
  for (const cap of capsFor(caps, channel)) {
    const counted = slots.filter((slot) => (cap.channel === 'any' || cap.channel === slot.channel) && Date.parse(slot.at) > now - cap.perMs);
    if (counted.length >= cap.max) return { cap, times: counted.map((slot) => slot.at).sort() };
  }
  return null;
}

/** When a full cap has room again, if no more messages are sent. */
export function roomAgainAt({ cap, times }: FullCap): string {
  const next = times[times.length - cap.max] ?? '';
  return new Date(Date.parse(next) + cap.perMs).toISOString();
}

/** ISO 8601 without years and months, as the settings hold it, in milliseconds. */
export function settingsDurationMs(duration: string): number {
  const found = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (found ?? []).slice(1).map((part) => Number(part ?? 0));
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}

// Commands

export type FrequencyCommand =
  | {
      type: 'ReserveSlot';
      subject: string;
      message_id: string;
      channel: ChannelName;
      caps: readonly FrequencyCap[];
      /** Slots of the same recipient in other streams: of its addresses and of contacts merged into it. */
      otherSlots: FrequencySlots;
      /** It takes a slot even where none is free. */
      beyond?: boolean;
      now: string;
    }
  | { type: 'Release'; subject: string; message_id: string; now: string };

/** The time of the next slot. Clocks of nodes differ: a later slot never gets an earlier time. */
export const nextSlotTime = (slots: FrequencySlots, now: string): string => slots.reduce((latest, { at }) => (at > latest ? at : latest), now);

/** Takes a slot if one is free, or `beyond` is true. A message keeps its slot even if the caps have changed. */
export function decide(command: FrequencyCommand, slots: FrequencySlots): readonly FrequencyEvent[] {
  const { subject, message_id, now } = command;
  const has = slots.some((slot) => slot.message_id === message_id);
  switch (command.type) {
    case 'ReserveSlot': {
      const { channel, caps, otherSlots, beyond = false } = command;
      const at = nextSlotTime(slots, now);
      if (has || holdsSlot(otherSlots, message_id)) return [];
      if (!beyond && fullCap([...otherSlots, ...slots], caps, channel, at)) return [];
      return [{ type: 'FrequencyPlaceTaken', data: { subject, message_id, channel, at } }];
    }
    case 'Release':
      return has ? [{ type: 'FrequencyPlaceReleased', data: { subject, message_id, at: now } }] : [];
    default:
      return command satisfies never;
  }
}

export const holdsSlot = (slots: FrequencySlots, messageId: string): boolean => slots.some(({ message_id }) => message_id === messageId);

// Stream

export const frequencyStream = (subject: string): string => `frequency-${subject}`;

export const frequency: Aggregate<FrequencySlots, FrequencyCommand, FrequencyEvent> = {
  stream: frequencyStream,
  events: frequencyEvents,
  initial: [],
  evolve,
  decide,
};
