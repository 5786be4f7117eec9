/**
 * One message: accepted, perhaps scheduled, handed to a carrier, and then what the carrier and the recipient report.
 * The allowed transitions are the table in `status.ts`.
 */

import type { Aggregate } from '../kernel/aggregate.js';
import type { Decider } from '../kernel/decider.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { omitUndefined } from '../kernel/own-fields.js';
import { nullable, oneOf, record, text, time } from '../kernel/schema.js';
import type { SealedState } from '../kernel/sealed-state.js';
import { acceptedFields, personalFields, type WaitReason, waitReason } from './accepted-fields.js';
import {
  givenUp,
  type LeftOut,
  MessageDispatchDeferred,
  MessageDispatchStarted,
  MessageFailed,
  MessageSent,
  misconfigured,
  nextDispatch,
  type PeerKeys,
  type PermanentRefusal,
  permanentError,
  sentEvent,
  transientError,
  UNKNOWN_OUTCOME,
  withUnanswered,
} from './dispatch-events.js';
import { decisionField, gateRefusalOf, type Refusal } from './gate-decision.js';
import { type DeviceReport, type DeviceResult, type DeviceStates, evolveDevices, pushOutcomeEvents, pushReportEventOf } from './push-outcomes.js';
import { decideReceipt, isReceiptAllowed, type Receipt, receiptEvents } from './receipt.js';
import { isAllowed, type StatusReason, statusReasons, transitions } from './status.js';

// Events

const reason = oneOf(...statusReasons);

export const MessageQueued = eventType('MessageQueued', record(acceptedFields), { version: 10, personal: personalFields });
/** At creation, or later if dispatch falls into quiet hours; then it repeats the accepted fields. */
export const MessageScheduled = eventType('MessageScheduled', record({ ...acceptedFields, send_at: time, because: waitReason }), {
  version: 10,
  personal: personalFields,
});
export const MessageReleased = eventType('MessageReleased', record({ at: time }));
export const MessageSuppressed = eventType('MessageSuppressed', record({ reason, ...decisionField, at: time }), { version: 2 });
export const MessageCanceled = eventType('MessageCanceled', record({ at: time }));
export const MessageExpired = eventType('MessageExpired', record({ at: time }));
/** A later batch named the same message once more (by its idempotency key). Nothing is sent for it. */
export const MessageRepeated = eventType('MessageRepeated', record({ batch_id: nullable(text), at: time }));

export { type LeftOut, MessageDispatchDeferred, MessageDispatchStarted, MessageFailed, MessageSent, UNKNOWN_OUTCOME } from './dispatch-events.js';

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
  ...pushOutcomeEvents,
  MessageRepeated,
] as const;
export type MessageEvent = EventOf<(typeof messageEvents)[number]>;
export type SealedMessageEvent = SealedEventOf<(typeof messageEvents)[number]>;
export type AcceptedMessage = EventOf<typeof MessageQueued>['data'];
export type Category = AcceptedMessage['category'];

// State

interface AcceptedFields extends PeerKeys {
  readonly accepted: AcceptedMessage;
  /** Dispatches started. */
  readonly attempts: number;
  readonly carrier: { readonly name: string; readonly message_id: string | null } | null;
  /** Keys of the receipts recorded so far. */
  readonly receipts: readonly string[];
  /** The carrier of a call without an answer: no other one is called any more, and a report shows that it took the message. */
  readonly unknown_at?: string;
  /** When it expires, because its carrier is misconfigured. */
  readonly waits_until?: string;
  /** Of a push message that was dispatched. */
  readonly devices?: DeviceStates;
}

export type Message =
  | { readonly status: 'new' }
  | (AcceptedFields & { readonly status: 'scheduled'; readonly send_at: string })
  | (AcceptedFields & { readonly status: 'queued'; readonly reason?: StatusReason })
  | (AcceptedFields & { readonly status: 'sending'; readonly epoch: number; readonly left_out: readonly LeftOut[] })
  | (AcceptedFields & { readonly status: 'sent' | 'delivered' | 'canceled' | 'expired' })
  | (AcceptedFields & { readonly status: 'suppressed' | 'failed' | 'undelivered' | 'bounced'; readonly reason: StatusReason });

