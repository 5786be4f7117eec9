/** The body of the webhook for one event of a message. */
import { type AcceptedMessage, type KnownMessage, type MessageEvent, message } from '../messages/message.js';
import { isTransition, type Status, type Transition, transitions } from '../messages/status.js';

export interface StatusBody {
  readonly event: string;
  readonly event_id: string;
  readonly message_id: string;
  readonly batch_id: string | null;
  readonly channel: AcceptedMessage['channel'];
  readonly to: string;
  readonly status: Status;
  /** Before this event; the same as `status` where the event changes none, as a click does not. */
  readonly previous_status: Status;
  readonly status_reason: string | null;
  /** Number of the event in the message's stream, from 1. Deliveries may arrive in any order; this is the order of events. */
  readonly sequence: number;
  readonly occurred_at: string;
  readonly contact_id: string | null;
  readonly campaign_id: string | null;
  readonly journey_id: string | null;
  /** Only of a message of a test key. */
  readonly test?: true;
  readonly carrier: { readonly name: string; readonly message_id: string | null; readonly code: string | null } | null;
  /** Of a permanent or transient failure: the carrier's code, or our reason if it gave none. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Of an answer by text. The text of an email is in `message.received`. */
  readonly reply?: { readonly text: string; readonly from: string; readonly received_at: string };
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The body for the last of these events, which are all events of the message up to it. The same events give the same bytes,
 * so every attempt sends the same body. `recordedAt` is used for an event without a time. Throws if the events are not those
 * of a message, or if the last one fires no webhook.
 */
export function statusBody(
  events: readonly MessageEvent[],
  { message_id, event_id, recordedAt }: { message_id: string; event_id: string; recordedAt: string },
): StatusBody {
  const last = events.at(-1);
  if (!last || !isTransition(last.type)) throw new Error(`${last?.type ?? 'no event'} fires no webhook`);
  const { webhook }: Transition = transitions[last.type];
  const before = events.slice(0, -1).reduce(message.evolve, message.initial);
  const now = message.evolve(before, last);
  if (webhook === null || before.status === 'new' || now.status === 'new') throw new Error(`this ${last.type} fires no webhook`);
  const { accepted } = now;
  return {
    event: webhook,
    event_id,
    message_id,
    batch_id: accepted.batch_id ?? null,
    channel: accepted.channel,
    to: accepted.to,
    status: now.status,
    previous_status: before.status,
    status_reason: reasonOf(now),
    sequence: events.length,
    occurred_at: timeOf(last, recordedAt),
    contact_id: accepted.contact_id ?? null,
    campaign_id: accepted.campaign_id ?? null,
    journey_id: accepted.journey_id ?? null,
    ...(accepted.test && { test: true }),
    carrier: now.carrier && { ...now.carrier, code: 'code' in last.data ? last.data.code : null },
    error: errorOf(last),
    ...replyOf(last, accepted),
    metadata: accepted.metadata ?? {},
  };
}

function reasonOf(message: KnownMessage): string | null {
  if (message.status === 'expired') return 'ttl';
  return 'reason' in message ? (message.reason ?? null) : null;
}

/** In UTC with milliseconds; carriers' times come with or without fractions and offsets. */
function timeOf(event: MessageEvent, recordedAt: string): string {
  const ms = 'at' in event.data ? Date.parse(event.data.at) : Number.NaN;
  return Number.isNaN(ms) ? recordedAt : new Date(ms).toISOString();
}

function replyOf(event: MessageEvent, { to }: AcceptedMessage): Pick<StatusBody, 'reply'> {
  if (event.type !== 'MessageReplied' || event.data.text === null) return {};
  return { reply: { text: event.data.text, from: to, received_at: event.data.at } };
}

function errorOf(event: MessageEvent): StatusBody['error'] {
  switch (event.type) {
    case 'MessageFailed':
      return { code: event.data.code ?? event.data.reason, message: event.data.error ?? `No carrier took it: ${event.data.reason}.` };
    case 'MessageUndelivered':
    case 'MessageBounced':
      return { code: event.data.code ?? event.data.reason, message: `The carrier reports '${event.data.raw_status}'.` };
    case 'MessageDispatchDeferred':
      return { code: event.data.code ?? 'carrier_unavailable', message: event.data.error };
    case 'MessageDeferred':
      return { code: event.data.code ?? 'deferred', message: `The carrier reports '${event.data.raw_status}'.` };
    default:
      return null;
  }
}
