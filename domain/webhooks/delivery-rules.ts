/**
 * Which events of the log are delivered to which webhooks, and with which ids: to the `webhook_url` of a message, and to the webhook
 * endpoints of an account. The process that delivers and the list of deliveries ask `deliveriesOf` alike, so they agree.
 */
import type { AnyEvent } from '../kernel/event.js';
import type { Doc, Partition } from '../kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../messages/message.js';
import { firesWebhook, isTransition, type Transition, type TransitionName, transitions } from '../messages/status.js';
import { endpointEvents, type SealedEndpointEvent } from './endpoint.js';
import { type PlatformEventName, platformEventsOf } from './platform-events.js';

/** An event of the log, as far as the rules need it. */
export interface DeliverySource<E = AnyEvent> {
  readonly event: E;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly meta: { readonly account: string };
}

/** Makes the ids, which are hashes. */
export interface DeliveryIds {
  /** The public id of an event of a message. */
  event(eventId: string): string;
  /** The id of its delivery to the `webhook_url`: the same on every attempt. */
  statusDelivery(messageId: string, eventId: string): string;
  /** The public id of a platform event: one event of the log may mean two of them. */
  platformEvent(eventId: string, name: string): string;
  /** The id of its delivery to an endpoint: the same on every attempt. */
  endpointDelivery(endpointId: string, eventId: string, name: string): string;
}

/** The part of a stream's name after its kind: the partition key of its deliveries. */
export const sourceKeyOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

type Of<E> = { readonly event: E };

const endpointTypes: ReadonlySet<string> = new Set(endpointEvents.map(({ name }) => name));
export const endpointEventTypes = [...endpointTypes] as readonly SealedEndpointEvent['type'][];
export const isOfEndpoint = <S extends Of<AnyEvent>>(stored: S): stored is S & Of<SealedEndpointEvent> => endpointTypes.has(stored.event.type);
export const isOfMessage = <S extends Of<AnyEvent>>(stored: S): stored is S & Of<SealedMessageEvent> => stored.event.type.startsWith('Message');

// What is known of the receivers

/** The webhook of a message. Never removed, because clicks and late receipts may come at any time. */
export interface Subscription extends Doc {
  /** Of the message. */
  readonly id: string;
  /** Hash of the host of its URL. */
  readonly lane: string;
  /** `webhook_events` of the request; by default all that are not opt-in. */
  readonly events?: readonly string[];
}

/** What of an endpoint decides about its deliveries. */
interface KnownEndpoint {
  readonly id: string;
  readonly lane: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly term: number;
}

/** The endpoints of one account. Each partition has its own copy. */
export interface EndpointSet extends Doc {
  readonly id: string;
  readonly endpoints: readonly KnownEndpoint[];
}

export const endpointSetId = (account: string, { index }: Partition): string => `endpoints/${account}/${index}`;

/** The receivers of an event, as far as they are known. */
export interface Receivers {
  readonly subscription: Subscription | undefined;
  readonly endpoints: EndpointSet | undefined;
}

/** Where the receivers of an event are: ids of a `Subscription` and an `EndpointSet`; null for those that it cannot concern. */
export const receiverIdsOf = (stored: DeliverySource, partition: Partition): { readonly [Kind in keyof Receivers]: string | null } => ({
  subscription: isOfMessage(stored) ? messageIdOf(stored.stream) : null,
  endpoints: platformEventsOf(stored).length > 0 ? endpointSetId(stored.meta.account, partition) : null,
});

// Deliveries

/** The delivery of one event of a message to its `webhook_url`. */
export interface StatusDelivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly message_id: string;
  /** Of the event in the message's stream. */
  readonly revision: number;
  /** `message.delivered`. */
  readonly event: string;
  readonly lane: string;
}

/** The delivery of one platform event to one endpoint. */
export interface EndpointDelivery {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly term: number;
  readonly lane: string;
  readonly event: PlatformEventName;
  readonly event_id: string;
  /** The event of the log that it is about. */
  readonly source_stream: string;
  readonly revision: number;
  /** 2: of an import. */
  readonly priority: 1 | 2;
}

