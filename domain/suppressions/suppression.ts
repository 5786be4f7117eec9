/**
 * The suppression of one address (its entries on the do-not-contact list). It belongs to the address, not to a contact: it
 * can exist before any contact does and outlives the erasure of one.
 */

import type { Aggregate } from '../kernel/aggregate.js';
import { channelNames } from '../kernel/channels.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { flag, list, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { type StoredText, sourceOf } from '../kernel/stored-text.js';
import type { StatusReason } from '../messages/status.js';
import {
  liftedBy,
  type SuppressionMethod,
  type SuppressionReason,
  type SuppressionScope,
  scopeStops,
  suppressionMethodNames,
  suppressionReasonNames,
  suppressionReasons,
  suppressionScopes,
  widestScope,
} from './reasons.js';

/** `all` includes channels that are added later. */
export const suppressionChannels = ['all', ...channelNames] as const;
export type SuppressionChannel = (typeof suppressionChannels)[number];
export const suppressionChannelSchema = named('SuppressionChannel', oneOf(...suppressionChannels));

// Events

const channel = oneOf(...suppressionChannels);
const reason = oneOf(...suppressionReasonNames);

const causeFields = {
  /** Id of the entry: one per address and channel. */
  suppression_id: text,
  address_key: text,
  /** Null if only its key is known. */
  address: nullable(text),
  channel,
  reason,
  /** What it stops. */
  scope: oneOf(...suppressionScopes),
  /** For example a carrier, `keyword` or `import`. */
  source: text,
  /** Time of the opt-out, bounce or complaint itself. */
  occurred_at: time,
  /** The message that caused it. */
  message_id: nullable(text),
  /** Null where the oldest events do not contain it. */
  via: nullable(oneOf(...suppressionMethodNames)),
  /** The list that the message was sent to. */
  list_id: optional(text),
  /** The keyword, and the inbound text that contained it. */
  keyword: optional(text),
  inbound_id: optional(text),
  /** Set if the person opted out by this event and had not opted out as widely before, neither on this channel nor on all channels. */
  opted_out: optional(flag),
  at: time,
};
const personal = { subject: 'address_key', fields: ['address', 'source'] } as const;

/** A reason that was not active on this channel before. */
export const AddressSuppressed = eventType('AddressSuppressed', record(causeFields), { version: 3, personal });
/** An active reason turned out to be older. Its scope never becomes narrower by this. */
export const SuppressionBackdated = eventType('SuppressionBackdated', record(causeFields), { version: 3, personal });
/** An active reason of the scope `marketing` has the scope `all` now. Its earliest `occurred_at` stays. */
export const SuppressionWidened = eventType('SuppressionWidened', record(causeFields), { version: 2, personal });
export const SuppressionLifted = eventType(
  'SuppressionLifted',
  record({
    suppression_id: text,
    address_key: text,
    channel,
    /** The reasons that are no longer active. */
    reasons: list(reason, { minItems: 1 }),
    by: oneOf('request', 'keyword', 'page', 'opt_in', 'review'),
    because: text,
    /** Evidence of the person's consent: the text, a form, a ticket. */
    proof: nullable(text),
    /** The keyword, and the inbound text that contained it. */
    keyword: optional(text),
    inbound_id: optional(text),
    /** The confirmation mail of the double opt-in, and its list. */
    message_id: optional(text),
    list_id: optional(text),
    at: time,
  }),
  { version: 3, personal: { subject: 'address_key', fields: ['proof', 'because'] } },
);
/** One message may still be sent although the person opted out: the reply to the keyword. */
export const SuppressionExcepted = eventType(
  'SuppressionExcepted',
  record({ address_key: text, channel, message_id: text, because: oneOf('stop', 'help'), at: time }),
);

export const suppressionEvents = [AddressSuppressed, SuppressionBackdated, SuppressionWidened, SuppressionLifted, SuppressionExcepted] as const;
export type SuppressionEvent = EventOf<(typeof suppressionEvents)[number]>;
export type SealedSuppressionEvent = SealedEventOf<(typeof suppressionEvents)[number]>;
/** The events that change the entries of the list. */
export type SealedListEvent = Exclude<SealedSuppressionEvent, { type: 'SuppressionExcepted' }>;

// State

/** One reason on one channel. */
export interface SuppressionCause {
  /** Id of the entry. */
  readonly suppression_id: string;
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly via: SuppressionMethod | null;
  readonly source: StoredText;
  readonly occurred_at: string;
  readonly message_id: string | null;
  readonly recorded_at: string;
}

