/** What follows for many at once: all who are in a journey leave, go on, or move to another version, all of a segment enter it, or its dates are planned. */
import { type EventOf, eventType } from '../kernel/event.js';
import { count, oneOf, record, text, time } from '../kernel/schema.js';

export const sweepKinds = ['stop', 'resume', 'migrate', 'enroll', 'dates'] as const;
export type SweepKind = (typeof sweepKinds)[number];

/** Everybody who was concerned has been looked at. */
export const JourneySweepCompleted = eventType(
  'JourneySweepCompleted',
  record({ journey_id: text, sweep_id: text, change: oneOf(...sweepKinds), enrollments: count, at: time }),
);
export const journeySweepEvents = [JourneySweepCompleted] as const;
export type JourneySweepEvent = EventOf<typeof JourneySweepCompleted>;

// Stream

export const journeySweepStream = (sweepId: string): string => `journeySweep-${sweepId}`;
