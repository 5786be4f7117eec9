/**
 * Receipts: what carriers report about a message they accepted, and the events that record it in the message's stream. The
 * allowed transitions are the table in `status.ts`.
 */
import { channelNames } from '../kernel/channels.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { flag, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { type BounceClass, bounceClasses } from './bounces/meanings.js';
import { type MessageSent, type PeerKeys, sentEvent } from './dispatch-events.js';
import { type KeywordKind, keywordKinds } from './keyword-kinds.js';
import { type CarrierListing, carrierListings } from './send-result.js';
import { isAllowed, type Status, type StatusReason, statusReasons, type TransitionName, transitions } from './status.js';

export const channel = oneOf(...channelNames);
const reason = oneOf(...statusReasons);
const keyword = oneOf(...keywordKinds);

const receiptFields = {
  carrier: text,
  carrier_message_id: nullable(text),
  /** The carrier's own status, and its code if it gives one. */
  raw_status: text,
  code: nullable(text),
  /** The unchanged text from the carrier; may contain the recipient's address. */
  raw: optional(text),
  at: time,
  received_at: time,
  /** Hash of (carrier, carrier's id, raw status, carrier's time): the same receipt twice has the same one. */
  receipt_key: text,
  to_key: text,
  channel,
};
/** Feedback that may change suppressions. `test`: of a message of a test key, which changes none. */
const feedbackFields = { ...receiptFields, test: optional(flag) };
/** Of a bounce, what it means for the address. Events from before there were classes have none, and do not count as soft bounces. */
const bounceFields = { bounce_class: optional(oneOf(...bounceClasses)) };
/** The carrier has the recipient on a list of its own. Events from before that was read do not have it. */
const listingFields = { listed_as: optional(oneOf(...carrierListings)) };
const personalReceipt = { subject: 'to_key', fields: ['raw'] } as const;
export const MessageDelivered = eventType('MessageDelivered', record(receiptFields), { personal: personalReceipt });
export const MessageUndelivered = eventType('MessageUndelivered', record({ ...feedbackFields, ...listingFields, reason }), {
  version: 2,
  personal: personalReceipt,
});
export const MessageBounced = eventType('MessageBounced', record({ ...feedbackFields, ...bounceFields, ...listingFields, reason }), {
  version: 4,
  personal: personalReceipt,
});
export const MessageDeferred = eventType('MessageDeferred', record(receiptFields), { personal: personalReceipt });
export const MessageOpened = eventType('MessageOpened', record(receiptFields), { personal: personalReceipt });
/** The URL of a link may name the recipient. `link`: the same link as the content of its campaign names it, which nobody's data is in. */
export const MessageClicked = eventType('MessageClicked', record({ ...receiptFields, url: nullable(text), link: optional(text) }), {
  version: 3,
  personal: { subject: 'to_key', fields: ['raw', 'url'] },
});
export const MessageRead = eventType('MessageRead', record(receiptFields), { personal: personalReceipt });
/** `keyword`: the request of a reply that consists of a keyword only. It stays readable when the text is sealed. */
export const MessageReplied = eventType('MessageReplied', record({ ...feedbackFields, text: nullable(text), keyword: nullable(keyword) }), {
  version: 2,
  personal: { subject: 'to_key', fields: ['raw', 'text'] },
});
export const MessageComplained = eventType('MessageComplained', record(feedbackFields), { version: 2, personal: personalReceipt });
export const MessageUnsubscribed = eventType('MessageUnsubscribed', record(feedbackFields), { version: 2, personal: personalReceipt });
/** A receipt that the current status does not allow. A bounce still counts for the suppression of its address. */
export const ReceiptIgnored = eventType(
  'ReceiptIgnored',
  record({ ...feedbackFields, ...bounceFields, ...listingFields, kind: text, reason: optional(reason) }),
  {
    version: 4,
    personal: personalReceipt,
  },
);

export const receiptEvents = [
  MessageDelivered,
  MessageUndelivered,
  MessageBounced,
  MessageDeferred,
  MessageOpened,
  MessageClicked,
  MessageRead,
  MessageReplied,
  MessageComplained,
  MessageUnsubscribed,
  ReceiptIgnored,
] as const;
export type ReceiptEvent = EventOf<(typeof receiptEvents)[number]>;

/** `accepted`: the carrier took the message, and reports more later. */
export type ReceiptKind =
  | 'accepted'
  | 'delivered'
  | 'undelivered'
  | 'bounced'
  | 'deferred'
  | 'opened'
  | 'clicked'
  | 'read'
  | 'replied'
  | 'complained'
  | 'unsubscribed';

/** A carrier's report about a message, normalized. Times are RFC 3339. */
export interface Receipt {
  readonly kind: ReceiptKind;
  readonly carrier: string;
  readonly carrier_message_id: string | null;
  readonly raw_status: string;
  readonly code: string | null;
  readonly raw?: string;
  readonly at: string;
  readonly received_at: string;
  readonly receipt_key: string;
  /** For undelivered and bounced. */
  readonly reason?: StatusReason;
  /** For bounced, where the carrier's report tells it. */
  readonly bounce_class?: BounceClass;
  /** For undelivered and bounced, where the carrier has the recipient on a list of its own. */
  readonly listed_as?: CarrierListing;
  readonly url?: string | null;
  /** Of a message of a campaign: the link as its content names it. */
  readonly link?: string;
  readonly text?: string | null;
  readonly keyword?: KeywordKind | null;
}

