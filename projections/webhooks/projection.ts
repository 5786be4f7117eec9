import type { Doc, DocumentRef, Position } from '../../domain/kernel/ports.js';
import type { SealedMessageEvent } from '../../domain/messages/message.js';
import {
  type AttemptError,
  type AttemptTrigger,
  deliveryIdOf,
  ERASED_CODE,
  isSuccessStatus,
  type SealedDeliveryEvent,
} from '../../domain/webhooks/delivery.js';
import {
  deliveriesOf,
  type EndpointDelivery,
  type EndpointSet,
  endpointEventTypes,
  endpointSetAfter,
  endpointSetId,
  handledMessageEvents,
  isOfEndpoint,
  isOfMessage,
  receiverIdsOf,
  type StatusDelivery,
  type Subscription,
  sourceKeyOf,
  subscriptionOf,
} from '../../domain/webhooks/delivery-rules.js';
import type { SealedEndpointEvent } from '../../domain/webhooks/endpoint.js';
import type { SealedForgottenDeliveriesEvent } from '../../domain/webhooks/forgotten-deliveries.js';
import { type SourceEvent, sourceTypes } from '../../domain/webhooks/platform-events.js';
import { deliveryIds } from '../../log/aggregates/webhooks/deliveries.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';

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
  /** Hash of the host that it is sent to. */
  readonly lane: string;
  /** Pending while scheduled attempts remain; then whether any attempt succeeded, manual ones included.
   * Erased where the URL was erased before any did. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'erased';
  readonly next_attempt_at: string | null;
  /** In the order in which they ended. */
  readonly attempts: readonly AttemptDoc[];
  readonly created_at: string;
  /** Sort key: the position of the event in the log. */
  readonly place: Position;
}

/** A delivery to a webhook endpoint. Fields as in `DeliveryDoc`. */
export interface EndpointDeliveryDoc extends Doc {
  readonly id: string;
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly source_stream: string;
  readonly revision: number;
  readonly event: string;
  readonly event_id: string;
  readonly lane: string;
  /** Stopped where the endpoint was disabled or deleted before any attempt succeeded. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'stopped';
  readonly next_attempt_at: string | null;
  readonly attempts: readonly AttemptDoc[];
  readonly created_at: string;
  /** Time, position and id. */
  readonly sort: string;
}

type HandledEvent = SourceEvent | SealedMessageEvent | SealedDeliveryEvent | SealedEndpointEvent | SealedForgottenDeliveriesEvent;
type RequestedEvent = Extract<SealedDeliveryEvent, { type: 'RedeliveryRequested' }>;
type EndEvent = Exclude<SealedDeliveryEvent, RequestedEvent>;
type AttemptEvent = Exclude<EndEvent, { type: 'DeliveryStopped' }>;

export const SUBSCRIPTIONS = 'subscriptions';
export const DELIVERIES = 'deliveries';
export const ENDPOINT_DELIVERIES = 'endpoint_deliveries';
const ENDPOINT_SETS = 'endpoint_sets';
/** Manual attempts are unlimited; older ones are only in the log. */
const MAX_STORED_ATTEMPTS = 50;

