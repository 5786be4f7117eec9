/** When a journey with a schedule starts for the contacts of its segment: what is planned next, and what has started. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, nullable, record, text, time } from '../kernel/schema.js';

// Events

const about = { journey_id: text, version: count, at: time };
/** `due_at` null: there is no further one. It takes the place of what was planned before. */
export const JourneyOccurrencePlanned = eventType('JourneyOccurrencePlanned', record({ ...about, due_at: nullable(time) }));
/** The contacts that are in the segment now start the journey. */
export const JourneyOccurrenceStarted = eventType(
  'JourneyOccurrenceStarted',
  record({ ...about, occurrence_id: text, segment_id: text, due_at: time }),
);

export const journeyScheduleEvents = [JourneyOccurrencePlanned, JourneyOccurrenceStarted] as const;
export type JourneyScheduleEvent = EventOf<(typeof journeyScheduleEvents)[number]>;

// State

export interface JourneySchedule {
  readonly status: 'open';
  /** RFC 3339. */
  readonly planned: string | null;
  /** The time of the last one that started. */
  readonly started: string | null;
}

export function evolve(schedule: JourneySchedule, { type, data }: JourneyScheduleEvent): JourneySchedule {
  switch (type) {
    case 'JourneyOccurrencePlanned':
      return { ...schedule, planned: data.due_at };
    case 'JourneyOccurrenceStarted':
      return { ...schedule, planned: null, started: data.due_at };
    default:
      return type satisfies never;
  }
}

// Commands

export type JourneyScheduleCommand =
  | { readonly type: 'Plan'; readonly journey_id: string; readonly version: number; readonly next: string | null; readonly now: string }
  | {
      readonly type: 'Start';
      readonly journey_id: string;
      readonly version: number;
      readonly occurrence_id: string;
      readonly segment_id: string;
      readonly due_at: string;
      readonly next: string | null;
      readonly now: string;
    };

/** One that is not planned (any more) does not start: each starts once. */
export function decide(command: JourneyScheduleCommand, { planned }: JourneySchedule): readonly JourneyScheduleEvent[] {
  const { journey_id, version, next, now: at } = command;
  const plan: JourneyScheduleEvent = { type: 'JourneyOccurrencePlanned', data: { journey_id, version, due_at: next, at } };
  if (command.type === 'Plan') return [plan];
  if (planned !== command.due_at) return [];
  const { occurrence_id, segment_id, due_at } = command;
  return [{ type: 'JourneyOccurrenceStarted', data: { journey_id, version, occurrence_id, segment_id, due_at, at } }, plan];
}

// Stream

export const journeyScheduleStream = (journeyId: string): string => `journeySchedule-${journeyId}`;

export const journeySchedule: Aggregate<JourneySchedule, JourneyScheduleCommand, JourneyScheduleEvent> = {
  stream: journeyScheduleStream,
  events: journeyScheduleEvents,
  initial: { status: 'open', planned: null, started: null },
  evolve,
  decide,
};
