/**
 * One message: accepted, perhaps scheduled, handed to a carrier, and then what the carrier and the recipient report.
 * The allowed transitions are the table in `status.ts`.
 */

import type { Decider } from '../kernel/decider.js';
import { ERASED } from '../kernel/erased.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { count, flag, nullable, oneOf, record, text, time } from '../kernel/schema.js';
import { acceptedFields, personalFields, type WaitReason, waitReason } from './accepted-fields.js';
import { type Receipt, receiptEvents, recordReceipt } from './receipt.js';
import { DISPATCH_RETRY_DELAYS_MS } from './retries.js';
import { isAllowed, type Status, type StatusReason, statuses, statusReasons, transitions } from './status.js';

// Events

const reason = oneOf(...statusReasons);

export const MessageQueued = eventType('MessageQueued', record(acceptedFields), { version: 2, personal: personalFields });
/** At creation, or later if hand-over falls into quiet hours; then it repeats the accepted fields. */
export const MessageScheduled = eventType('MessageScheduled', record({ ...acceptedFields, send_at: time, because: waitReason }), {
  version: 2,
  personal: personalFields,
});
export const MessageReleased = eventType('MessageReleased', record({ at: time }));
export const MessageSuppressed = eventType('MessageSuppressed', record({ reason, at: time }));
export const MessageCanceled = eventType('MessageCanceled', record({ at: time }));
export const MessageExpired = eventType('MessageExpired', record({ at: time }));
/** Recorded before the carrier is called. `epoch` is that of the dispatcher; `repeat`: the outcome of an earlier call is unknown. */
export const MessageDispatchStarted = eventType(
  'MessageDispatchStarted',
  record({ carrier: text, attempt: count, epoch: count, repeat: flag, at: time }),
);
export const MessageDispatchDeferred = eventType(
  'MessageDispatchDeferred',
  record({ carrier: text, attempt: count, code: nullable(text), error: text, retry_at: time, at: time }),
);
export const MessageSent = eventType('MessageSent', record({ carrier: text, carrier_message_id: text, at: time }));
export const MessageFailed = eventType(
  'MessageFailed',
  record({ carrier: nullable(text), reason, code: nullable(text), error: nullable(text), at: time }),
);

/** A later batch named the same message once more (by its idempotency key). Nothing is sent for it. */
export const MessageRepeated = eventType('MessageRepeated', record({ batch_id: nullable(text), at: time }));

export const messageEvents = [
  MessageQueued,
  MessageScheduled,
  MessageReleased,
  MessageSuppressed,
  MessageCanceled,
  MessageExpired,
  MessageDispatchStarted,
  MessageDispatchDeferred,
  MessageSent,
  MessageFailed,
  ...receiptEvents,
  MessageRepeated,
] as const;
export type MessageEvent = EventOf<(typeof messageEvents)[number]>;
export type SealedMessageEvent = SealedEventOf<(typeof messageEvents)[number]>;
export type Accepted = EventOf<typeof MessageQueued>['data'];
export type Category = Accepted['category'];

// State

interface AcceptedFields {
  readonly accepted: Accepted;
  /** Hand-overs started. */
  readonly attempts: number;
  readonly carrier: { readonly name: string; readonly message_id: string | null } | null;
  /** Keys of the receipts recorded so far. */
  readonly receipts: readonly string[];
}

export type Message =
  | { readonly status: 'new' }
  | (AcceptedFields & { readonly status: 'scheduled'; readonly send_at: string })
  | (AcceptedFields & { readonly status: 'queued' })
  | (AcceptedFields & { readonly status: 'sending'; readonly epoch: number })
  | (AcceptedFields & { readonly status: 'sent' | 'delivered' | 'canceled' | 'expired' })
  | (AcceptedFields & { readonly status: 'suppressed' | 'failed' | 'undelivered' | 'bounced'; readonly reason: StatusReason });

export type KnownMessage = Exclude<Message, { status: 'new' }>;

export function evolve(message: Message, event: MessageEvent): Message {
  if (event.type === 'MessageQueued') return { ...newlyAccepted(event.data), status: 'queued' };
  if (event.type === 'MessageScheduled') {
    const { send_at, because: _, ...accepted } = event.data;
    return { ...(message.status === 'new' ? newlyAccepted(accepted) : message), status: 'scheduled', send_at };
  }
  return message.status === 'new' ? message : evolveAccepted(message, event);
}

const newlyAccepted = (accepted: Accepted): AcceptedFields => ({ accepted, attempts: 0, carrier: null, receipts: [] });

type LaterEvent = Exclude<MessageEvent, { type: 'MessageQueued' | 'MessageScheduled' }>;

