/** An event of a contact that the caller defines, for example a purchase or an abandoned cart. */
import type { Aggregate } from '../kernel/aggregate.js';
import { keyReused } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { anyRecord, flag, optional, record, text, time } from '../kernel/schema.js';

// Events

const said = record({
  event_id: text,
  /** The contact that the event was recorded for. It may be merged into another one later. */
  contact_id: text,
  name: text,
  properties: anyRecord,
  /** HMAC of the input, if the event has an idempotency key. Distinguishes a repeat from a different event with the same key. */
  asked: optional(text),
  /** Never later than `at`. */
  occurred_at: time,
  /** It starts journeys although it is late. */
  start_journeys: optional(flag),
  at: time,
});
const personal = { subject: 'contact_id', fields: ['properties'] } as const;

export const CustomEventRecorded = eventType('CustomEventRecorded', said, { personal });
/** By a test key, of a live contact: it starts and moves what test keys cause in journeys, and counts in no segment, score or history. */
export const CustomEventTried = eventType('CustomEventTried', said, { personal });

export const customEventEvents = [CustomEventRecorded, CustomEventTried] as const;
export type CustomEventEvent = EventOf<(typeof customEventEvents)[number]>;
export type SealedCustomEvent = SealedEventOf<(typeof customEventEvents)[number]>;
/** Those that count. */
export type SealedRecordedEvent = SealedEventOf<typeof CustomEventRecorded>;

// State

export type CustomEvent =
  | { readonly status: 'new' }
  | { readonly status: 'recorded'; readonly contact_id: string; readonly asked: string | undefined; readonly at: string };

export function evolve(event: CustomEvent, { type, data }: CustomEventEvent): CustomEvent {
  switch (type) {
    case 'CustomEventRecorded':
    case 'CustomEventTried':
      return event.status === 'new' ? { status: 'recorded', contact_id: data.contact_id, asked: data.asked, at: data.at } : event;
    default:
      return type satisfies never;
  }
}

// Commands

export interface RecordCustomEvent {
  readonly type: 'Record';
  /** By a test key, of a live contact. */
  readonly tried: boolean;
  readonly data: CustomEventEvent['data'];
}

/** A repeat produces no event. Throws `idempotency_key_reused` for the same key with different input. */
export function decide({ data, tried }: RecordCustomEvent, event: CustomEvent): readonly CustomEventEvent[] {
  if (event.status === 'new') return [{ type: tried ? 'CustomEventTried' : 'CustomEventRecorded', data }];
  if (event.asked !== data.asked) throw keyReused();
  return [];
}

// Stream

export const customEventStream = (eventId: string): string => `event-${eventId}`;

export const customEvent: Aggregate<CustomEvent, RecordCustomEvent, CustomEventEvent> = {
  stream: customEventStream,
  events: customEventEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