/** A reason as its entry lists it. */
export type ListedCause = Omit<SuppressionCause, 'suppression_id' | 'channel' | 'recorded_at'>;

export type Suppression =
  | { readonly status: 'clear' }
  | {
      readonly status: 'suppressed';
      readonly causes: readonly SuppressionCause[];
      /** Ids of the latest messages that an opt-out does not refuse. */
      readonly excepted?: readonly string[];
    };

/** Older exceptions are dropped: each is used within minutes or never. */
const MAX_EXCEPTIONS = 5;

/** Also takes sealed events: personal fields do not affect the state. */
export function evolve(suppression: Suppression, event: SuppressionEvent | SealedSuppressionEvent): Suppression {
  switch (event.type) {
    case 'AddressSuppressed':
    case 'SuppressionBackdated':
    case 'SuppressionWidened': {
      const { suppression_id, channel, reason, at: recorded_at } = event.data;
      const known = causesOf(suppression).find((cause) => cause.channel === channel && cause.reason === reason);
      const cause = { suppression_id, channel, ...causeAfter(known, { ...event.data, source: sourceOf(event.data) }), recorded_at };
      return { ...suppression, status: 'suppressed', causes: [...causesOf(suppression).filter((other) => other !== known), cause] };
    }
    case 'SuppressionLifted': {
      const { channel, reasons } = event.data;
      const causes = causesOf(suppression).filter((cause) => !(cause.channel === channel && reasons.includes(cause.reason)));
      return causes.length > 0 ? { ...suppression, status: 'suppressed', causes } : { status: 'clear' };
    }
    case 'SuppressionExcepted':
      if (suppression.status === 'clear') return suppression;
      return { ...suppression, excepted: [...(suppression.excepted ?? []), event.data.message_id].slice(-MAX_EXCEPTIONS) };
    default:
      return event satisfies never;
  }
}

/** The cause as an event changes it: the widest scope and the earliest time of it stay. */
export function causeAfter(
  known: Pick<ListedCause, 'scope' | 'occurred_at'> | undefined,
  { reason, scope, via, source, occurred_at, message_id }: ListedCause,
): ListedCause {
  const cause = { reason, scope, via, source, occurred_at, message_id };
  if (!known) return cause;
  return { ...cause, scope: widestScope(known.scope, scope), occurred_at: known.occurred_at < occurred_at ? known.occurred_at : occurred_at };
}

export const causesOf = (suppression: Suppression): readonly SuppressionCause[] => (suppression.status === 'suppressed' ? suppression.causes : []);

/** The causes on one channel and on all channels. `channel` may be unknown to this version of the program. */
export const activeCausesOn = (suppression: Suppression, channel: string): readonly SuppressionCause[] =>
  causesOf(suppression).filter((cause) => cause.channel === 'all' || cause.channel === channel);

/** Whether the person opted out of all messages of a scope on the channel, or on all channels. */
export const isOptedOut = (suppression: Suppression, channel: string, scope: SuppressionScope = 'marketing'): boolean =>
  activeCausesOn(suppression, channel).some((cause) => suppressionReasons[cause.reason].optOut && widestScope(cause.scope, scope) === cause.scope);

/** The cause that is shown for several: of those with the widest scope the first in order of precedence. Null without causes. */
export function foremost<C extends Pick<SuppressionCause, 'reason' | 'scope'>>(causes: readonly C[]): C | null {
  const rank = ({ reason, scope }: C): number =>
    suppressionScopes.indexOf(scope) * suppressionReasonNames.length + suppressionReasonNames.indexOf(reason);
  return causes.reduce<C | null>((first, cause) => (first === null || rank(cause) < rank(first) ? cause : first), null);
}

/** A cause that refuses a message, and the status reason that the message gets. */
export interface RefusingCause {
  readonly status: StatusReason;
  readonly cause: SuppressionCause;
}

/** Why a message must not be sent, or null. A message that is excepted passes opt-outs, but no other reason. */
export function refusingCause(suppression: Suppression, channel: string, category: string, messageId?: string): RefusingCause | null {
  const excepted = messageId !== undefined && suppression.status === 'suppressed' && suppression.excepted?.includes(messageId) === true;
  const stopping = activeCausesOn(suppression, channel).filter(({ scope }) => scopeStops(scope, category));
  const cause = foremost(excepted ? stopping.filter(({ reason }) => !suppressionReasons[reason].optOut) : stopping);
  return cause && { status: suppressionReasons[cause.reason].status, cause };
}

