/** The removal of a hard-bounced address from all lists of its contact. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { list, nullable, record, text, time } from '../kernel/schema.js';

// Events

export const BouncedAddressCleaned = eventType(
  'BouncedAddressCleaned',
  record({
    /** Id made from the event that suppressed the address. */
    bounce_id: text,
    address_key: text,
    /** Null if no contact has the address. */
    contact_id: nullable(text),
    /** All lists that the contact has a membership of. */
    list_ids: list(text),
    at: time,
  }),
);

export const cleaningEvents = [BouncedAddressCleaned] as const;
export type CleaningEvent = EventOf<(typeof cleaningEvents)[number]>;

// State

export type Cleaning = { readonly status: 'open' } | { readonly status: 'done' };

export function evolve(_: Cleaning, event: CleaningEvent): Cleaning {
  switch (event.type) {
    case 'BouncedAddressCleaned':
      return { status: 'done' };
    default:
      return event.type satisfies never;
  }
}

// Commands

export type CleaningCommand = { type: 'RecordCleaning' } & CleaningEvent['data'];

export const decide = ({ type: _, ...data }: CleaningCommand, cleaning: Cleaning): readonly CleaningEvent[] =>
  cleaning.status === 'done' ? [] : [{ type: 'BouncedAddressCleaned', data }];

// Stream

export const cleaningStream = (bounceId: string): string => `cleaning-${bounceId}`;

export const cleaning: Aggregate<Cleaning, CleaningCommand, CleaningEvent> = {
  stream: cleaningStream,
  events: cleaningEvents,
  initial: { status: 'open' },
  evolve,
  decide,
};
