/** How often a form was shown, begun, and filled in by programs that pretend to be people. Counted in batches, without any person. */

import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { boundedText, count, record, text, time } from '../kernel/schema.js';
import { textPattern } from '../kernel/text-patterns.js';

/** What is counted: pages shown, pages on which somebody began to type, and submissions that were dropped. */
export const visitKinds = ['views', 'starts', 'dropped'] as const;
export type VisitKind = (typeof visitKinds)[number];
export type VisitCounts = Readonly<Record<VisitKind, number>>;
export const noVisits: VisitCounts = { views: 0, starts: 0, dropped: 0 };

// Events

/** What one node has counted since its last event. `day` is in UTC: 2026-01-31. */
export const FormVisitsCounted = eventType(
  'FormVisitsCounted',
  record({
    form_id: text,
    day: boundedText(textPattern('^\\d{4}-\\d\\d-\\d\\d$', 'Use a day, for example 2026-01-15.')),
    views: count,
    starts: count,
    dropped: count,
    at: time,
  }),
);

export const formVisitEvents = [FormVisitsCounted] as const;
export type FormVisitEvent = EventOf<(typeof formVisitEvents)[number]>;

// State

/** Nothing is decided by what was counted before. */
export type FormVisits = null;

export const evolve = (visits: FormVisits, _event: FormVisitEvent): FormVisits => visits;

// Commands

export type CountVisits = { type: 'Count'; form_id: string; day: string; counts: VisitCounts; now: string };

export function decide({ form_id, day, counts, now: at }: CountVisits, _visits: FormVisits): readonly FormVisitEvent[] {
  const { views, starts, dropped } = counts;
  return views + starts + dropped === 0 ? [] : [{ type: 'FormVisitsCounted', data: { form_id, day, views, starts, dropped, at } }];
}

// Stream

/** One of each form and day. */
export const formVisitsStream = (formId: string, day: string): string => `formVisits-${formId}-${day}`;

export const formVisits: Aggregate<FormVisits, CountVisits, FormVisitEvent, readonly [formId: string, day: string]> = {
  stream: formVisitsStream,
  events: formVisitEvents,
  initial: null,
  evolve,
  decide,
};
