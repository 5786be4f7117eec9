import type { MessageEvent, SealedMessageEvent } from '../../domain/messages/message.js';
import type { SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import { legacyLane } from '../../formats/webhooks/lanes.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** Events of one message, for specs of its webhooks. */

export const CREATED = '2026-01-15T10:30:00.000Z';
export const URL_ = 'https://example.com/h?k=1';

type Accepted = Extract<MessageEvent, { type: 'MessageQueued' }>['data'];
type Receipt = Extract<MessageEvent, { type: 'MessageDelivered' }>['data'];

export const accepted = (given: Partial<Accepted> = {}): Accepted => ({
  to_key: 'k1',
  to: '+14155550100',
  channel: 'sms',
  category: 'transactional',
  content: { message: 'Code 1234' },
  metadata: { order: 'A1' },
  created_at: CREATED,
  ...given,
  ...webhook('webhook_url' in given ? given.webhook_url : URL_),
});

const webhook = (url: string | undefined) => (url === undefined ? {} : { webhook_url: url, webhook_lane: legacyLane(url) });

export const receipt = (given: Partial<Receipt> = {}): Receipt => ({
  carrier: 'twilio',
  carrier_message_id: 'SM1',
  raw_status: 'delivered',
  code: null,
  raw: '{"MessageStatus":"delivered"}',
  at: '2026-01-15T10:30:02Z',
  received_at: '2026-01-15T10:30:02.900Z',
  receipt_key: 'r1',
  to_key: 'k1',
  channel: 'sms',
  ...given,
});

export const queued = (given: Partial<Accepted> = {}): MessageEvent => ({ type: 'MessageQueued', data: accepted(given) });
export const scheduled = (given: Partial<Accepted> = {}): MessageEvent => ({
  type: 'MessageScheduled',
  data: { ...accepted(given), send_at: '2026-01-15T12:00:00.000Z', because: 'send_at' },
});
export const released: MessageEvent = { type: 'MessageReleased', data: { at: '2026-01-15T12:00:00.000Z' } };
export const suppressed: MessageEvent = { type: 'MessageSuppressed', data: { reason: 'stop_keyword', at: CREATED } };
export const started: MessageEvent = {
  type: 'MessageDispatchStarted',
  data: { carrier: 'twilio', attempt: 1, epoch: 1, repeat: false, at: '2026-01-15T10:30:00.100Z' },
};
export const sent: MessageEvent = {
  type: 'MessageSent',
  data: { carrier: 'twilio', carrier_message_id: 'SM1', at: '2026-01-15T10:30:01.250Z' },
};
export const delivered: MessageEvent = { type: 'MessageDelivered', data: receipt() };

/** An event as processes and projections get it from the log, with its personal fields sealed. */
export function stored<E extends SealedMessageEvent | SealedDeliveryEvent>(
  event: MessageEvent | SealedDeliveryEvent,
  place: { stream?: string; revision?: number; id?: string; position?: string; occurredAt?: string } = {},
): LogEvent<E> {
  const { stream = 'message-msg_1', revision = 0, id = `event-${revision}`, position = String(revision).padStart(20, '0') } = place;
  const meta = {
    $correlationId: 'req_1',
    $causationId: 'req_1',
    account: 'acc_1',
    actor: { kind: 'key', id: 'key_1' },
    schemaVersion: 1,
    occurredAt: place.occurredAt ?? CREATED,
  };
  return { event: event as E, stream, revision, position, id, meta };
}