function evolveAccepted(message: KnownMessage, event: LaterEvent): Message {
  const { accepted, attempts, carrier, receipts } = message;
  const known: AcceptedFields = { accepted, attempts, carrier, receipts };
  switch (event.type) {
    case 'MessageReleased':
    case 'MessageDispatchDeferred':
      return { ...known, status: 'queued' };
    case 'MessageSuppressed':
      return { ...known, status: 'suppressed', reason: event.data.reason };
    case 'MessageCanceled':
      return { ...known, status: 'canceled' };
    case 'MessageExpired':
      return { ...known, status: 'expired' };
    case 'MessageDispatchStarted':
      return {
        ...known,
        status: 'sending',
        attempts: event.data.attempt,
        epoch: event.data.epoch,
        carrier: { name: event.data.carrier, message_id: null },
      };
    case 'MessageSent':
      return { ...known, status: 'sent', carrier: { name: event.data.carrier, message_id: event.data.carrier_message_id } };
    case 'MessageFailed':
      return { ...known, status: 'failed', reason: event.data.reason };
    case 'MessageDelivered':
      return { ...received(known, event), status: 'delivered' };
    case 'MessageUndelivered':
      return { ...received(known, event), status: 'undelivered', reason: event.data.reason };
    case 'MessageBounced':
      return { ...received(known, event), status: 'bounced', reason: event.data.reason };
    case 'MessageDeferred':
    case 'MessageOpened':
    case 'MessageClicked':
    case 'MessageRead':
    case 'MessageReplied':
    case 'MessageComplained':
    case 'MessageUnsubscribed':
    case 'ReceiptIgnored':
      return { ...message, receipts: [...receipts, event.data.receipt_key] };
    case 'MessageRepeated':
      return message;
    default:
      return event satisfies never;
  }
}

/** A receipt may arrive before the carrier's answer: then the carrier's message id comes from the receipt. */
type FinalReceiptEvent = Extract<LaterEvent, { type: 'MessageDelivered' | 'MessageUndelivered' | 'MessageBounced' }>;
function received(known: AcceptedFields, { data }: FinalReceiptEvent): AcceptedFields {
  const message_id = known.carrier?.message_id ?? data.carrier_message_id;
  return { ...known, carrier: { name: known.carrier?.name ?? data.carrier, message_id }, receipts: [...known.receipts, data.receipt_key] };
}

// Commands

/** An accepted message. `refused`: why the gates at acceptance refused it. */
export interface Acceptance {
  readonly accepted: Accepted;
  readonly send_at: string | null;
  /** Why it is scheduled; by default because the caller set `send_at`. */
  readonly because?: WaitReason;
  readonly refused: StatusReason | null;
}

/** A message of a batch has no stream before its first event. That event is preceded by those of its `acceptance`. */
type WithAcceptance = { readonly acceptance?: Acceptance };

export type MessageCommand =
  | { type: 'Accept'; acceptance: Acceptance; now: string }
  | ({ type: 'Cancel'; now: string } & WithAcceptance)
  /**
   * Releases a due message and starts its hand-over. `refused` and `wait_until` are the current decisions of the gates. A
   * message whose hand-over was started before and has no recorded outcome has an unknown outcome.
   */
  | ({
      type: 'Take';
      carrier: string;
      epoch: number;
      refused: StatusReason | null;
      /** End of the recipient's quiet hours. */
      wait_until?: string | null;
      on_unknown_outcome: 'retry' | 'fail';
      now: string;
    } & WithAcceptance)
  | { type: 'RecordAcceptedByCarrier'; carrier: string; carrier_message_id: string; now: string }
  | { type: 'RecordTransientError'; carrier: string; code: string | null; error: string; now: string }
  | { type: 'RecordPermanentError'; carrier: string; reason: StatusReason; code: string | null; error: string; now: string }
  /** An operator gives the message up, because processing it failed again and again. */
  | ({ type: 'Drop'; now: string } & WithAcceptance)
  | { type: 'RecordReceipt'; receipt: Receipt };

type Of<T extends MessageCommand['type']> = Extract<MessageCommand, { type: T }>;

export function decide(command: MessageCommand, message: Message): readonly MessageEvent[] {
  if (message.status === 'new') return accept(command);
  switch (command.type) {
    case 'Accept':
      return [];
    case 'Cancel':
      return cancel(command, message);
    case 'Take':
      return take(command, message);
    case 'RecordAcceptedByCarrier':
      if (message.status !== 'sending') return [];
      return [{ type: 'MessageSent', data: { carrier: command.carrier, carrier_message_id: command.carrier_message_id, at: command.now } }];
    case 'RecordTransientError':
      return recordTransientError(command, message);
    case 'RecordPermanentError': {
      const { carrier, reason, code, error, now: at } = command;
      return message.status === 'sending' ? [{ type: 'MessageFailed', data: { carrier, reason, code, error, at } }] : [];
    }
    case 'Drop':
      if (!isAllowed('MessageFailed', message.status)) return [];
      return [{ type: 'MessageFailed', data: { carrier: null, reason: 'dropped', code: null, error: null, at: command.now } }];
    case 'RecordReceipt':
      return recordReceipt(command.receipt, message);
    default:
      return command satisfies never;
  }
}

