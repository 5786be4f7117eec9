import type { GateDecision } from '../../domain/messages/gate-decision.js';
import type { Acceptance, AcceptedMessage, MessageCommand, MessageEvent } from '../../domain/messages/message.js';
import type { Receipt, ReceiptKind } from '../../domain/messages/receipt.js';
import type { Status, StatusReason } from '../../domain/messages/status.js';

/** A time on the day of all examples. */
export const at = (hour: number, minute = 0, second = 0): string => new Date(Date.UTC(2026, 0, 15, hour, minute, second)).toISOString();
export const now = at(12);

export const accepted: AcceptedMessage = {
  to_key: 'a1b2',
  to: '+14155550100',
  channel: 'sms',
  category: 'transactional',
  content: { message: 'Code 1234' },
  created_at: at(10),
};

type Data<T extends MessageEvent['type']> = Extract<MessageEvent, { type: T }>['data'];
type Input<T extends MessageCommand['type']> = Omit<Extract<MessageCommand, { type: T }>, 'type'>;

// Events

export const queued = (data: Partial<AcceptedMessage> = {}): MessageEvent => ({ type: 'MessageQueued', data: { ...accepted, ...data } });
export const scheduled = (data: Partial<Data<'MessageScheduled'>> = {}): MessageEvent => ({
  type: 'MessageScheduled',
  data: { ...accepted, send_at: at(11), because: 'send_at', ...data },
});
export const released = (): MessageEvent => ({ type: 'MessageReleased', data: { at: now } });
export const suppressed = (reason: StatusReason, time = now, decision?: GateDecision): MessageEvent => ({
  type: 'MessageSuppressed',
  data: { reason, ...(decision && { decision }), at: time },
});
export const canceled = (): MessageEvent => ({ type: 'MessageCanceled', data: { at: now } });
export const expired = (): MessageEvent => ({ type: 'MessageExpired', data: { at: now } });
export const dispatchStarted = (data: Partial<Data<'MessageDispatchStarted'>> = {}): MessageEvent => ({
  type: 'MessageDispatchStarted',
  data: { carrier: 'sandbox', attempt: 1, epoch: 7, repeat: false, at: now, ...data },
});
export const dispatchDeferred = (data: Partial<Data<'MessageDispatchDeferred'>> = {}): MessageEvent => ({
  type: 'MessageDispatchDeferred',
  data: { carrier: 'sandbox', attempt: 1, code: '503', error: 'busy', retry_at: at(12, 0, 1), at: now, ...data },
});
export const sent = (): MessageEvent => ({ type: 'MessageSent', data: { carrier: 'sandbox', carrier_message_id: 'sb_1', at: now } });
export const failed = (data: Partial<Data<'MessageFailed'>> = {}): MessageEvent => ({
  type: 'MessageFailed',
  data: { carrier: 'sandbox', reason: 'invalid_recipient', code: '21211', error: 'no such number', at: now, ...data },
});
export const repeated = (batch_id: string | null): MessageEvent => ({ type: 'MessageRepeated', data: { batch_id, at: now } });

// Commands

export const accept = (acceptance: Partial<Acceptance> = {}): MessageCommand => ({
  type: 'Accept',
  acceptance: acceptanceOf(acceptance),
  now: at(10),
});
export const acceptanceOf = (more: Partial<Acceptance> = {}): Acceptance => ({ accepted, send_at: null, refused: null, ...more });
export const cancel = (more: Partial<Input<'Cancel'>> = {}): MessageCommand => ({ type: 'Cancel', now, ...more });
export const take = (more: Partial<Input<'StartDispatch'>> = {}): MessageCommand => ({
  type: 'StartDispatch',
  carrier: 'sandbox',
  epoch: 7,
  refused: null,
  on_unknown_outcome: 'retry',
  now,
  ...more,
});
export const recordAccepted = (): MessageCommand => ({ type: 'RecordAcceptedByCarrier', carrier: 'sandbox', carrier_message_id: 'sb_1', now });
export const recordTransientError = (given: object = {}): MessageCommand => ({
  ...{ type: 'RecordTransientError', carrier: 'sandbox', code: '503', error: 'busy', now },
  ...given,
});
export const recordPermanentError = (): MessageCommand => ({
  type: 'RecordPermanentError',
  carrier: 'sandbox',
  reason: 'invalid_recipient',
  code: '21211',
  error: 'no such number',
  now,
});
export const recordReceipt = (kind: ReceiptKind, more: Partial<Receipt> = {}): MessageCommand => ({
  type: 'RecordReceipt',
  receipt: { kind, ...receipt, receipt_key: `key of ${kind}`, ...more },
});

const receipt = {
  carrier: 'sandbox',
  carrier_message_id: 'sb_1',
  raw_status: 'REPORTED',
  code: null,
  at: now,
  received_at: at(12, 0, 2),
};
/** What every event of a receipt has. */
export const receiptData = (kind: ReceiptKind) => ({ ...receipt, receipt_key: `key of ${kind}`, to_key: accepted.to_key, channel: accepted.channel });

const sending = [queued(), dispatchStarted()];

/** The events after which a message has a status. */
export const pasts: Readonly<Record<Status, readonly MessageEvent[]>> = {
  scheduled: [scheduled()],
  queued: [queued()],
  sending,
  sent: [...sending, sent()],
  delivered: [...sending, sent(), { type: 'MessageDelivered', data: { ...receiptData('delivered'), receipt_key: 'past' } }],
  undelivered: [
    ...sending,
    sent(),
    { type: 'MessageUndelivered', data: { ...receiptData('undelivered'), receipt_key: 'past', reason: 'carrier_rejected' } },
  ],
  bounced: [...sending, sent(), { type: 'MessageBounced', data: { ...receiptData('bounced'), receipt_key: 'past', reason: 'hard_bounce' } }],
  failed: [...sending, failed()],
  suppressed: [queued(), suppressed('stop_keyword')],
  canceled: [queued(), canceled()],
  expired: [queued(), expired()],
};
