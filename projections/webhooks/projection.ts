import type { Doc, DocumentRef, Position } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { type AttemptError, type AttemptTrigger, deliveryIdOf, isSuccessStatus, type SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import type { LogEvent } from '../../log/log-event.js';
import { statusDeliveryId } from '../../log/webhooks/ids.js';
import type { Projection, View } from '../kernel.js';
import { handledMessageEvents, type Subscription, statusDeliveryOf, subscriptionOf } from './delivery-policy.js';

/** What ends in `_box` is a sealed box of the event that recorded it. */
export interface AttemptDoc {
  readonly number: number;
  readonly trigger: AttemptTrigger;
  readonly at: string;
  readonly status_code: number | null;
  readonly error: AttemptError;
  readonly duration_ms: number;
  readonly next_attempt_at: string | null;
  /** Null where there was no answer. */
  readonly answer_box: string | null;
}

export interface DeliveryDoc extends Doc {
  readonly id: string;
  readonly account_id: string;
  readonly message_id: string;
  /** Of the event in the message's stream. */
  readonly revision: number;
  readonly event: string;
  readonly event_id: string;
  readonly url: string;
  /** Pending while scheduled attempts remain; then whether any attempt succeeded, manual ones included. */
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly next_attempt_at: string | null;
  /** In the order in which they ended. */
  readonly attempts: readonly AttemptDoc[];
  readonly created_at: string;
  /** Sort key: the position of the event in the log. */
  readonly place: Position;
}

type Handled = SealedMessageEvent | SealedDeliveryEvent;
type Attempted = Exclude<SealedDeliveryEvent, { type: 'RedeliveryRequested' }>;

export const SUBSCRIPTIONS = 'subscriptions';
export const DELIVERIES = 'deliveries';
/** Manual attempts are unlimited; older ones are only in the log. */
const MAX_STORED_ATTEMPTS = 50;

/** Every delivery to a `webhook_url` with its attempts, from the moment it is due. */
export const webhookDeliveries: Projection<Handled> = {
  name: 'webhook-deliveries',
  version: 1,
  handles: [...handledMessageEvents, 'DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed'],
  collections: {
    [SUBSCRIPTIONS]: { indexes: [] },
    [DELIVERIES]: {
      indexes: [
        ['message_id', 'place'],
        ['account_id', 'place'],
      ],
    },
  },

  reads(stored): readonly DocumentRef[] {
    if (isOfDelivery(stored)) return [{ collection: DELIVERIES, id: deliveryIdOf(stored.stream) }];
    return [{ collection: SUBSCRIPTIONS, id: messageIdOf(stored.stream), fresh: stored.revision === 0 }];
  },

  /** Most messages have no webhook. For the others, the delivery of a new event cannot exist yet. */
  readsMore(stored, view) {
    if (isOfDelivery(stored) || stored.revision === 0) return [];
    const id = messageIdOf(stored.stream);
    return view.get(SUBSCRIPTIONS, id) ? [{ collection: DELIVERIES, id: statusDeliveryId(id, stored.id), fresh: true }] : [];
  },

  apply(stored, view) {
    if (isOfDelivery(stored)) applyAttempt(stored, view);
    else applyStatus(stored as LogEvent<SealedMessageEvent>, view);
  },
};

const isOfDelivery = (stored: LogEvent<Handled>): stored is LogEvent<Attempted> => stored.event.type.startsWith('Delivery');

function applyStatus(stored: LogEvent<SealedMessageEvent>, view: View): void {
  const subscription = subscriptionOf(stored);
  if (subscription) view.put(SUBSCRIPTIONS, subscription);
  const delivery = statusDeliveryOf(stored, view.get<Subscription>(SUBSCRIPTIONS, messageIdOf(stored.stream)));
  if (!delivery) return;
  const { delivery_id: id, ...of } = delivery;
  const { account, occurredAt } = stored.meta;
  view.put(DELIVERIES, {
    id,
    account_id: account,
    ...of,
    status: 'pending',
    next_attempt_at: occurredAt,
    attempts: [],
    created_at: occurredAt,
    place: stored.position,
  } satisfies DeliveryDoc);
}

function applyAttempt({ event, stream }: LogEvent<Attempted>, view: View): void {
  const doc = view.get<DeliveryDoc>(DELIVERIES, deliveryIdOf(stream));
  if (!doc) return;
  const { number, trigger, at, status_code, duration_ms, sealed } = event.data;
  const error = 'error' in event.data ? event.data.error : null;
  const next = 'next_attempt_at' in event.data ? event.data.next_attempt_at : null;
  const answer_box = status_code === null ? null : sealed;
  const attempt: AttemptDoc = { number, trigger, at, status_code, error, duration_ms, next_attempt_at: next, answer_box };
  const attempts = [...doc.attempts, attempt].slice(-MAX_STORED_ATTEMPTS);
  const next_attempt_at = trigger === 'schedule' ? next : doc.next_attempt_at;
  const succeeded = event.type === 'DeliverySucceeded' || doc.status === 'delivered' || doc.attempts.some(isSuccessful);
  const status = next_attempt_at !== null ? 'pending' : succeeded ? 'delivered' : 'failed';
  view.put(DELIVERIES, { ...doc, attempts, next_attempt_at, status } satisfies DeliveryDoc);
}

const isSuccessful = ({ status_code }: AttemptDoc): boolean => status_code !== null && isSuccessStatus(status_code);
