/** What is delivered to webhooks: the ids of deliveries and events, and the request for a status of a message. */

import { ERASED } from '../../../domain/kernel/erased.js';
import { type MessageEvent, messageStream } from '../../../domain/messages/message.js';
import type { DeliveryIds } from '../../../domain/webhooks/delivery-rules.js';
import { statusBody } from '../../../domain/webhooks/status-body.js';
import type { EventLog } from '../../runtime/event-log.js';
import { derivedId, hashId } from '../../runtime/ids.js';

/** The ids of deliveries and of the events that are delivered, as they are in bodies, lists and names of streams. */
export const deliveryIds: DeliveryIds = {
  event: (eventId) => hashId('evt', eventId),
  statusDelivery: (messageId, eventId) => derivedId('whd', messageId, eventId),
  platformEvent: (eventId, name) => hashId('evt', eventId, name),
  endpointDelivery: (endpointId, eventId, name) => hashId('whd', endpointId, eventId, name),
};

/** The request to a `webhook_url`, generated from the log each time: the same bytes on every attempt. */
interface StatusRequest {
  readonly event: string;
  /** Where it goes; `<erased>` after an erasure. */
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** The key of the recipient, as the subject of personal data. */
  readonly subject: string;
}

/**
 * The request for one event of a message, by its revision. Erased values read `<erased>`. Throws
 * if the log has no such event.
 */
export async function loadStatusRequest(log: EventLog, messageId: string, revision: number): Promise<StatusRequest> {
  const events = (await log.read<MessageEvent>(messageStream(messageId), { limit: revision + 1 })) ?? [];
  const [first, last] = [events[0], events[revision]];
  if (!first || !last || !('to_key' in first.event.data)) throw new Error(`the log has no event ${revision} of message ${messageId}`);
  const body = statusBody(
    events.map(({ event }) => event),
    { message_id: messageId, event_id: deliveryIds.event(last.id), recordedAt: last.meta.occurredAt },
  );
  return { event: body.event, url: urlOf(first.event), body: JSON.stringify(body), subject: first.event.data.to_key };
}

/** The `webhook_url` of a message; `<erased>` after an erasure. */
export async function loadWebhookUrl(log: EventLog, messageId: string): Promise<string> {
  const [first] = (await log.read<MessageEvent>(messageStream(messageId), { limit: 1 })) ?? [];
  return first ? urlOf(first.event) : ERASED;
}

const urlOf = ({ data }: MessageEvent): string => ('webhook_url' in data ? data.webhook_url : undefined) ?? ERASED;
