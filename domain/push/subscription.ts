/**
 * A push subscription: one app on a device, or one browser of a site, that takes push messages. Its id and its stream follow from the
 * token, so a token never has two subscriptions of an account.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { ERASED } from '../kernel/erased.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { named, nullable, oneOf, optional, record, type Static, text, time, unionOf } from '../kernel/schema.js';
import type { SealedDecider, SealedState } from '../kernel/sealed-state.js';

export const platforms = ['ios', 'android', 'web'] as const;
export const platform = named('PushPlatform', oneOf(...platforms));
export type Platform = Static<typeof platform>;

export const subscriptionStatuses = named('PushSubscriptionStatus', oneOf('active', 'ended'));

/** Where messages are dispatched: the token of an app, or the endpoint and keys of a browser (RFC 8030, RFC 8291), in base64url. */
const target = unionOf(record({ kind: oneOf('app'), token: text }), record({ kind: oneOf('web'), endpoint: text, p256dh: text, auth: text }));
export type PushTarget = Static<typeof target>;

/** Why a subscription ended. `gone`: the push service no longer knows it. `replaced`: its device has another token, or its contact has too many. */
export const endReasons = ['unsubscribed', 'gone', 'replaced', 'erased'] as const;
export const endReason = named('PushEndReason', oneOf(...endReasons));
export type EndReason = Static<typeof endReason>;

/** How a device shows that its contact is its own: the keyed hash of the contact, a token of the contact's inbox, or a key of the account. */
export const identityProofs = ['contact_hash', 'inbox_token', 'api_key'] as const;
export type IdentityProof = (typeof identityProofs)[number];
/**
 * Why a device belongs to its contact: by a proof; `unchecked`: the account does not verify; `creation`: its subscription has made the
 * contact, so it belongs to it until anything else names that contact.
 */
const attachedBy = oneOf(...identityProofs, 'unchecked', 'creation');
export type AttachedBy = Static<typeof attachedBy>;

// Events

const details = {
  target,
  device_id: nullable(text),
  app_version: nullable(text),
  locale: nullable(text),
  timezone: nullable(text),
};
/**
 * Always complete. `token_key`: the keyed hash of the token, whose data key seals what identifies the device. `attached_by` is absent
 * without a contact, and where it was attached before there were proofs of single devices.
 */
export const PushSubscribed = eventType(
  'PushSubscribed',
  record({
    ...{ account_id: text, subscription_id: text, token_key: text, contact_id: nullable(text), attached_by: optional(attachedBy), platform },
    ...details,
    at: time,
  }),
  { version: 2, personal: { subject: 'token_key', fields: ['target', 'device_id', 'app_version', 'locale', 'timezone'] } },
);
/** `message_id`: the message whose dispatch found that it is gone. */
export const PushSubscriptionEnded = eventType(
  'PushSubscriptionEnded',
  record({ subscription_id: text, reason: endReason, message_id: optional(text), at: time }),
);

export const subscriptionEvents = [PushSubscribed, PushSubscriptionEnded] as const;
export type SubscriptionEvent = EventOf<(typeof subscriptionEvents)[number]>;

// State

type SubscriptionData = EventOf<typeof PushSubscribed>['data'];
/** The fields of a subscription, as they were recorded last. */
export interface SubscriptionFields extends Omit<SubscriptionData, 'at'> {
  readonly subscribed_at: string;
}

export type PushSubscription =
  | { readonly status: 'none' }
  | (SubscriptionFields & { readonly status: 'active' })
  | (SubscriptionFields & { readonly status: 'ended'; readonly reason: EndReason; readonly message_id: string | null; readonly ended_at: string });
export type KnownSubscription = Exclude<PushSubscription, { status: 'none' }>;

export function evolve(subscription: PushSubscription, event: SubscriptionEvent): PushSubscription {
  switch (event.type) {
    case 'PushSubscribed': {
      const { at: subscribed_at, ...fields } = event.data;
      return { ...fields, subscribed_at, status: 'active' };
    }
    case 'PushSubscriptionEnded': {
      if (subscription.status === 'none') return subscription;
      const { reason, message_id = null, at: ended_at } = event.data;
      return { ...fieldsOf(subscription), status: 'ended', reason, message_id, ended_at };
    }
    default:
      return event satisfies never;
  }
}

