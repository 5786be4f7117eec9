/**
 * Which events of the log are delivered to which webhook endpoints, and with which ids; used by the process that delivers and by the
 * list of deliveries.
 */
import type { SealedCampaignEvent } from '../../domain/campaigns/campaign-events.js';
import type { SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { SealedSubmissionEvent } from '../../domain/forms/submission.js';
import type { Doc, Partition } from '../../domain/kernel/ports.js';
import type { SealedInboundEmailEvent } from '../../domain/messages/inbound-email.js';
import type { SealedMessageEvent } from '../../domain/messages/message.js';
import type { SealedListEvent } from '../../domain/suppressions/suppression.js';
import { endpointEvents, type SealedEndpointEvent } from '../../domain/webhooks/endpoint.js';
import { type PlatformEventName, platformEventNames, platformEvents } from '../../domain/webhooks/platform-events.js';
import { endpointDeliveryId, platformEventId } from '../../log/aggregates/webhooks/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

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

type CampaignSent = Extract<SealedCampaignEvent, { type: 'CampaignSent' }>;
/** Events that may mean a platform event. */
type ConsentWithdrawn = Extract<SealedConsentEvent, { type: 'ConsentWithdrawn' }>;
type FormSubmitted = Extract<SealedSubmissionEvent, { type: 'FormSubmitted' }>;
export type SourceEvent =
  | CampaignSent
  | ConsentWithdrawn
  | FormSubmitted
  | SealedContactEvent
  | SealedInboundEmailEvent
  | SealedListEvent
  | SealedMessageEvent;

const sourcesOf = (name: PlatformEventName): readonly string[] => platformEvents[name].source;

/** The types of events that may mean a platform event, and those of the endpoints. */
export const sourceTypes: readonly string[] = [...new Set(platformEventNames.flatMap(sourcesOf))];
const meanings: ReadonlyMap<string, readonly PlatformEventName[]> = new Map(
  sourceTypes.map((type) => [type, platformEventNames.filter((name) => sourcesOf(name).includes(type))]),
);
const endpointTypes: ReadonlySet<string> = new Set(endpointEvents.map(({ name }) => name));
export const endpointEventTypes = [...endpointTypes] as readonly SealedEndpointEvent['type'][];

export const isOfEndpoint = (stored: LogEvent): stored is LogEvent<SealedEndpointEvent> => endpointTypes.has(stored.event.type);

/** The part of a stream's name after its kind: the partition key of its deliveries. */
export const sourceKeyOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** The platform events that an event means. */
export function platformEventsOf({ event }: LogEvent): readonly PlatformEventName[] {
  const names = meanings.get(event.type);
  return names && isAnnounced(event as SourceEvent) ? names : [];
}

const SANDBOX = 'sandbox';

function isAnnounced(event: SourceEvent): boolean {
  switch (event.type) {
    case 'AddressSuppressed':
    case 'SuppressionWidened':
      return event.data.opted_out === true && event.data.via !== 'import' && event.data.via !== 'erasure';
    case 'ConsentWithdrawn':
      return event.data.opted_out === true;
    case 'MessageDeferred':
      return event.data.channel === 'email';
    case 'InboundEmailReceived':
      return event.data.message_id !== undefined && event.data.carrier !== SANDBOX;
    case 'MessageReplied':
      // Of the sandbox's replies by email the receipt counts, of other carriers' the email itself.
      return event.data.channel === 'email' && event.data.carrier === SANDBOX;
    default:
      return true;
  }
}

/** The deliveries of an event. */
export function endpointDeliveriesOf(stored: LogEvent, set: EndpointSet | undefined): readonly EndpointDelivery[] {
  if (!set) return [];
  const { id, stream: source_stream, revision, event: source } = stored;
  const priority = source.type === 'ContactCreated' && (source as SealedContactEvent & { type: 'ContactCreated' }).data.source === 'import' ? 2 : 1;
  return platformEventsOf(stored).flatMap((event) => {
    const event_id = platformEventId(id, event);
    return set.endpoints
      .filter(({ enabled, events }) => enabled && (events.length === 0 || events.includes(event)))
      .map(({ id: endpoint_id, lane, term }) => {
        const delivery_id = endpointDeliveryId(endpoint_id, id, event);
        return { delivery_id, endpoint_id, term, lane, event, event_id, source_stream, revision, priority };
      });
  });
}

/** The endpoints of an account after an event about one of them. */
export function endpointSetAfter(set: EndpointSet | undefined, id: string, { event }: LogEvent<SealedEndpointEvent>): EndpointSet {
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