/** Every delivery to a `webhook_url` or a webhook endpoint with its attempts, from the moment it is due until it is forgotten. */
export const webhookDeliveries: Projection<HandledEvent> = {
  name: 'webhook-deliveries',
  version: 7,
  handles: [
    ...new Set<string>([
      ...handledMessageEvents,
      ...sourceTypes,
      ...endpointEventTypes,
      'DeliverySucceeded',
      'DeliveryAttemptFailed',
      'DeliveryFailed',
      'DeliveryStopped',
      'RedeliveryRequested',
      'DeliveriesForgotten',
    ]),
  ] as HandledEvent['type'][],
  collections: {
    [SUBSCRIPTIONS]: { indexes: [] },
    [DELIVERIES]: {
      indexes: [
        ['message_id', 'place'],
        ['account_id', 'place'],
      ],
    },
    [ENDPOINT_SETS]: { indexes: [] },
    [ENDPOINT_DELIVERIES]: {
      indexes: [
        ['account_id', 'sort'],
        ['endpoint_id', 'sort'],
        ['endpoint_id', 'status', 'sort'],
        ['endpoint_id', 'event', 'sort'],
        ['endpoint_id', 'event', 'status', 'sort'],
      ],
    },
  },

  /** By message, contact or address. The events of deliveries do not name it: the partition that has the delivery applies them. */
  partitionsOf(stored) {
    if (isRequest(stored)) return [sourceKeyOf(stored.event.data.source_stream)];
    return isOfDelivery(stored) || isOfEndpoint(stored) || isForgetting(stored) ? 'all' : [sourceKeyOf(stored.stream)];
  },

  reads(stored, partition): readonly DocumentRef[] {
    if (isRequest(stored))
      return stored.event.data.replay === undefined ? [] : [{ collection: ENDPOINT_DELIVERIES, id: deliveryIdOf(stored.stream) }];
    if (isOfDelivery(stored)) {
      const id = deliveryIdOf(stored.stream);
      return [
        { collection: DELIVERIES, id },
        { collection: ENDPOINT_DELIVERIES, id },
      ];
    }
    if (isForgetting(stored)) return forgottenBy(stored);
    if (isOfEndpoint(stored)) return [{ collection: ENDPOINT_SETS, id: endpointSetId(stored.meta.account, partition) }];
    const { subscription, endpoints } = receiverIdsOf(stored, partition);
    return [
      ...(subscription === null ? [] : [{ collection: SUBSCRIPTIONS, id: subscription, fresh: stored.revision === 0 }]),
      ...(endpoints === null ? [] : [{ collection: ENDPOINT_SETS, id: endpoints }]),
    ];
  },

  /** Most messages have no webhook, and most accounts no endpoint. For the others, the delivery of a new event cannot exist yet. */
  readsMore(stored, view) {
    if (isRequest(stored) || isOfDelivery(stored) || isOfEndpoint(stored) || isForgetting(stored)) return [];
    const { status, toEndpoints } = dueBy(stored, view);
    return [
      ...toEndpoints.map(({ delivery_id: id }) => ({ collection: ENDPOINT_DELIVERIES, id, fresh: true })),
      ...(status ? [{ collection: DELIVERIES, id: status.delivery_id, fresh: true }] : []),
    ];
  },

  apply(stored, view) {
    if (isRequest(stored)) return applyRequest(stored, view);
    if (isOfDelivery(stored)) return applyOutcome(stored, view);
    if (isForgetting(stored)) return forget(stored, view);
    if (isOfEndpoint(stored)) {
      const id = endpointSetId(stored.meta.account, view.partition);
      return view.put(ENDPOINT_SETS, endpointSetAfter(view.get<EndpointSet>(ENDPOINT_SETS, id), id, stored));
    }
    const subscription = isOfMessage(stored) ? subscriptionOf(stored) : null;
    if (subscription) view.put(SUBSCRIPTIONS, subscription);
    const { status, toEndpoints } = dueBy(stored, view);
    if (status) view.put(DELIVERIES, statusDelivery(stored, status));
    for (const delivery of toEndpoints) view.put(ENDPOINT_DELIVERIES, endpointDelivery(stored, delivery));
  },
};

const isRequest = (stored: LogEvent<HandledEvent>): stored is LogEvent<RequestedEvent> => stored.event.type === 'RedeliveryRequested';
const isForgetting = (stored: LogEvent<HandledEvent>): stored is LogEvent<SealedForgottenDeliveriesEvent> =>
  stored.event.type === 'DeliveriesForgotten';
const isOfDelivery = (stored: LogEvent<HandledEvent>): stored is LogEvent<EndEvent> => stored.event.type.startsWith('Delivery');

function dueBy(stored: LogEvent<HandledEvent>, view: View) {
  const { subscription, endpoints } = receiverIdsOf(stored, view.partition);
  const receivers = {
    subscription: subscription === null ? undefined : view.get<Subscription>(SUBSCRIPTIONS, subscription),
    endpoints: endpoints === null ? undefined : view.get<EndpointSet>(ENDPOINT_SETS, endpoints),
  };
  return deliveriesOf(stored, receivers, deliveryIds);
}

function endpointDelivery({ meta: { account, occurredAt }, position }: LogEvent<HandledEvent>, delivery: EndpointDelivery): EndpointDeliveryDoc {
  const { delivery_id: id, endpoint_id, source_stream, revision, event, event_id, lane } = delivery;
  const base = { id, account_id: account, endpoint_id, source_stream, revision, event, event_id, lane };
  return { ...base, status: 'pending', next_attempt_at: occurredAt, attempts: [], created_at: occurredAt, sort: `${occurredAt}/${position}/${id}` };
}

function statusDelivery({ meta: { account, occurredAt }, position }: LogEvent<HandledEvent>, delivery: StatusDelivery): DeliveryDoc {
  const { delivery_id: id, ...about } = delivery;
  const base = { id, account_id: account, ...about };
  return { ...base, status: 'pending', next_attempt_at: occurredAt, attempts: [], created_at: occurredAt, place: position };
}

