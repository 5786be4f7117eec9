/** The events of dispatches to carriers. */

import { channelNames } from '../kernel/channels.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { omitUndefined } from '../kernel/own-fields.js';
import { count, flag, list, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { refusal } from './gate-decision.js';
import { DISPATCH_RETRY_DELAYS_MS, MISCONFIGURED_RETRY_MS, MISCONFIGURED_TTL_MS } from './retries.js';
import { type CarrierListing, carrierListings } from './send-result.js';
import { statusReasons } from './status.js';

const reason = oneOf(...statusReasons);

/** A copy that the gate refused at a dispatch, by the key of its address. */
export const leftOut = record({ key: text, refused: refusal });
export type LeftOut = Static<typeof leftOut>;
/**
 * Keyed hashes that are the same for all accounts, of channels that can be answered. `peer_key`: of the recipient's address. `sender_key`: of
 * the number that a text is from, or of its carrier where that chooses it.
 */
const peerFields = { peer_key: optional(text), sender_key: optional(text) };
export interface PeerKeys {
  readonly peer_key?: string | undefined;
  readonly sender_key?: string | undefined;
}

/**
 * Recorded before the carrier is called. `epoch` is that of the dispatcher; `repeat`: the outcome of an earlier call is unknown;
 * `left_out`: copies that this dispatch does not reach. `peer_key` and `sender_key`: see MessageSent; not where the start is recorded in a
 * batch.
 */
export const MessageDispatchStarted = eventType(
  'MessageDispatchStarted',
  record({ carrier: text, attempt: count, epoch: count, repeat: flag, left_out: optional(list(leftOut)), ...peerFields, at: time }),
  { version: 3 },
);
/** `waits`: its carrier is misconfigured. The dispatch is no attempt, and the message expires at `until` unless it has a time of its own. */
export const MessageDispatchDeferred = eventType(
  'MessageDispatchDeferred',
  record({
    ...{ carrier: text, attempt: count, code: nullable(text), error: text, retry_at: time, at: time },
    waits: optional(record({ reason, until: time })),
  }),
  { version: 2 },
);
/** `sender_key` is null where an earlier version did not record it. */
export const MessageSent = eventType(
  'MessageSent',
  record({ carrier: text, carrier_message_id: text, ...peerFields, sender_key: optional(nullable(text)), at: time }),
  { version: 3 },
);
/** `listed`: the carrier has the recipient on a list of its own. `test`: the message is of a test key. */
export const MessageFailed = eventType(
  'MessageFailed',
  record({
    ...{ carrier: nullable(text), reason, code: nullable(text), error: nullable(text), at: time },
    listed: optional(record({ as: oneOf(...carrierListings), to_key: text, channel: oneOf(...channelNames), test: optional(flag) })),
  }),
  { version: 3 },
);

/** What an answer or a report says about a message that a carrier took. */
interface CarrierAcceptance extends PeerKeys {
  readonly carrier: string;
  readonly carrier_message_id: string;
  readonly at: string;
}

export const sentEvent = ({ carrier, carrier_message_id, peer_key, sender_key, at }: CarrierAcceptance): EventOf<typeof MessageSent> => ({
  type: 'MessageSent',
  data: { carrier, carrier_message_id, ...omitUndefined({ peer_key, sender_key }), at },
});

interface Start extends PeerKeys {
  readonly carrier: string;
  readonly epoch: number;
  readonly left_out?: readonly LeftOut[];
  readonly now: string;
}

/** The next attempt of a message. After an unknown outcome no other carrier is called: it would send a second copy. */
export const nextDispatch = (
  { carrier, epoch, left_out = [], peer_key, sender_key, now: at }: Start,
  { attempts, unknown_at }: { readonly attempts: number; readonly unknown_at?: string },
  repeat: boolean,
): EventOf<typeof MessageDispatchStarted> => ({
  type: 'MessageDispatchStarted',
  data: {
    ...{ carrier: unknown_at ?? carrier, attempt: attempts + 1, epoch, repeat },
    ...(left_out.length > 0 && { left_out: [...left_out] }),
    ...omitUndefined({ peer_key, sender_key }),
    at,
  },
});

/** What is recorded of an answer that took no message. */
interface FailedAnswer {
  readonly carrier: string;
  readonly code: string | null;
  readonly error: string;
  readonly now: string;
}
type Deferral = EventOf<typeof MessageDispatchDeferred>;

/** The code of a call without an answer: nobody knows whether the carrier took the message. */
export const UNKNOWN_OUTCOME = 'unknown_outcome';

/** With the carrier of a call that, by this code or reason, had no answer. */
export const withUnanswered = <S extends { readonly unknown_at?: string }>(state: S, carrier: string | null, outcome: string | null): S =>
  outcome !== UNKNOWN_OUTCOME || carrier === null || state.unknown_at !== undefined ? state : { ...state, unknown_at: carrier };

export type PermanentRefusal = Omit<EventOf<typeof MessageFailed>['data'], 'at' | 'listed'> & {
  readonly listed_as?: CarrierListing;
  readonly now: string;
};
type Recipient = Omit<NonNullable<EventOf<typeof MessageFailed>['data']['listed']>, 'as'>;

/** The carrier will not take the message. `recipient`: who it has on a list of its own, where it says so. */
export function permanentError(
  { carrier, reason, code, error, listed_as, now: at }: PermanentRefusal,
  recipient?: Recipient,
): EventOf<typeof MessageFailed> {
  const failure = { carrier, reason, code, error, at };
  if (listed_as === undefined || recipient === undefined) return { type: 'MessageFailed', data: failure };
  const { to_key, channel, test } = recipient;
  return { type: 'MessageFailed', data: { ...failure, listed: { as: listed_as, to_key, channel, ...omitUndefined({ test }) } } };
}

/** The dispatch is repeated later, or the message fails after its last attempt: as unknown where one of them had no answer. */
export function transientError(
  { carrier, code, error, now: at }: FailedAnswer,
  { attempts: attempt, unknown_at }: { readonly attempts: number; readonly unknown_at?: string },
): Deferral | EventOf<typeof MessageFailed> {
  const delay = DISPATCH_RETRY_DELAYS_MS[attempt - 1];
  const reason = code === UNKNOWN_OUTCOME || unknown_at !== undefined ? 'unknown_outcome' : 'carrier_unavailable';
  if (delay === undefined) return { type: 'MessageFailed', data: { carrier, reason, code, error, at } };
  return { type: 'MessageDispatchDeferred', data: { carrier, attempt, code, error, retry_at: laterBy(at, delay), at } };
}

/**
 * The end of a message that a carrier may have taken without an answer, and that is not dispatched again; null for any other message.
 * `why`: why it is not.
 */
export function givenUp({ unknown_at: carrier }: { readonly unknown_at?: string }, why: string, at: string): EventOf<typeof MessageFailed> | null {
  if (carrier === undefined) return null;
  const error = `The carrier has not said whether it took the message. ${why}`;
  return { type: 'MessageFailed', data: { carrier, reason: 'unknown_outcome', code: null, error, at } };
}

/** The message waits until somebody has corrected the settings. */
export function misconfigured(
  { carrier, code, error, now: at }: FailedAnswer,
  { attempts: attempt, waits_until }: { readonly attempts: number; readonly waits_until?: string },
): Deferral {
  const waits = { reason: 'carrier_misconfigured', until: waits_until ?? laterBy(at, MISCONFIGURED_TTL_MS) } as const;
  return { type: 'MessageDispatchDeferred', data: { carrier, attempt, code, error, retry_at: laterBy(at, MISCONFIGURED_RETRY_MS), at, waits } };
}

const laterBy = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