/** Types of the events that create a message or may fire its webhook. */
export const handledMessageEvents: readonly TransitionName[] = (Object.entries(transitions) as [TransitionName, Transition][])
  .filter(([, { from, webhook }]) => webhook !== null || from.includes('new'))
  .map(([name]) => name);

/** All deliveries that an event means. */
export const deliveriesOf = (stored: DeliverySource, { subscription, endpoints }: Receivers, ids: DeliveryIds) => ({
  status: isOfMessage(stored) ? statusDeliveryOf(stored, subscription, ids) : null,
  toEndpoints: endpointDeliveriesOf(stored, endpoints, ids),
});

/** Only the first event of a stream is the creation; MessageScheduled may also come later. */
const isCreation = ({ revision }: DeliverySource): boolean => revision === 0;

/** The subscription in the first event of a message; null for other events and messages without a webhook. */
export function subscriptionOf(stored: DeliverySource<SealedMessageEvent>): Subscription | null {
  const { event, stream } = stored;
  if (!isCreation(stored) || (event.type !== 'MessageQueued' && event.type !== 'MessageScheduled')) return null;
  const { webhook_lane: lane, webhook_events: events } = event.data;
  return lane === undefined ? null : { id: messageIdOf(stream), lane, ...(events && { events }) };
}

function statusDeliveryOf(
  stored: DeliverySource<SealedMessageEvent>,
  subscription: Subscription | undefined,
  ids: DeliveryIds,
): StatusDelivery | null {
  const { event, stream, revision, id } = stored;
  if (!subscription || !isTransition(event.type) || !firesWebhook(event.type, subscription.events, isCreation(stored))) return null;
  const message_id = messageIdOf(stream);
  const { webhook }: Transition = transitions[event.type];
  return {
    delivery_id: ids.statusDelivery(message_id, id),
    event_id: ids.event(id),
    message_id,
    revision,
    event: webhook as string,
    lane: subscription.lane,
  };
}

function endpointDeliveriesOf(stored: DeliverySource, set: EndpointSet | undefined, ids: DeliveryIds): readonly EndpointDelivery[] {
  if (!set) return [];
  const { id, stream: source_stream, revision, event: source } = stored;
  const priority = isOfImport(source) ? 2 : 1;
  return platformEventsOf(stored).flatMap((event) => {
    const event_id = ids.platformEvent(id, event);
    return set.endpoints
      .filter(({ enabled, events }) => enabled && (events.length === 0 || events.includes(event)))
      .map(({ id: endpoint_id, lane, term }) => {
        const delivery_id = ids.endpointDelivery(endpoint_id, id, event);
        return { delivery_id, endpoint_id, term, lane, event, event_id, source_stream, revision, priority };
      });
  });
}

/** Past contacts, which many may come of at once. */
const isOfImport = ({ type, data }: AnyEvent): boolean => type === 'ContactCreated' && (data as { readonly source?: unknown }).source === 'import';

/** The endpoints of an account after an event about one of them. */
export function endpointSetAfter(set: EndpointSet | undefined, id: string, { event }: { readonly event: SealedEndpointEvent }): EndpointSet {
  const { endpoint_id } = event.data;
  const known = set?.endpoints ?? [];
  const changed = (change: (endpoint: KnownEndpoint) => KnownEndpoint) =>
    known.map((endpoint) => (endpoint.id === endpoint_id ? change(endpoint) : endpoint));
  switch (event.type) {
    case 'EndpointCreated': {
      const { lane, events } = event.data;
      return { id, endpoints: [...known, { id: endpoint_id, lane, events, enabled: true, term: 1 }] };
    }
    case 'EndpointChanged': {
      const { lane, events } = event.data;
      return { id, endpoints: changed((endpoint) => ({ ...endpoint, lane, events })) };
    }
    case 'EndpointDisabled':
      return { id, endpoints: changed((endpoint) => ({ ...endpoint, enabled: false })) };
    case 'EndpointEnabled':
      return { id, endpoints: changed((endpoint) => ({ ...endpoint, enabled: true, term: endpoint.term + 1 })) };
    case 'EndpointDeleted':
      return { id, endpoints: known.filter((endpoint) => endpoint.id !== endpoint_id) };
    case 'EndpointSecretRotated':
      return { id, endpoints: known };
    default:
      return event satisfies never;
  }
}