export type KnownMessage = Exclude<Message, { status: 'new' }>;
/** A message whose personal fields may be sealed, as caches hold it. Only `sealedMessage` decides on it. */
export type SealedMessage = SealedState<Message, MessageEvent>;
type SealedKnown = Exclude<SealedMessage, { status: 'new' }>;

export function evolve(message: Message, event: MessageEvent): Message {
  if (event.type === 'MessageQueued') return { ...newlyAccepted(event.data), status: 'queued' };
  if (event.type === 'MessageScheduled') {
    const { send_at, because: _, ...accepted } = event.data;
    return { ...(message.status === 'new' ? newlyAccepted(accepted) : message), status: 'scheduled', send_at };
  }
  return message.status === 'new' ? message : evolveAccepted(message, event);
}

const newlyAccepted = (accepted: AcceptedMessage): AcceptedFields => ({ accepted, attempts: 0, carrier: null, receipts: [] });
type LaterEvent = Exclude<MessageEvent, { type: 'MessageQueued' | 'MessageScheduled' }>;
function evolveAccepted(message: KnownMessage, event: LaterEvent): Message {
  const { accepted, attempts, carrier, receipts, unknown_at, peer_key, sender_key, waits_until, devices } = message;
  const further = omitUndefined({ unknown_at, peer_key, sender_key, waits_until, devices });
  const known: AcceptedFields = { accepted, attempts, carrier, receipts, ...further };
  switch (event.type) {
    case 'MessageReleased':
      return { ...known, status: 'queued' };
    case 'MessageDispatchDeferred':
      return deferred(known, event.data);
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
        left_out: event.data.left_out ?? [],
        carrier: { name: event.data.carrier, message_id: null },
        ...(event.data.repeat && { unknown_at: event.data.carrier }),
        ...omitUndefined({ peer_key: event.data.peer_key, sender_key: event.data.sender_key }),
      };
    case 'MessageSent':
      return { ...known, status: 'sent', carrier: { name: event.data.carrier, message_id: event.data.carrier_message_id } };
    case 'MessageFailed':
      return { ...withUnanswered(known, event.data.carrier, event.data.reason), status: 'failed', reason: event.data.reason };
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
    case 'PushHandedOver':
    case 'PushReported':
      return { ...message, devices: evolveDevices(devices, event) };
    case 'MessageRepeated':
      return message;
    default:
      return event satisfies never;
  }
}

function deferred(known: AcceptedFields, { carrier, code, waits }: EventOf<typeof MessageDispatchDeferred>['data']): Message {
  if (!waits) return { ...withUnanswered(known, carrier, code), status: 'queued' };
  return { ...known, attempts: known.attempts - 1, waits_until: waits.until, status: 'queued', reason: waits.reason };
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
  readonly accepted: AcceptedMessage;
  readonly send_at: string | null;
  /** Why it is scheduled; by default because the caller set `send_at`. */
  readonly because?: WaitReason;
  readonly refused: Refusal | null;
}

/** The same as the stream of a batch holds it. */
export type SealedAcceptance = Omit<Acceptance, 'accepted'> & { readonly accepted: SealedEventOf<typeof MessageQueued>['data'] };

/** A message of a batch has no stream before its first event. That event is preceded by those of its `acceptance`. */
type WithAcceptance<A> = { readonly acceptance?: A | undefined };

/** What the command has that records an answer of a carrier. */
type OfCarrier = { readonly devices?: readonly DeviceResult[]; readonly carrier: string; readonly now: string };

