/** How events become attempts: the pure part of the delivery of webhooks. */
import type { Partition, PartitionKeys } from '../../domain/kernel/ports.js';
import { messageStream, type SealedMessageEvent } from '../../domain/messages/message.js';
import { type AttemptTrigger, deliveryIdOf, type SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
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
import { type SourceEvent, sourceTypes } from '../../domain/webhooks/platform-events.js';
import { deliveryIds } from '../../log/aggregates/webhooks/deliveries.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, ReactionMemory, Reads, Todo } from '../runtime/process-manager.js';

/** One attempt that is to be made. The lane is the keyed hash of the host; an attempt that a person requested comes first, those of a replay last. */
export interface AttemptTodo extends Todo {
  readonly delivery_id: string;
  readonly correlation: string;
  /** Null for the `webhook_url` of a message. */
  readonly endpoint_id: string | null;
  /** Of the endpoint when the delivery began; null for a request by hand. */
  readonly term: number | null;
  /** The event that is delivered. */
  readonly source_stream: string;
  readonly revision: number;
  /** Its name and public id; null in the oldest requests. */
  readonly event: string | null;
  readonly event_id: string | null;
  readonly trigger: AttemptTrigger;
  readonly attempt: number;
}

export type HandledEvent = SourceEvent | SealedMessageEvent | SealedDeliveryEvent | SealedEndpointEvent;

const outcomeTypes = ['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed', 'DeliveryStopped', 'RedeliveryRequested'] as const;
export const deliveryInputTypes = [
  ...new Set<string>([...handledMessageEvents, ...sourceTypes, ...endpointEventTypes, ...outcomeTypes]),
] as HandledEvent['type'][];

const isOfDelivery = (stored: LogEvent<HandledEvent>): stored is LogEvent<SealedDeliveryEvent> =>
  (outcomeTypes as readonly string[]).includes(stored.event.type);

const redeliveryTodo = (deliveryId: string, number: number): string => `${deliveryId}/manual/${number}`;

function todoOfOutcome(deliveryId: string, { data }: SealedDeliveryEvent): string {
  return 'number' in data && (!('trigger' in data) || data.trigger === 'manual') ? redeliveryTodo(deliveryId, data.number) : deliveryId;
}

/** By the message, contact or address. An outcome does not name it: the partition that has its to-do reacts. */
export function deliveryPartitionsOf(stored: LogEvent<HandledEvent>): PartitionKeys {
  if (isOfEndpoint(stored)) return 'all';
  if (!isOfDelivery(stored)) return [sourceKeyOf(stored.stream)];
  const { event } = stored;
  return event.type === 'RedeliveryRequested' ? [sourceKeyOf(event.data.source_stream)] : 'all';
}

/** The endpoints are read only for events that may concern them: once for each account of a page. */
export function deliveryReads(stored: LogEvent<HandledEvent>, partition: Partition): Reads {
  if (isOfDelivery(stored)) return { todos: [todoOfOutcome(deliveryIdOf(stored.stream), stored.event)] };
  if (isOfEndpoint(stored)) return { notes: [endpointSetId(stored.meta.account, partition)] };
  const { subscription, endpoints } = receiverIdsOf(stored, partition);
  const notes = [subscription, endpoints].filter((id) => id !== null);
  return subscription === null ? { notes } : { notes, fresh: stored.revision === 0 };
}

/** Most messages have no webhook, and most accounts no endpoint. For the others, the to-do of a new event cannot exist yet. */
export function furtherDeliveryReads(stored: LogEvent<HandledEvent>, memory: ReactionMemory<AttemptTodo>): Reads {
  if (isOfDelivery(stored) || isOfEndpoint(stored)) return {};
  const { status, toEndpoints } = dueBy(stored, memory);
  const todos = [...(status ? [status] : []), ...toEndpoints].map(({ delivery_id }) => delivery_id);
  return todos.length > 0 ? { todos, fresh: true } : {};
}

function dueBy(stored: LogEvent<HandledEvent>, memory: ReactionMemory<AttemptTodo>) {
  const { subscription, endpoints } = receiverIdsOf(stored, memory.partition);
  const receivers = {
    subscription: subscription === null ? undefined : memory.note<Subscription>(subscription),
    endpoints: endpoints === null ? undefined : memory.note<EndpointSet>(endpoints),
  };
  return deliveriesOf(stored, receivers, deliveryIds);
}

export function reactToDeliveryInput(stored: LogEvent<HandledEvent>, memory: ReactionMemory<AttemptTodo>): readonly Intention[] {
  if (isOfDelivery(stored)) return reactToDelivery(stored, memory);
  if (isOfEndpoint(stored)) {
    const id = endpointSetId(stored.meta.account, memory.partition);
    return [{ do: 'store-note', note: endpointSetAfter(memory.note<EndpointSet>(id), id, stored) }];
  }
  const { status, toEndpoints } = dueBy(stored, memory);
  const scheduled = toEndpoints.map((delivery) => deliverToEndpoint(stored, delivery));
  const ofMessage = isOfMessage(stored) ? reactToMessage(stored, status) : [{ do: 'ignore', reason: 'no_endpoint' } as const];
  return scheduled.length === 0 ? ofMessage : [...ofMessage.filter(({ do: what }) => what !== 'ignore'), ...scheduled];
}

function deliverToEndpoint({ meta }: LogEvent<HandledEvent>, delivery: EndpointDelivery): Intention {
  const { account, $correlationId: correlation, occurredAt } = meta;
  return schedule({ id: delivery.delivery_id, due_at: Date.parse(occurredAt), account, correlation, ...delivery, trigger: 'schedule', attempt: 1 });
}

function reactToMessage(stored: LogEvent<SealedMessageEvent>, delivery: StatusDelivery | null): readonly Intention[] {
  const { revision, meta } = stored;
  const subscription = subscriptionOf(stored);
  if (subscription) return [{ do: 'store-note', note: subscription }];
  if (revision === 0) return [{ do: 'ignore', reason: 'no_webhook_url' }];
  if (!delivery) return [{ do: 'ignore', reason: 'not_subscribed' }];
  const { delivery_id: id, message_id, lane, event, event_id } = delivery;
  const { account, $correlationId: correlation, occurredAt } = meta;
  const source = { endpoint_id: null, term: null, source_stream: messageStream(message_id), revision, event, event_id };
  const base = { delivery_id: id, account, correlation, ...source };
  return [schedule({ id, due_at: Date.parse(occurredAt), priority: 1, lane, ...base, trigger: 'schedule', attempt: 1 })];
}

function reactToDelivery({ event, stream, meta }: LogEvent<SealedDeliveryEvent>, memory: ReactionMemory<AttemptTodo>): readonly Intention[] {
  const delivery_id = deliveryIdOf(stream);
  const id = todoOfOutcome(delivery_id, event);
  if (event.type === 'RedeliveryRequested') {
    const { number: attempt, at, lane, replay, ...source } = event.data;
    const base = { delivery_id, account: meta.account, correlation: meta.$correlationId, term: null, ...source };
    const turn = replay === undefined ? ({ priority: 0, lane } as const) : ({ priority: 2, lane: replayLane(lane) } as const);
    return [schedule({ id, due_at: Date.parse(at), ...turn, ...base, trigger: 'manual', attempt })];
  }
  const todo = memory.todo(id);
  if (!todo) return [{ do: 'ignore', reason: 'nothing_to_deliver' }];
  const next = event.type === 'DeliveryAttemptFailed' ? event.data.next_attempt_at : null;
  if (event.type !== 'DeliveryAttemptFailed' || next === null) return [{ do: 'cancel', id }];
  return [schedule({ ...todo, due_at: Date.parse(next), attempt: event.data.number + 1 })];
}

/** Past events never take the places of new ones for the same host. */
const REPLAY = '/replay';
const replayLane = (lane: string): string => lane + REPLAY;

/** The lane of the receiver, also of a past event. */
export const ownLane = (lane: string): string => (lane.endsWith(REPLAY) ? lane.slice(0, -REPLAY.length) : lane);

const schedule = (todo: AttemptTodo): Intention => ({ do: 'schedule', todo });