/** The replay of an event that the endpoint never received begins a delivery, which no schedule repeats. */
function applyRequest({ event: { data }, stream, position, meta: { account } }: LogEvent<RequestedEvent>, view: View): void {
  const { replay, endpoint_id, event, event_id, source_stream, revision, lane, at } = data;
  const id = deliveryIdOf(stream);
  if (replay === undefined || endpoint_id === null || event === null || event_id === null || view.get(ENDPOINT_DELIVERIES, id)) return;
  const base = { id, account_id: account, endpoint_id, source_stream, revision, event, event_id, lane };
  const doc = { ...base, status: 'pending', next_attempt_at: null, attempts: [], created_at: at, sort: `${at}/${position}/${id}` } as const;
  view.put(ENDPOINT_DELIVERIES, doc satisfies EndpointDeliveryDoc);
}

function applyOutcome(stored: LogEvent<EndEvent>, view: View): void {
  const id = deliveryIdOf(stored.stream);
  const doc = view.get<DeliveryDoc>(DELIVERIES, id);
  if (doc && stored.event.type !== 'DeliveryStopped' && view.partition.owns(doc.message_id))
    view.put(DELIVERIES, { ...doc, ...changesBy(stored.event, doc) } satisfies DeliveryDoc);
  const known = view.get<EndpointDeliveryDoc>(ENDPOINT_DELIVERIES, id);
  if (!known || !view.partition.owns(sourceKeyOf(known.source_stream))) return;
  if (stored.event.type === 'DeliveryStopped') {
    const status = known.attempts.some(isSuccessful) ? 'delivered' : 'stopped';
    view.put(ENDPOINT_DELIVERIES, { ...known, status, next_attempt_at: null } satisfies EndpointDeliveryDoc);
    return;
  }
  const { status, ...changes } = changesBy(stored.event, known);
  // A stopped delivery whose redelivery fails has not failed by its schedule.
  const next = status === 'failed' && known.status === 'stopped' ? 'stopped' : status;
  view.put(ENDPOINT_DELIVERIES, { ...known, ...changes, status: next as EndpointDeliveryDoc['status'] } satisfies EndpointDeliveryDoc);
}

const forgottenBy = ({ event: { data } }: LogEvent<SealedForgottenDeliveriesEvent>): DocumentRef[] => [
  ...data.deliveries.map((id) => ({ collection: DELIVERIES, id })),
  ...data.endpoint_deliveries.map((id) => ({ collection: ENDPOINT_DELIVERIES, id })),
];

function forget(stored: LogEvent<SealedForgottenDeliveriesEvent>, view: View): void {
  for (const { collection, id } of forgottenBy(stored)) {
    const doc = view.get<Partial<DeliveryDoc & EndpointDeliveryDoc> & Doc>(collection, id);
    if (doc && view.partition.owns(doc.message_id ?? sourceKeyOf(doc.source_stream ?? ''))) view.remove(collection, id);
  }
}

/** What an attempt changes of its delivery. */
function changesBy(
  event: AttemptEvent,
  doc: Pick<DeliveryDoc, 'attempts' | 'next_attempt_at'> & { readonly status: string },
): Pick<DeliveryDoc, 'attempts' | 'next_attempt_at' | 'status'> {
  const { number, trigger, at, status_code, duration_ms, sealed } = event.data;
  const error = 'error' in event.data ? event.data.error : null;
  const next = 'next_attempt_at' in event.data ? event.data.next_attempt_at : null;
  const answer_box = status_code === null ? null : sealed;
  const attempt: AttemptDoc = { number, trigger, at, status_code, error, duration_ms, next_attempt_at: next, answer_box };
  const attempts = [...doc.attempts, attempt].slice(-MAX_STORED_ATTEMPTS);
  const next_attempt_at = trigger === 'schedule' ? next : doc.next_attempt_at;
  const succeeded = event.type === 'DeliverySucceeded' || doc.status === 'delivered' || doc.attempts.some(isSuccessful);
  const ended = error?.code === ERASED_CODE || doc.status === 'erased' ? 'erased' : 'failed';
  return { attempts, next_attempt_at, status: next_attempt_at !== null ? 'pending' : succeeded ? 'delivered' : ended };
}

const isSuccessful = ({ status_code }: AttemptDoc): boolean => status_code !== null && isSuccessStatus(status_code);