export type MessageCommand<A extends Acceptance | SealedAcceptance = Acceptance> =
  | { type: 'Accept'; acceptance: A; now: string }
  | ({ type: 'Cancel'; now: string } & WithAcceptance<A>)
  /**
   * Releases a due message and starts its dispatch. `refused` and `wait_until` are the current decisions of the gates. A
   * message whose dispatch was started before and has no recorded outcome has an unknown outcome.
   */
  | ({
      type: 'StartDispatch';
      carrier: string;
      epoch: number;
      refused: Refusal | null;
      /** End of the recipient's quiet hours. */
      wait_until?: string | null;
      /** Copies that the gate refuses now. */
      left_out?: readonly LeftOut[];
      on_unknown_outcome: 'retry' | 'fail';
      now: string;
    } & PeerKeys &
      WithAcceptance<A>)
  | (OfCarrier & PeerKeys & { type: 'RecordAcceptedByCarrier'; carrier_message_id: string })
  | (OfCarrier & { type: 'RecordTransientError' | 'RecordMisconfigured'; code: string | null; error: string })
  | (OfCarrier & { type: 'RecordPermanentError' } & Omit<PermanentRefusal, 'carrier' | 'now'>)
  /** An operator gives the message up, because processing it failed again and again. */
  | ({ type: 'Drop'; now: string } & WithAcceptance<A>)
  | { type: 'RecordReceipt'; receipt: Receipt }
  /** A device reports. `receipt`: what follows for the message, where its status allows that. */
  | { type: 'RecordPushReport'; subscription_id: string; report: DeviceReport; receipt: Receipt | null; now: string };

type Of<T extends MessageCommand['type']> = Extract<MessageCommand, { type: T }>;
/** The commands that read no personal field. A dispatch does: it names the recipient. */
export type SealedMessageCommand = Exclude<MessageCommand<Acceptance | SealedAcceptance>, { type: 'StartDispatch' }>;

export function decide(command: MessageCommand, message: Message): readonly MessageEvent[] {
  if (message.status === 'new') return accept(command);
  return command.type === 'StartDispatch' ? startDispatch(command, message) : decideKnown(command, message);
}

/** Where the acceptance is sealed, the events of it are, too. */
function decideSealed(command: SealedMessageCommand, message: SealedMessage): readonly (MessageEvent | SealedMessageEvent)[] {
  return message.status === 'new' ? accept(command as Exclude<MessageCommand, { type: 'StartDispatch' }>) : decideKnown(command, message);
}

function decideKnown(command: SealedMessageCommand, message: SealedKnown): readonly MessageEvent[] {
  const events = eventsOf(command, message);
  if (events.length === 0 || !('devices' in command) || !command.devices) return events;
  return [{ type: 'PushHandedOver', data: { devices: [...command.devices], attempt: message.attempts, at: command.now } }, ...events];
}

function eventsOf(command: SealedMessageCommand, message: SealedKnown): readonly MessageEvent[] {
  switch (command.type) {
    case 'Accept':
      return [];
    case 'Cancel':
      return cancel(command, message);
    case 'RecordAcceptedByCarrier':
      return message.status === 'sending' ? [sentEvent({ ...command, at: command.now })] : [];
    case 'RecordTransientError':
      return message.status === 'sending' ? [transientError(command, message)] : [];
    case 'RecordMisconfigured':
      return message.status === 'sending' ? [misconfigured(command, message)] : [];
    case 'RecordPermanentError':
      return message.status === 'sending' ? [permanentError(command, message.accepted)] : [];
    case 'Drop':
      return isAllowed('MessageFailed', message.status) ? [permanentError({ ...DROPPED, now: command.now })] : [];
    case 'RecordReceipt':
      return decideReceipt(command.receipt, message);
    case 'RecordPushReport': {
      const { subscription_id, report, receipt, now } = command;
      const events = pushReportEventOf(message.devices, subscription_id, report, now);
      const counts = events.length > 0 && receipt && isReceiptAllowed(receipt.kind, message);
      return counts ? [...events, ...decideReceipt(receipt, message)] : events;
    }
    default:
      return command satisfies never;
  }
}

