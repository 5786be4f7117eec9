import { named, oneOf } from '../kernel/schema.js';

/**
 * The life of a message as one table. The aggregate decides by it, webhooks take their event names from it, the API
 * lists its statuses from it, and the documentation prints it.
 */
export const statuses = {
  scheduled: { final: false, meaning: 'Waits for its send time.' },
  queued: { final: false, meaning: 'Waits to be handed to a carrier, or for a retry.' },
  sending: { final: false, meaning: 'Is being handed to a carrier.' },
  sent: { final: false, meaning: 'A carrier accepted it.' },
  delivered: { final: true, meaning: 'The carrier reports that it arrived.' },
  undelivered: { final: true, meaning: 'The carrier reports that it did not arrive.' },
  bounced: { final: true, meaning: 'The mail system of the recipient refused it.' },
  failed: { final: true, meaning: 'No carrier took it.' },
  suppressed: { final: true, meaning: 'The recipient must not be messaged.' },
  canceled: { final: true, meaning: 'Canceled before it was handed over.' },
  expired: { final: true, meaning: 'Its time to live ended before it was handed over.' },
} as const;

export type Status = keyof typeof statuses;
export const statusNames = Object.keys(statuses) as Status[];
export const statusSchema = named('MessageStatus', oneOf(...statusNames));

/** Reasons of a status. */
export const statusReasons = [
  'unsubscribed',
  'stop_keyword',
  'hard_bounce',
  'blocked',
  'soft_bounces',
  'complaint',
  'manual',
  'legal',
  'no_consent',
  'frequency_cap',
  'erased',
  'invalid_recipient',
  'unknown_outcome',
  'carrier_rejected',
  'carrier_unavailable',
  'carrier_misconfigured',
  'no_device',
  'ttl',
  'dropped',
  'template_required',
] as const;
export type StatusReason = (typeof statusReasons)[number];
export const statusReasonSchema = named('StatusReason', oneOf(...statusReasons));

export interface Transition {
  /** Statuses it can leave; 'new' is a message that is only now accepted. */
  readonly from: readonly (Status | 'new')[];
  /** Statuses it can leave too where a call to a carrier had no answer: a report then shows that the carrier took the message. */
  readonly fromUnanswered?: readonly Status[];
  /** The status after it, or null where the status stays as it is. */
  readonly to: Status | null;
  /** The webhook event that is delivered to the `webhook_url`; null for none. */
  readonly webhook: string | null;
  /** Delivered only if `webhook_events` names it. */
  readonly optIn?: true;
  readonly cause: string;
}

const EVERYWHERE = [...statusNames];
const UNANSWERED = ['queued', 'scheduled', 'failed'] as const;

export const transitions = {
  MessageQueued: { from: ['new'], to: 'queued', webhook: null, cause: 'accepted' },
  MessageScheduled: {
    from: ['new', 'queued'],
    to: 'scheduled',
    webhook: 'message.scheduled',
    cause: 'a time to send, quiet hours, a window or a throttle',
  },
  MessageReleased: { from: ['scheduled'], to: 'queued', webhook: 'message.queued', cause: 'its time has come' },
  MessageSuppressed: { from: ['queued', 'scheduled'], to: 'suppressed', webhook: 'message.suppressed', cause: 'a gate refused it' },
  MessageCanceled: { from: ['queued', 'scheduled'], to: 'canceled', webhook: 'message.canceled', cause: 'the caller took it back' },
  MessageExpired: {
    from: ['queued', 'scheduled'],
    to: 'expired',
    webhook: 'message.expired',
    cause: 'its time to live is over',
  },
  MessageDispatchStarted: { from: ['queued', 'sending'], to: 'sending', webhook: null, cause: 'a dispatcher takes it' },
  MessageDispatchDeferred: {
    from: ['sending'],
    to: 'queued',
    webhook: 'message.deferred',
    optIn: true,
    cause: 'a transient error of the carrier, or one that is misconfigured',
  },
  MessageSent: { from: ['sending'], fromUnanswered: UNANSWERED, to: 'sent', webhook: 'message.sent', cause: 'the carrier accepted it' },
  MessageFailed: {
    from: ['queued', 'scheduled', 'sending'],
    to: 'failed',
    webhook: 'message.failed',
    cause: 'a permanent error, or no retries left',
  },
  MessageDelivered: {
    from: ['sending', 'sent', 'undelivered'],
    fromUnanswered: UNANSWERED,
    to: 'delivered',
    webhook: 'message.delivered',
    cause: 'a receipt, also a late one and one that overtakes the carrier’s own answer',
  },
  MessageUndelivered: {
    from: ['sending', 'sent'],
    fromUnanswered: UNANSWERED,
    to: 'undelivered',
    webhook: 'message.undelivered',
    cause: 'a final negative receipt, not of email',
  },
  MessageBounced: {
    from: ['sending', 'sent', 'delivered'],
    fromUnanswered: UNANSWERED,
    to: 'bounced',
    webhook: 'message.bounced',
    cause: 'an email bounce, also after delivery',
  },
  MessageDeferred: { from: ['sent'], to: null, webhook: 'message.deferred', optIn: true, cause: 'a soft bounce; the carrier still tries' },
  MessageOpened: { from: EVERYWHERE, to: null, webhook: 'message.opened', optIn: true, cause: 'the recipient opened it' },
  MessageClicked: { from: EVERYWHERE, to: null, webhook: 'message.clicked', optIn: true, cause: 'the recipient followed a link' },
  MessageRead: { from: EVERYWHERE, to: null, webhook: 'message.read', optIn: true, cause: 'the recipient read it' },
  MessageReplied: { from: EVERYWHERE, to: null, webhook: 'message.replied', optIn: true, cause: 'the recipient answered' },
  MessageComplained: { from: EVERYWHERE, to: null, webhook: 'message.complained', optIn: true, cause: 'the recipient reported it as unwanted' },
  MessageUnsubscribed: { from: EVERYWHERE, to: null, webhook: 'message.unsubscribed', optIn: true, cause: 'the recipient used its unsubscribe link' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether only late receipts can follow. */
export const isFinal = (status: Status): boolean => statuses[status].final;

export const isTransition = (event: string): event is TransitionName => Object.hasOwn(transitions, event);
/** `unanswered`: a call to a carrier had no answer. */
export function isAllowed(event: TransitionName, from: Status | 'new', unanswered = false): boolean {
  const { from: allowed, fromUnanswered = [] }: Transition = transitions[event];
  return allowed.includes(from) || (unanswered && (fromUnanswered as readonly string[]).includes(from));
}

/** All webhook events. Without `webhook_events`, those that are not opt-in are delivered. */
export const webhookEvents: readonly string[] = [...new Set(Object.values(transitions).flatMap((t: Transition) => (t.webhook ? [t.webhook] : [])))];

export const webhookEventSchema = named('WebhookEvent', oneOf(...webhookEvents));

/** Whether a transition fires the webhook of a message with these `webhook_events`. The creation itself fires none. */
export function firesWebhook(event: TransitionName, chosen: readonly string[] | undefined, creation: boolean): boolean {
  const { webhook, optIn }: Transition = transitions[event];
  if (webhook === null || creation) return false;
  return chosen ? chosen.includes(webhook) : !optIn;
}
