/** The same fields of a form, as a stream of their own: it distinguishes a repeated submission from a first one. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';
import { DUPLICATE_WITHIN_MS } from './submission.js';

// Events

/** The first submission with these fields within a minute. */
export const FormEntryMade = eventType('FormEntryMade', record({ submission_id: text, form_id: text, at: time }));

export const formEntryEvents = [FormEntryMade] as const;
export type FormEntryEvent = EventOf<(typeof formEntryEvents)[number]>;

// State

export type FormEntry = { readonly status: 'none' } | { readonly status: 'made'; readonly submission_id: string; readonly at: string };

export function evolve(_entry: FormEntry, { type, data }: FormEntryEvent): FormEntry {
  switch (type) {
    case 'FormEntryMade':
      return { status: 'made', submission_id: data.submission_id, at: data.at };
    default:
      return type satisfies never;
  }
}

/** The submission that one at this time repeats, or null. */
export const repeatedBy = (entry: FormEntry, now: string): string | null =>
  entry.status === 'made' && Date.parse(now) - Date.parse(entry.at) < DUPLICATE_WITHIN_MS ? entry.submission_id : null;

// Commands

export type FormEntryCommand = { type: 'Make'; submission_id: string; form_id: string; now: string };

export function decide({ submission_id, form_id, now: at }: FormEntryCommand, entry: FormEntry): readonly FormEntryEvent[] {
  const isOwn = entry.status === 'made' && entry.submission_id === submission_id;
  return isOwn ? [] : [{ type: 'FormEntryMade', data: { submission_id, form_id, at } }];
}

// Stream

/** `key`: the HMAC of form and fields. */
export const formEntryStream = (key: string): string => `formEntry-${key}`;

export const formEntry: Aggregate<FormEntry, FormEntryCommand, FormEntryEvent> = {
  stream: formEntryStream,
  events: formEntryEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};