function fieldsOf(known: KnownSubscription): SubscriptionFields {
  const { account_id, subscription_id, token_key, contact_id, attached_by, platform, target, device_id, app_version, locale, timezone } = known;
  const device = { platform, target, device_id, app_version, locale, timezone, subscribed_at: known.subscribed_at };
  return { account_id, subscription_id, token_key, contact_id, ...(attached_by && { attached_by }), ...device };
}

/** Whether the contact of a subscription is proven. */
export const isVerified = ({ contact_id, attached_by }: Pick<SubscriptionFields, 'contact_id' | 'attached_by'>): boolean =>
  contact_id !== null && identityProofs.some((proof) => proof === attached_by);

/** The contact of a subscription, and why it is. */
export interface DeviceAttachment {
  readonly contact_id: string;
  /** Undefined keeps one from before there were proofs. */
  readonly attached_by: AttachedBy | undefined;
}

// Commands

export type SubscriptionCommand =
  /** `attach`: to whom it belongs from now on, null for nobody. */
  | { type: 'Subscribe'; fields: Omit<SubscriptionData, 'at' | keyof DeviceAttachment>; attach: DeviceAttachment | null; now: string }
  /** `of`: only if it belongs to one of these contacts. */
  | { type: 'End'; reason: EndReason; message_id?: string; of?: readonly string[]; now: string };

export function decide(command: SubscriptionCommand, subscription: PushSubscription): readonly SubscriptionEvent[] {
  switch (command.type) {
    case 'Subscribe': {
      const { contact_id = null, attached_by } = command.attach ?? {};
      const fields = { ...command.fields, contact_id, ...(attached_by && { attached_by }) };
      if (subscription.status === 'active' && isSame(fieldsOf(subscription), fields)) return [];
      return [{ type: 'PushSubscribed', data: { ...fields, at: command.now } }];
    }
    case 'End':
      return end(command, subscription);
    default:
      return command satisfies never;
  }
}

type End = Extract<SubscriptionCommand, { type: 'End' }>;
function end(command: End, subscription: SealedState<PushSubscription, SubscriptionEvent>): readonly SubscriptionEvent[] {
  if (subscription.status === 'none') throw new DomainError('not_found', 'There is no such subscription.', { resource: 'push_subscription' });
  if (subscription.status === 'ended' || (command.of && !command.of.includes(subscription.contact_id ?? ''))) return [];
  const { reason, message_id, now: at } = command;
  const { subscription_id } = subscription;
  return [{ type: 'PushSubscriptionEnded', data: { subscription_id, reason, ...(message_id !== undefined && { message_id }), at } }];
}

const isSame = ({ subscribed_at: _, ...known }: SubscriptionFields, fields: Omit<SubscriptionData, 'at'>): boolean =>
  known.attached_by === fields.attached_by &&
  (Object.keys(fields) as (keyof typeof fields)[]).every((name) => JSON.stringify(known[name]) === JSON.stringify(fields[name]));

/** Whether messages can be dispatched to it: it is active, and its token is not erased. */
export const isReachable = (one: PushSubscription): one is Extract<PushSubscription, { status: 'active' }> =>
  one.status === 'active' && (one.target as unknown) !== ERASED;

/** The carrier that reaches a platform. */
export const carrierOfPlatform = { ios: 'fcm', android: 'fcm', web: 'webpush' } as const satisfies Readonly<Record<Platform, string>>;

// Stream

export const subscriptionStream = (subscriptionId: string): string => `push-${subscriptionId}`;

export const subscription: Aggregate<PushSubscription, SubscriptionCommand, SubscriptionEvent> = {
  stream: subscriptionStream,
  events: subscriptionEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};

/** Ends it without opening where it leads to. */
export const sealedSubscription: SealedDecider<PushSubscription, End, SubscriptionEvent> = { ...subscription, decide: end };
