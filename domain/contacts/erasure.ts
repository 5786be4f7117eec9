/**
 * The erasure of one contact or of addresses. The request is recorded before anything is destroyed, and each step is
 * repeatable, so an interrupted erasure is always completed.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { list, named, nullable, oneOf, record, text, time } from '../kernel/schema.js';

// Events

export const ErasureRequested = eventType(
  'ErasureRequested',
  record({
    erasure_id: text,
    /** The root contact; null if only addresses are erased. */
    contact_id: nullable(text),
    /** HMACs of addresses that the request names. */
    address_keys: list(text),
    at: time,
  }),
);
/** The data keys of all of these are destroyed. Caches and restored backups drop them. */
export const ErasureCompleted = eventType(
  'ErasureCompleted',
  record({
    erasure_id: text,
    /** The contact and all that was merged into it. */
    contact_ids: list(text),
    /** HMACs of every address that any of them ever had and that no other contact has now. */
    address_keys: list(text),
    at: time,
  }),
);
/**
 * The keys of the contacts were destroyed again some time later: a request that started before the erasure may have sealed
 * data under a new key afterward.
 */
export const ErasureSwept = eventType('ErasureSwept', record({ erasure_id: text, contact_ids: list(text), at: time }));

export const erasureEvents = [ErasureRequested, ErasureCompleted, ErasureSwept] as const;
export type ErasureEvent = EventOf<(typeof erasureEvents)[number]>;
export type CompletedErasure = EventOf<typeof ErasureCompleted>['data'];

// State

interface ErasureRequest {
  readonly contact_id: string | null;
  readonly address_keys: readonly string[];
  readonly requested_at: string;
}

export type Erasure = { readonly status: 'none' } | (ErasureRequest & { readonly status: 'running' | 'completed' | 'swept' });
/** The statuses that the API shows. */
export const erasureStatuses = ['running', 'completed'] as const;
export const erasureStatusSchema = named('ErasureStatus', oneOf(...erasureStatuses));

export function evolve(erasure: Erasure, event: ErasureEvent): Erasure {
  switch (event.type) {
    case 'ErasureRequested': {
      const { contact_id, address_keys, at: requested_at } = event.data;
      return { status: 'running', contact_id, address_keys, requested_at };
    }
    case 'ErasureCompleted':
      return erasure.status === 'none' ? erasure : { ...erasure, status: 'completed' };
    case 'ErasureSwept':
      return erasure.status === 'none' ? erasure : { ...erasure, status: 'swept' };
    default:
      return event satisfies never;
  }
}

// Commands

export type ErasureCommand =
  | { type: 'Request'; erasure_id: string; contact_id: string | null; address_keys: string[]; now: string }
  | { type: 'Complete'; erasure_id: string; contact_ids: string[]; address_keys: string[]; now: string }
  | { type: 'Sweep'; erasure_id: string; contact_ids: string[]; now: string };

/** A repeated request is the same erasure. */
export function decide(command: ErasureCommand, erasure: Erasure): readonly ErasureEvent[] {
  switch (command.type) {
    case 'Request': {
      const { type: _, now: at, ...asked } = command;
      return erasure.status === 'none' ? [{ type: 'ErasureRequested', data: { ...asked, at } }] : [];
    }
    case 'Complete': {
      const { type: _, now: at, ...done } = command;
      return erasure.status === 'running' ? [{ type: 'ErasureCompleted', data: { ...done, at } }] : [];
    }
    case 'Sweep': {
      const { type: _, now: at, ...swept } = command;
      return erasure.status === 'completed' ? [{ type: 'ErasureSwept', data: { ...swept, at } }] : [];
    }
    default:
      return command satisfies never;
  }
}

// Stream

export const ERASURES = 'erasure-';
export const erasureStream = (erasureId: string): string => `${ERASURES}${erasureId}`;

export const erasure: Aggregate<Erasure, ErasureCommand, ErasureEvent> = {
  stream: erasureStream,
  events: erasureEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};
