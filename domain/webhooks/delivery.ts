/**
 * One webhook delivery: one event sent to one URL. Attempts follow a retry schedule until one is answered with 2xx or the
 * schedule is exhausted. A redelivery can be requested at any time: its attempt is recorded like the others and does not
 * change the schedule. The stream begins with the first outcome; the event that is delivered implies the delivery.
 */
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { count, integer, named, nullable, oneOf, record, text, textOf, time } from '../kernel/schema.js';

// Events

export const attemptTriggers = ['schedule', 'manual'] as const;
const attemptNumber = integer({ minimum: 1 });
/** Why there was no answer. */
export const attemptError = named('AttemptError', record({ code: text, message: text }));

const attemptFields = {
  trigger: oneOf(...attemptTriggers),
  /** From 1; manual attempts have numbers of their own. */
  number: attemptNumber,
  duration_ms: count,
  /** The beginning of the response body; null if there was none. May contain personal data of the recipient. */
  response_body: nullable(textOf({})),
  /** The subject of the personal data that the response may contain. */
  subject: text,
  /** End of the attempt. */
  at: time,
};
const failureFields = { ...attemptFields, status_code: nullable(count), error: nullable(attemptError) };
const personal = { subject: 'subject', fields: ['response_body'] } as const;

export const DeliverySucceeded = eventType('DeliverySucceeded', record({ ...attemptFields, status_code: count }), { personal });
/** `next_attempt_at` is null only for a manual attempt. */
export const DeliveryAttemptFailed = eventType('DeliveryAttemptFailed', record({ ...failureFields, next_attempt_at: nullable(time) }), { personal });
/** The last attempt of the schedule failed. */
export const DeliveryFailed = eventType('DeliveryFailed', record(failureFields), { personal });
/** A manual attempt was requested. Contains all that it needs, because the to-do of the schedule may no longer exist. */
export const RedeliveryRequested = eventType(
  'RedeliveryRequested',
  record({ number: attemptNumber, message_id: text, revision: count, url: text, at: time }),
);

export const deliveryEvents = [DeliverySucceeded, DeliveryAttemptFailed, DeliveryFailed, RedeliveryRequested] as const;
export type DeliveryEvent = EventOf<(typeof deliveryEvents)[number]>;
export type SealedDeliveryEvent = SealedEventOf<(typeof deliveryEvents)[number]>;
export type AttemptTrigger = (typeof attemptTriggers)[number];
export type AttemptError = EventOf<typeof DeliveryFailed>['data']['error'];

// State

interface Known {
  /** Attempts that the schedule has made. */
  readonly attempts: number;
  readonly redeliveries: { readonly requested: number; readonly made: readonly number[] };
}

/** The status is that of the schedule. */
export type Delivery = Known & { readonly status: 'pending' | 'delivered' | 'failed' };

export function evolve(delivery: Delivery, event: DeliveryEvent): Delivery {
  switch (event.type) {
    case 'RedeliveryRequested':
      return { ...delivery, redeliveries: { ...delivery.redeliveries, requested: event.data.number } };
    case 'DeliverySucceeded':
      return attempted(delivery, event.data, 'delivered');
    case 'DeliveryAttemptFailed':
      return attempted(delivery, event.data, delivery.status);
    case 'DeliveryFailed':
      return attempted(delivery, event.data, 'failed');
    default:
      return event satisfies never;
  }
}

function attempted(
  delivery: Delivery,
  { trigger, number }: { trigger: AttemptTrigger; number: number },
  scheduleStatus: Delivery['status'],
): Delivery {
  if (trigger === 'schedule') return { ...delivery, status: scheduleStatus, attempts: number };
  const { requested, made } = delivery.redeliveries;
  return { ...delivery, redeliveries: { requested, made: [...made, number] } };
}

// Commands

export interface AttemptResponse {
  readonly status_code: number;
  readonly response_body: string;
  readonly error?: never;
}

/** What came of one POST: an answer, or why there was none. */
export type AttemptOutcome = AttemptResponse | { readonly error: { readonly code: string; readonly message: string } };

export interface Attempt {
  readonly trigger: AttemptTrigger;
  readonly number: number;
  readonly outcome: AttemptOutcome;
  readonly duration_ms: number;
  readonly subject: string;
  /** End of the attempt. */
  readonly at: string;
}

export type DeliveryCommand =
  | { type: 'RecordAttempt'; attempt: Attempt; retry_delays_ms: readonly number[] }
  | { type: 'RequestRedelivery'; message_id: string; revision: number; url: string; now: string };

type Of<T extends DeliveryCommand['type']> = Extract<DeliveryCommand, { type: T }>;

export function decide(command: DeliveryCommand, delivery: Delivery): readonly DeliveryEvent[] {
  switch (command.type) {
    case 'RecordAttempt':
      return command.attempt.trigger === 'schedule' ? recordScheduled(command, delivery) : recordByHand(command, delivery);
    case 'RequestRedelivery': {
      const { message_id, revision, url, now: at } = command;
      return [{ type: 'RedeliveryRequested', data: { number: delivery.redeliveries.requested + 1, message_id, revision, url, at } }];
    }
    default:
      return command satisfies never;
  }
}

/** A crash between an attempt and its record repeats the attempt: what is recorded already stays as it is. */
function recordScheduled({ attempt, retry_delays_ms }: Of<'RecordAttempt'>, delivery: Delivery): readonly DeliveryEvent[] {
  if (delivery.status !== 'pending' || attempt.number <= delivery.attempts) return [];
  if (isSuccess(attempt.outcome)) return [succeeded(attempt, attempt.outcome)];
  const delay = retry_delays_ms[attempt.number - 1];
  if (delay === undefined) return [{ type: 'DeliveryFailed', data: failure(attempt) }];
  const next_attempt_at = new Date(Date.parse(attempt.at) + delay).toISOString();
  return [{ type: 'DeliveryAttemptFailed', data: { ...failure(attempt), next_attempt_at } }];
}

function recordByHand({ attempt }: Of<'RecordAttempt'>, delivery: Delivery): readonly DeliveryEvent[] {
  if (delivery.redeliveries.made.includes(attempt.number)) return [];
  if (isSuccess(attempt.outcome)) return [succeeded(attempt, attempt.outcome)];
  return [{ type: 'DeliveryAttemptFailed', data: { ...failure(attempt), next_attempt_at: null } }];
}

/** 2xx alone. A redirect is no success, nor is 410. */
export const isSuccessStatus = (status: number): boolean => status >= 200 && status < 300;
export const isSuccess = (outcome: AttemptOutcome): outcome is AttemptResponse => !outcome.error && isSuccessStatus(outcome.status_code);

function succeeded({ outcome: _, ...rest }: Attempt, { status_code, response_body }: AttemptResponse): DeliveryEvent {
  return { type: 'DeliverySucceeded', data: { ...rest, status_code, response_body } };
}

function failure({ outcome, ...rest }: Attempt): EventOf<typeof DeliveryFailed>['data'] {
  if (outcome.error) return { ...rest, status_code: null, error: outcome.error, response_body: null };
  return { ...rest, status_code: outcome.status_code, error: null, response_body: outcome.response_body };
}

export const delivery: Decider<Delivery, DeliveryCommand, DeliveryEvent> = {
  initial: { status: 'pending', attempts: 0, redeliveries: { requested: 0, made: [] } },
  evolve,
  decide,
};

// Stream

export const deliveryStream = (deliveryId: string): string => `delivery-${deliveryId}`;
export const deliveryIdOf = (stream: string): string => stream.slice('delivery-'.length);
