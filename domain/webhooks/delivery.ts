/**
 * One webhook delivery: one event sent to one URL. Attempts follow a retry schedule until one is answered with 2xx or the
 * schedule is exhausted. A redelivery can be requested at any time: its attempt is recorded like the others and does not
 * change the schedule. The stream begins with the first outcome; the event that is delivered implies the delivery.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { boundedText, count, integer, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';

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
  response_body: nullable(boundedText({})),
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
  record({
    number: attemptNumber,
    /** Null for the `webhook_url` of a message. */
    endpoint_id: nullable(text),
    /** The event that is delivered: its stream, its revision there, and its public id and name; null in the oldest requests. */
    source_stream: text,
    revision: count,
    event_id: nullable(text),
    event: nullable(text),
    lane: text,
    /** The job that sends past events again; it makes at most one request for a delivery. Without it: a person. */
    replay: optional(text),
    at: time,
  }),
  { version: 4 },
);
/** The endpoint was disabled or deleted before the next attempt: the schedule ends without it. */
export const DeliveryStopped = eventType('DeliveryStopped', record({ reason: oneOf('disabled', 'deleted'), at: time }));

export const deliveryEvents = [DeliverySucceeded, DeliveryAttemptFailed, DeliveryFailed, RedeliveryRequested, DeliveryStopped] as const;
export type DeliveryEvent = EventOf<(typeof deliveryEvents)[number]>;
export type SealedDeliveryEvent = SealedEventOf<(typeof deliveryEvents)[number]>;
export type AttemptTrigger = (typeof attemptTriggers)[number];
/** Code of the last attempt of a delivery whose URL is erased; nothing is sent. */
export const ERASED_CODE = 'erased';
export type AttemptError = EventOf<typeof DeliveryFailed>['data']['error'];

// State

interface DeliveryHistory {
  /** Attempts that the schedule has made. */
  readonly attempts: number;
  /** Whether any attempt succeeded. */
  readonly succeeded: boolean;
  readonly redeliveries: Redeliveries;
}

interface Redeliveries {
  readonly requested: number;
  readonly made: readonly number[];
  /** Those of `made` that succeeded. */
  readonly succeeded: readonly number[];
  /** The number that each replay has requested. */
  readonly replays: Readonly<Record<string, number>>;
}

/** The status is that of the schedule. */
export type Delivery = DeliveryHistory & { readonly status: 'pending' | 'delivered' | 'failed' | 'stopped' };

export function evolve(delivery: Delivery, event: DeliveryEvent): Delivery {
  switch (event.type) {
    case 'RedeliveryRequested': {
      const { number: requested, replay } = event.data;
      const replays = replay === undefined ? delivery.redeliveries.replays : { ...delivery.redeliveries.replays, [replay]: requested };
      return { ...delivery, redeliveries: { ...delivery.redeliveries, requested, replays } };
    }
    case 'DeliverySucceeded':
      return succeededBy(attempted(delivery, event.data, 'delivered'), event.data);
    case 'DeliveryAttemptFailed':
      return attempted(delivery, event.data, delivery.status);
    case 'DeliveryFailed':
      return attempted(delivery, event.data, 'failed');
    case 'DeliveryStopped':
      return { ...delivery, status: 'stopped' };
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
  const { redeliveries } = delivery;
  return { ...delivery, redeliveries: { ...redeliveries, made: [...redeliveries.made, number] } };
}

function succeededBy(delivery: Delivery, { trigger, number }: { trigger: AttemptTrigger; number: number }): Delivery {
  const { redeliveries } = delivery;
  if (trigger === 'schedule') return { ...delivery, succeeded: true };
  return { ...delivery, succeeded: true, redeliveries: { ...redeliveries, succeeded: [...redeliveries.succeeded, number] } };
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
  | ({ type: 'RequestRedelivery'; now: string } & RedeliverySource)
  /** `only_failed`: nothing where an attempt has succeeded, or the schedule has another. A repeat for the same `replay` changes nothing. */
  | ({ type: 'RequestReplay'; replay: string; only_failed: boolean; now: string } & RedeliverySource)
  | { type: 'Stop'; reason: 'disabled' | 'deleted'; now: string };

/** What a redelivery sends, and where. */
export type RedeliverySource = Omit<EventOf<typeof RedeliveryRequested>['data'], 'number' | 'replay' | 'at'>;

type Of<T extends DeliveryCommand['type']> = Extract<DeliveryCommand, { type: T }>;

export function decide(command: DeliveryCommand, delivery: Delivery): readonly DeliveryEvent[] {
  switch (command.type) {
    case 'RecordAttempt':
      return command.attempt.trigger === 'schedule' ? recordScheduled(command, delivery) : recordByHand(command, delivery);
    case 'RequestRedelivery': {
      const { type: _, now: at, ...source } = command;
      return [{ type: 'RedeliveryRequested', data: { number: delivery.redeliveries.requested + 1, ...source, at } }];
    }
    case 'RequestReplay':
      return requestReplay(command, delivery);
    case 'Stop':
      return delivery.status === 'pending' ? [{ type: 'DeliveryStopped', data: { reason: command.reason, at: command.now } }] : [];
    default:
      return command satisfies never;
  }
}

function requestReplay({ type: _, now: at, only_failed, ...source }: Of<'RequestReplay'>, delivery: Delivery): readonly DeliveryEvent[] {
  const { requested, replays } = delivery.redeliveries;
  if (Object.hasOwn(replays, source.replay)) return [];
  if (only_failed && (delivery.succeeded || delivery.status === 'pending')) return [];
  return [{ type: 'RedeliveryRequested', data: { number: requested + 1, ...source, at } }];
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

// Stream

export const deliveryStream = (deliveryId: string): string => `delivery-${deliveryId}`;

export const delivery: Aggregate<Delivery, DeliveryCommand, DeliveryEvent> = {
  stream: deliveryStream,
  events: deliveryEvents,
  initial: { status: 'pending', attempts: 0, succeeded: false, redeliveries: { requested: 0, made: [], succeeded: [], replays: {} } },
  evolve,
  decide,
};

export const deliveryIdOf = (stream: string): string => stream.slice('delivery-'.length);
