/**
 * Which events of a message are delivered to its `webhook_url`, and with which delivery id; used by the process that delivers
 * and by the list of deliveries.
 */

import type { Doc } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { firesWebhook, isTransition, type Transition, type TransitionName, transitions } from '../../domain/messages/status.js';
import { publicEventId, statusDeliveryId } from '../../log/aggregates/webhooks/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** The webhook of a message. Never removed, because clicks and late receipts may come at any time. */
export interface Subscription extends Doc {
  /** Of the message. */
  readonly id: string;
  /** Hash of the host of its URL. */
  readonly lane: string;
  /** `webhook_events` of the request; by default all that are not opt-in. */
  readonly events?: readonly string[];
}

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

/** Types of the events that create a message or may fire its webhook. */
export const handledMessageEvents: readonly TransitionName[] = (Object.entries(transitions) as [TransitionName, Transition][])
  .filter(([, { from, webhook }]) => webhook !== null || from.includes('new'))
  .map(([name]) => name);

/** Only the first event of a stream is the creation; MessageScheduled may also come later. */
const isCreation = ({ revision }: LogEvent<SealedMessageEvent>): boolean => revision === 0;

/** The subscription in the first event of a message; null for other events and messages without a webhook. */
export function subscriptionOf(stored: LogEvent<SealedMessageEvent>): Subscription | null {
  const { event, stream } = stored;
  if (!isCreation(stored) || (event.type !== 'MessageQueued' && event.type !== 'MessageScheduled')) return null;
  const { webhook_lane: lane, webhook_events: events } = event.data;
  return lane === undefined ? null : { id: messageIdOf(stream), lane, ...(events && { events }) };
}

/** The delivery of this event, or null. */
export function statusDeliveryOf(stored: LogEvent<SealedMessageEvent>, subscription: Subscription | undefined): StatusDelivery | null {
  const { event, stream, revision, id } = stored;
  if (!subscription || !isTransition(event.type) || !firesWebhook(event.type, subscription.events, isCreation(stored))) return null;
  const message_id = messageIdOf(stream);
  const { webhook }: Transition = transitions[event.type];
  return {
    delivery_id: statusDeliveryId(message_id, id),
    event_id: publicEventId(id),
    message_id,
    revision,
    event: webhook as string,
    lane: subscription.lane,
  };
}
