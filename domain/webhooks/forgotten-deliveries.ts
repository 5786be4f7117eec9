/** Deliveries of an account whose documents are removed because their time is over. Their events stay in the log. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { list, nullable, record, text, time } from '../kernel/schema.js';

// Events

/**
 * Some deliveries of one account. `next_at`: when the next ones may be forgotten; null where the account has none left. The log says
 * which, so read models do not depend on the setting or the time.
 */
export const DeliveriesForgotten = eventType(
  'DeliveriesForgotten',
  record({
    /** Of messages. */
    deliveries: list(text),
    /** To webhook endpoints. */
    endpoint_deliveries: list(text),
    next_at: nullable(time),
    at: time,
  }),
);

export const forgottenDeliveriesEvents = [DeliveriesForgotten] as const;
export type ForgottenDeliveriesEvent = EventOf<(typeof forgottenDeliveriesEvents)[number]>;
export type SealedForgottenDeliveriesEvent = SealedEventOf<(typeof forgottenDeliveriesEvents)[number]>;

// State

export type ForgottenDeliveries = 'new' | 'recorded';

// Commands

export interface ForgetDeliveries {
  readonly deliveries: readonly string[];
  readonly endpoint_deliveries: readonly string[];
  readonly next_at: string | null;
  readonly now: string;
}

// Stream

/** One for each batch, so that no stream grows with the age of an account. */
export const forgottenDeliveriesStream = (batchId: string): string => `forgotten-${batchId}`;

/** A repeat produces no event. */
export const forgottenDeliveries: Aggregate<ForgottenDeliveries, ForgetDeliveries, ForgottenDeliveriesEvent> = {
  stream: forgottenDeliveriesStream,
  events: forgottenDeliveriesEvents,
  initial: 'new',
  evolve: () => 'recorded',
  decide: ({ deliveries, endpoint_deliveries, next_at, now: at }, state) =>
    state === 'recorded'
      ? []
      : [{ type: 'DeliveriesForgotten', data: { deliveries: [...deliveries], endpoint_deliveries: [...endpoint_deliveries], next_at, at } }],
};