/** The status reason for which a message must not be sent, or null. */
export const suppressionRefusalOf = (suppression: Suppression, channel: string, category: string, messageId?: string): StatusReason | null =>
  refusingCause(suppression, channel, category, messageId)?.status ?? null;

// Commands

export type SuppressionCommand =
  | {
      type: 'Suppress';
      suppression_id: string;
      address_key: string;
      address: string | null;
      channel: SuppressionChannel;
      reason: SuppressionReason;
      scope: SuppressionScope;
      source: string;
      /** A time in the future counts as now. */
      occurred_at: string;
      message_id: string | null;
      via: SuppressionMethod;
      list_id?: string;
      keyword?: string;
      inbound_id?: string;
      now: string;
    }
  | {
      type: 'Lift';
      suppression_id: string;
      address_key: string;
      channel: SuppressionChannel;
      by: keyof typeof liftedBy;
      because: string;
      proof: string | null;
      keyword?: string;
      inbound_id?: string;
      message_id?: string;
      list_id?: string;
      now: string;
    }
  | { type: 'Except'; address_key: string; channel: SuppressionChannel; message_id: string; because: 'stop' | 'help'; now: string };

type Of<T extends SuppressionCommand['type']> = Extract<SuppressionCommand, { type: T }>;

export function decide(command: SuppressionCommand, suppression: Suppression): readonly SuppressionEvent[] {
  switch (command.type) {
    case 'Suppress':
      return suppress(command, suppression);
    case 'Lift':
      return lift(command, suppression);
    case 'Except':
      return except(command, suppression);
    default:
      return command satisfies never;
  }
}

/** A complaint means that the person wants no more messages, although it is not an opt-out by itself. */
const tellsOptOut = (reason: SuppressionReason): boolean => suppressionReasons[reason].optOut || reason === 'complained';
const hasToldOptOut = (suppression: Suppression, channel: string, scope: SuppressionScope): boolean =>
  activeCausesOn(suppression, channel).some((cause) => tellsOptOut(cause.reason) && widestScope(cause.scope, scope) === cause.scope);

/** An active reason only changes if its scope becomes wider or if it turns out to be older. */
function suppress({ type: _, now: at, ...cause }: Of<'Suppress'>, suppression: Suppression): readonly SuppressionEvent[] {
  const known = causesOf(suppression).find(({ channel, reason }) => channel === cause.channel && reason === cause.reason);
  const data = { ...cause, occurred_at: cause.occurred_at < at ? cause.occurred_at : at, at };
  if (known && widestScope(known.scope, cause.scope) === known.scope)
    return data.occurred_at < known.occurred_at ? [{ type: 'SuppressionBackdated', data }] : [];
  const opted_out = tellsOptOut(cause.reason) && !hasToldOptOut(suppression, cause.channel, cause.scope);
  return [{ type: known ? 'SuppressionWidened' : 'AddressSuppressed', data: opted_out ? { ...data, opted_out } : data }];
}

/**
 * Lifts the active reasons of one channel that this means of lifting can lift. A reason that is reported afterward
 * suppresses again, even if it occurred before the lift. An opt-in does not lift what was recorded after it.
 */
function lift({ type: _, now: at, ...lifting }: Of<'Lift'>, suppression: Suppression): readonly SuppressionEvent[] {
  const reasons = causesOf(suppression)
    .filter((cause) => cause.channel === lifting.channel && liftedBy[lifting.by](cause))
    .filter((cause) => lifting.by !== 'opt_in' || cause.recorded_at <= at)
    .map(({ reason }) => reason);
  return reasons.length > 0 ? [{ type: 'SuppressionLifted', data: { ...lifting, reasons, at } }] : [];
}

/** Produces no event if the address is not suppressed. */
function except({ type: _, now: at, ...excepting }: Of<'Except'>, suppression: Suppression): readonly SuppressionEvent[] {
  if (suppression.status === 'clear' || suppression.excepted?.includes(excepting.message_id)) return [];
  return [{ type: 'SuppressionExcepted', data: { ...excepting, at } }];
}

// Stream

/** `addressKey`: HMAC of the address under the account's pepper, so each account has its own list. */
export const suppressionStream = (addressKey: string): string => `suppression-${addressKey}`;

export const suppression: Aggregate<Suppression, SuppressionCommand, SuppressionEvent> = {
  stream: suppressionStream,
  events: suppressionEvents,
  snapshots: { name: 'suppression', version: 3 },
  initial: { status: 'clear' },
  evolve,
  decide,
};