const DROPPED = { carrier: null, reason: 'dropped', code: null, error: null } as const;
/** Accepts the message, then decides the rest of the command. */
function accept(command: MessageCommand): readonly MessageEvent[] {
  const acceptance = 'acceptance' in command ? command.acceptance : undefined;
  if (!acceptance) throw new DomainError('not_found', 'There is no such message.', { resource: 'message' });
  const { accepted, send_at, because = 'send_at', refused } = acceptance;
  const events: MessageEvent[] = [
    send_at ? { type: 'MessageScheduled', data: { ...accepted, send_at, because } } : { type: 'MessageQueued', data: accepted },
  ];
  if (refused) events.push({ type: 'MessageSuppressed', data: { ...refused, at: accepted.created_at } });
  const isDone = command.type === 'Accept' || (refused && command.type === 'StartDispatch');
  return isDone ? events : [...events, ...decide(command, events.reduce(evolve, { status: 'new' }))];
}

function cancel({ now: at }: Pick<Of<'Cancel'>, 'now'>, message: SealedKnown): readonly MessageEvent[] {
  if (message.status === 'canceled' || (message.status === 'failed' && message.reason === 'unknown_outcome')) return [];
  if (isAllowed('MessageCanceled', message.status)) return [givenUp(message, 'It was canceled.', at) ?? { type: 'MessageCanceled', data: { at } }];
  throw new DomainError('invalid_state', `A message that is ${message.status} can no longer be canceled.`, {
    current: message.status,
    allowed: transitions.MessageCanceled.from,
  });
}

function startDispatch(command: Of<'StartDispatch'>, message: KnownMessage): readonly MessageEvent[] {
  const { carrier, epoch, now: at } = command;
  if (message.status === 'scheduled' || message.status === 'queued') return startWaiting(command, message);
  if (message.status !== 'sending')
    return command.acceptance ? [{ type: 'MessageRepeated', data: { batch_id: command.acceptance.accepted.batch_id ?? null, at } }] : [];
  if (message.epoch > epoch) return [];
  const called = { ...message, unknown_at: message.unknown_at ?? message.carrier?.name ?? carrier };
  const refused = gateRefusalOf(command.refused, message.accepted.to);
  const end = refused && givenUp(called, `Refused: ${refused.reason}.`, at);
  if (end) return [end];
  if (command.on_unknown_outcome === 'retry') return [nextDispatch(command, called, true)];
  return [permanentError({ carrier, reason: UNKNOWN_OUTCOME, code: null, error: null, now: at })];
}

function startWaiting(command: Of<'StartDispatch'>, message: Extract<Message, { status: 'scheduled' | 'queued' }>): readonly MessageEvent[] {
  const { wait_until = null, now: at } = command;
  const { accepted } = message;
  const refused = gateRefusalOf(command.refused, accepted.to);
  const expired = (accepted.expires_at ?? message.waits_until ?? '~') <= at;
  const expiry = (): MessageEvent => givenUp(message, 'Its time to live is over.', at) ?? { type: 'MessageExpired', data: { at } };
  if (message.status === 'scheduled' && message.send_at > at) return expired ? [expiry()] : [];
  const events: MessageEvent[] = message.status === 'scheduled' ? [{ type: 'MessageReleased', data: { at } }] : [];
  if (expired) return [...events, expiry()];
  if (refused) return [...events, givenUp(message, `Refused: ${refused.reason}.`, at) ?? { type: 'MessageSuppressed', data: { ...refused, at } }];
  if (wait_until !== null) return [...events, { type: 'MessageScheduled', data: { ...accepted, send_at: wait_until, because: 'quiet_hours' } }];
  return [...events, nextDispatch(command, message, false)];
}

// Stream

export const messageStream = (messageId: string): string => `message-${messageId}`;
export const messageIdOf = (stream: string): string => stream.slice('message-'.length);

export const message: Aggregate<Message, MessageCommand, MessageEvent> = {
  stream: messageStream,
  events: messageEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};

/** The same message without its personal fields opened: `evolve` passes them on. */
export const sealedMessage: Decider<SealedMessage, SealedMessageCommand, MessageEvent | SealedMessageEvent> = {
  initial: message.initial,
  evolve: (before, event) => evolve(before as Message, event as MessageEvent),
  decide: decideSealed,
};