/** The event of a receipt that the current status allows. */
export const receiptEventTypes = {
  accepted: 'MessageSent',
  delivered: 'MessageDelivered',
  undelivered: 'MessageUndelivered',
  bounced: 'MessageBounced',
  deferred: 'MessageDeferred',
  opened: 'MessageOpened',
  clicked: 'MessageClicked',
  read: 'MessageRead',
  replied: 'MessageReplied',
  complained: 'MessageComplained',
  unsubscribed: 'MessageUnsubscribed',
} as const satisfies Record<ReceiptKind, TransitionName>;

/** Reasons if the carrier gives none. */
const DEFAULT_REASONS: { readonly [K in ReceiptKind]?: StatusReason } = { undelivered: 'carrier_rejected', bounced: 'hard_bounce' };

/** What a receipt is decided from: the state of its message. */
export interface ReceiptState extends PeerKeys {
  readonly status: Status;
  /** Keys of the receipts recorded so far. */
  readonly receipts: readonly string[];
  /** The carrier of a call without an answer. */
  readonly unknown_at?: string;
  readonly accepted: Pick<ReceiptEvent['data'], 'to_key' | 'channel'> & { readonly test?: boolean; readonly created_at: string };
}

/**
 * A repeated receipt changes nothing. One that is not allowed in the current status is recorded as `ReceiptIgnored`. A receipt that is no
 * status of its own shows that the carrier took the message: it is preceded by MessageSent where a call had no answer. One of `accepted`
 * shows nothing else, and changes nothing where that is known.
 */
export function decideReceipt(receipt: Receipt, message: ReceiptState): readonly (ReceiptEvent | EventOf<typeof MessageSent>)[] {
  const { kind, receipt_key } = receipt;
  if (message.receipts.includes(receipt_key)) return [];
  if (kind === 'accepted') return acceptance(receipt, message);
  // Who has read it has it: some carriers report nothing in between.
  if (kind === 'read' && isReceiptAllowed('delivered', message)) {
    const delivered = receiptEvent('delivered', { ...receipt, receipt_key: `${receipt_key}/delivered` }, message);
    return [delivered, receiptEvent(kind, receipt, message)];
  }
  const mayShow = message.unknown_at !== undefined && transitions[receiptEventTypes[kind]].to === null;
  const shown = mayShow ? acceptance(receipt, message) : [];
  return [...shown, receiptEvent(kind, receipt, shown.length > 0 ? { ...message, status: 'sent' } : message)];
}

export const isReceiptAllowed = (kind: ReceiptKind, { status, unknown_at }: Pick<ReceiptState, 'status' | 'unknown_at'>): boolean =>
  isAllowed(receiptEventTypes[kind], status, unknown_at !== undefined);

/** That the carrier took the message, where that is not known yet. */
function acceptance({ carrier, carrier_message_id, at }: Receipt, message: ReceiptState): EventOf<typeof MessageSent>[] {
  const { unknown_at, peer_key, sender_key } = message;
  if (carrier_message_id === null || !isReceiptAllowed('accepted', message)) return [];
  return [sentEvent({ carrier: unknown_at ?? carrier, carrier_message_id, peer_key, sender_key, at })];
}

function receiptEvent(kind: Exclude<ReceiptKind, 'accepted'>, receipt: Receipt, message: ReceiptState): ReceiptEvent {
  const { kind: _, reason, url, link, text: reply, keyword, ...rest } = receipt;
  const { to_key, channel, test, created_at } = message.accepted;
  // Nothing happens to a message before it exists: such a clock is wrong by years.
  const at = receipt.at < created_at ? receipt.received_at : receipt.at;
  const data = { ...rest, at, to_key, channel };
  const feedback = { ...data, ...(test && { test }) };
  const why = reason ?? DEFAULT_REASONS[kind];
  if (!isReceiptAllowed(kind, message)) return { type: 'ReceiptIgnored', data: { ...feedback, kind, ...(why && { reason: why }) } };
  switch (kind) {
    case 'undelivered':
      return { type: 'MessageUndelivered', data: { ...feedback, reason: why ?? 'carrier_rejected' } };
    case 'bounced':
      return { type: 'MessageBounced', data: { ...feedback, reason: why ?? 'carrier_rejected' } };
    case 'clicked':
      return { type: 'MessageClicked', data: { ...data, url: url ?? null, ...(link !== undefined && { link }) } };
    case 'replied':
      return { type: 'MessageReplied', data: { ...feedback, text: reply ?? null, keyword: keyword ?? null } };
    case 'complained':
    case 'unsubscribed':
      return { type: receiptEventTypes[kind], data: feedback };
    default:
      return { type: receiptEventTypes[kind], data };
  }
}
