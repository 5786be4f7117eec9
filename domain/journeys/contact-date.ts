/** When one contact starts one journey by one of its dates: what is planned next, and what had its turn. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, nullable, record, text, time } from '../kernel/schema.js';

// Events

const about = { journey_id: text, contact_id: text, version: count, at: time };
/**
 * `due_at` null: there is no further time. It takes the place of what was planned before. `occurrence`: keyed hash of the date and which
 * time it comes round. `event_id`: of the change of the contact that is considered in it.
 */
export const JourneyDatePlanned = eventType(
  'JourneyDatePlanned',
  record({ ...about, occurrence: nullable(text), due_at: nullable(time), event_id: nullable(text) }),
);
/** It was time: the contact has started the journey, or was refused. */
export const JourneyDateReached = eventType('JourneyDateReached', record({ ...about, occurrence: text, due_at: time }));

export const contactDateEvents = [JourneyDatePlanned, JourneyDateReached] as const;
export type ContactDateEvent = EventOf<(typeof contactDateEvents)[number]>;

// State

export interface PlannedDate {
  readonly occurrence: string;
  /** RFC 3339. */
  readonly due_at: string;
}
export interface ContactDate {
  readonly status: 'open';
  readonly planned: PlannedDate | null;
  /** Occurrences that had their turn, the latest last. */
  readonly reached: readonly string[];
}

/** Those that can come again are of the last years. */
const MAX_REACHED = 50;

export function evolve(date: ContactDate, { type, data }: ContactDateEvent): ContactDate {
  switch (type) {
    case 'JourneyDatePlanned': {
      const { occurrence, due_at } = data;
      return { ...date, planned: occurrence === null || due_at === null ? null : { occurrence, due_at } };
    }
    case 'JourneyDateReached':
      return { ...date, planned: null, reached: [...date.reached, data.occurrence].slice(-MAX_REACHED) };
    default:
      return type satisfies never;
  }
}

// Commands

interface PlanCommand {
  readonly journey_id: string;
  readonly contact_id: string;
  readonly version: number;
  readonly next: PlannedDate | null;
  readonly now: string;
}
export type ContactDateCommand =
  /** Without `event_id` a plan that changes nothing is not recorded. */
  | (PlanCommand & { readonly type: 'Plan'; readonly event_id: string | null })
  | (PlanCommand & { readonly type: 'Reach'; readonly reached: PlannedDate });

/** Each occurrence has its turn once. */
export function decide(command: ContactDateCommand, { planned, reached }: ContactDate): readonly ContactDateEvent[] {
  const { journey_id, contact_id, version, next, now } = command;
  const base = { journey_id, contact_id, version, at: now };
  const plan = (event_id: string | null): ContactDateEvent => ({
    type: 'JourneyDatePlanned',
    data: { ...base, occurrence: next?.occurrence ?? null, due_at: next?.due_at ?? null, event_id },
  });
  if (command.type === 'Plan') {
    const isSame = planned?.occurrence === next?.occurrence && planned?.due_at === next?.due_at;
    return isSame && command.event_id === null ? [] : [plan(command.event_id)];
  }
  if (reached.includes(command.reached.occurrence)) return [];
  return [{ type: 'JourneyDateReached', data: { ...base, ...command.reached } }, plan(null)];
}

// Stream

export const contactDateStream = (journeyId: string, contactId: string): string => `journeyDate-${journeyId}/${contactId}`;

export const contactDate: Aggregate<ContactDate, ContactDateCommand, ContactDateEvent, readonly [journeyId: string, contactId: string]> = {
  stream: contactDateStream,
  events: contactDateEvents,
  initial: { status: 'open', planned: null, reached: [] },
  evolve,
  decide,
};