/** Accepts the message, then decides the rest of the command. */
function accept(command: MessageCommand): readonly MessageEvent[] {
  const acceptance = 'acceptance' in command ? command.acceptance : undefined;
  if (!acceptance) throw new DomainError('not_found', 'There is no such message.', { resource: 'message' });
  const { accepted, send_at, because = 'send_at', refused } = acceptance;
  const events: MessageEvent[] = [
    send_at ? { type: 'MessageScheduled', data: { ...accepted, send_at, because } } : { type: 'MessageQueued', data: accepted },
  ];
  if (refused) events.push({ type: 'MessageSuppressed', data: { reason: refused, at: accepted.created_at } });
  return command.type === 'Accept' ? events : [...events, ...decide(command, events.reduce(evolve, { status: 'new' }))];
}

function cancel({ now: at }: Of<'Cancel'>, message: KnownMessage): readonly MessageEvent[] {
  if (message.status === 'canceled') return [];
  if (isAllowed('MessageCanceled', message.status)) return [{ type: 'MessageCanceled', data: { at } }];
  throw new DomainError('invalid_state', `A message that is ${message.status} can no longer be canceled.`, {
    current: message.status,
    allowed: transitions.MessageCanceled.from,
  });
}

function take(command: Of<'Take'>, message: KnownMessage): readonly MessageEvent[] {
  const { carrier, epoch, now: at } = command;
  if (message.status === 'scheduled' || message.status === 'queued') return takeWaiting(command, message);
  if (message.status !== 'sending')
    return command.acceptance ? [{ type: 'MessageRepeated', data: { batch_id: command.acceptance.accepted.batch_id ?? null, at } }] : [];
  if (message.epoch > epoch) return [];
  if (command.on_unknown_outcome === 'retry') return [started(command, message, true)];
  return [{ type: 'MessageFailed', data: { carrier, reason: 'unknown_outcome', code: null, error: null, at } }];
}

function takeWaiting(command: Of<'Take'>, message: Extract<Message, { status: 'scheduled' | 'queued' }>): readonly MessageEvent[] {
  const { wait_until = null, now: at } = command;
  const { accepted } = message;
  // The address is erased, so the message cannot be sent even if a suppression was lifted since.
  const refused = command.refused ?? (accepted.to === ERASED ? 'erased' : null);
  const expired = (accepted.expires_at ?? '~') <= at;
  if (message.status === 'scheduled' && message.send_at > at) return expired ? [{ type: 'MessageExpired', data: { at } }] : [];
  const events: MessageEvent[] = message.status === 'scheduled' ? [{ type: 'MessageReleased', data: { at } }] : [];
  if (expired) return [...events, { type: 'MessageExpired', data: { at } }];
  if (refused) return [...events, { type: 'MessageSuppressed', data: { reason: refused, at } }];
  if (wait_until !== null) return [...events, { type: 'MessageScheduled', data: { ...accepted, send_at: wait_until, because: 'quiet_hours' } }];
  return [...events, started(command, message, false)];
}

const started = ({ carrier, epoch, now: at }: Of<'Take'>, { attempts }: KnownMessage, repeat: boolean): MessageEvent => ({
  type: 'MessageDispatchStarted',
  data: { carrier, attempt: attempts + 1, epoch, repeat, at },
});

function recordTransientError({ carrier, code, error, now: at }: Of<'RecordTransientError'>, message: KnownMessage): readonly MessageEvent[] {
  if (message.status !== 'sending') return [];
  const delay = DISPATCH_RETRY_DELAYS_MS[message.attempts - 1];
  if (delay === undefined) return [{ type: 'MessageFailed', data: { carrier, reason: 'carrier_unavailable', code, error, at } }];
  const retry_at = new Date(Date.parse(at) + delay).toISOString();
  return [{ type: 'MessageDispatchDeferred', data: { carrier, attempt: message.attempts, code, error, retry_at, at } }];
}

export const message: Decider<Message, MessageCommand, MessageEvent> = { initial: { status: 'new' }, evolve, decide };

/** Whether only late receipts can follow. */
export const isFinal = (status: Status): boolean => statuses[status].final;

// Stream

export const messageStream = (messageId: string): string => `message-${messageId}`;
export const messageIdOf = (stream: string): string => stream.slice('message-'.length);
