/**
 * The suppression of one address (its entries on the do-not-contact list). It belongs to the address, not to a contact: it
 * can exist before any contact does and outlives the erasure of one.
 */
import { channelNames } from '../kernel/channels.js';
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { flag, list, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import type { StatusReason } from '../messages/status.js';

// Reasons

interface ReasonRule {
  /** Status reason of the messages that it refuses. */
  readonly status: StatusReason;
  readonly refuses: 'everything' | 'marketing';
  /** Whether the person opted out, as opposed to a fact about the address. */
  readonly optOut: boolean;
  /** Who can lift it besides the account: the person by an opt-in keyword, or on a public page. */
  readonly liftedBy: readonly ('keyword' | 'page')[];
}

/**
 * Why an address must not be messaged, in order of precedence: the first active one is reported. All of them refuse
 * transactional messages too. Whether marketing is allowed is a matter of consent (domain/consent).
 */
export const suppressionReasons = {
  erased: { status: 'erased', refuses: 'everything', optOut: false, liftedBy: [] },
  legal: { status: 'legal', refuses: 'everything', optOut: false, liftedBy: [] },
  complained: { status: 'complaint', refuses: 'everything', optOut: false, liftedBy: [] },
  stop_keyword: { status: 'stop_keyword', refuses: 'everything', optOut: true, liftedBy: ['keyword'] },
  unsubscribed: { status: 'unsubscribed', refuses: 'everything', optOut: true, liftedBy: ['page'] },
  bounced: { status: 'hard_bounce', refuses: 'everything', optOut: false, liftedBy: [] },
  manual: { status: 'manual', refuses: 'everything', optOut: false, liftedBy: [] },
} as const satisfies Readonly<Record<string, ReasonRule>>;

export type SuppressionReason = keyof typeof suppressionReasons;
export const suppressionReasonNames = Object.keys(suppressionReasons) as SuppressionReason[];
/** `all` includes channels that are added later. */
export const suppressionChannels = ['all', ...channelNames] as const;
export type SuppressionChannel = (typeof suppressionChannels)[number];
export const suppressionChannelSchema = named('SuppressionChannel', oneOf(...suppressionChannels));
export const suppressionReasonSchema = named('SuppressionReason', oneOf(...suppressionReasonNames));

const liftedBy = (means: 'keyword' | 'page') =>
  suppressionReasonNames.filter((name) => (suppressionReasons[name] as ReasonRule).liftedBy.includes(means));

/** The reasons that each means of lifting can lift. */
export const liftable = { request: suppressionReasonNames, keyword: liftedBy('keyword'), page: liftedBy('page') } as const;

/** How the suppression came about. */
export const suppressionMethods = ['import', 'request', 'one_click', 'page', 'keyword', 'feedback'] as const;
export type SuppressionMethod = (typeof suppressionMethods)[number];

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
  /** For example a carrier, `keyword` or `import`. */
  source: text,
  /** Time of the opt-out, bounce or complaint itself. */
  occurred_at: time,
  /** The message that caused it. */
  message_id: nullable(text),
  /** Missing in the oldest events. */
  via: optional(oneOf(...suppressionMethods)),
  /** The list that the message was sent to. */
  list_id: optional(text),
  /** The keyword, and the inbound text that contained it. */
  keyword: optional(text),
  inbound_id: optional(text),
  /** Set if the person opted out by this event and had not opted out before, neither on this channel nor on all channels. */
  opted_out: optional(flag),
  at: time,
};
const personalAddress = { subject: 'address_key', fields: ['address'] } as const;

/** A reason that was not active on this channel before. */
export const AddressSuppressed = eventType('AddressSuppressed', record(causeFields), { personal: personalAddress });
/** An active reason turned out to be older. Only its `occurred_at` changes. */
export const SuppressionBackdated = eventType('SuppressionBackdated', record(causeFields), { personal: personalAddress });
export const SuppressionLifted = eventType(
  'SuppressionLifted',
  record({
    suppression_id: text,
    address_key: text,
    channel,
    /** The reasons that are no longer active. */
    reasons: list(reason, { minItems: 1 }),
    by: oneOf('request', 'keyword', 'page'),
    because: text,
    /** Evidence of the person's consent: the text, a form, a ticket. */
    proof: nullable(text),
    /** The keyword, and the inbound text that contained it. */
    keyword: optional(text),
    inbound_id: optional(text),
    at: time,
  }),
  { personal: { subject: 'address_key', fields: ['proof'] } },
);
/** One message may still be sent although the person opted out: the reply to the keyword. */
export const SuppressionExcepted = eventType(
  'SuppressionExcepted',
  record({ address_key: text, channel, message_id: text, because: oneOf('stop', 'help'), at: time }),
);

export const suppressionEvents = [AddressSuppressed, SuppressionBackdated, SuppressionLifted, SuppressionExcepted] as const;
export type SuppressionEvent = EventOf<(typeof suppressionEvents)[number]>;
export type SealedSuppressionEvent = SealedEventOf<(typeof suppressionEvents)[number]>;
/** The events that change the entries of the list. */
export type SealedListEvent = Exclude<SealedSuppressionEvent, { type: 'SuppressionExcepted' }>;

// State

/** One reason on one channel. */
export interface SuppressionCause {
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly source: string;
  readonly occurred_at: string;
  readonly message_id: string | null;
}

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
    case 'SuppressionBackdated': {
      const { channel, reason, source, occurred_at, message_id } = event.data;
      const others = causesOf(suppression).filter((cause) => !(cause.channel === channel && cause.reason === reason));
      return { ...suppression, status: 'suppressed', causes: [...others, { channel, reason, source, occurred_at, message_id }] };
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

export const causesOf = (suppression: Suppression): readonly SuppressionCause[] => (suppression.status === 'suppressed' ? suppression.causes : []);

/** The causes on one channel and on all channels. `channel` may be unknown to this version of the program. */
export const activeCausesOn = (suppression: Suppression, channel: string): readonly SuppressionCause[] =>
  causesOf(suppression).filter((cause) => cause.channel === 'all' || cause.channel === channel);

/** Whether the person opted out of the channel or of all channels. */
export const isOptedOut = (suppression: Suppression, channel: string): boolean =>
  activeCausesOn(suppression, channel).some(({ reason }) => suppressionReasons[reason].optOut);

/** The status reason for which a message must not be sent, or null. A message that is excepted passes opt-outs, but no other reason. */
export function refusalOf(suppression: Suppression, channel: string, category: string, messageId?: string): StatusReason | null {
  const excepted = messageId !== undefined && suppression.status === 'suppressed' && suppression.excepted?.includes(messageId) === true;
  const active = activeCausesOn(suppression, channel);
  const first = suppressionReasonNames.find((name) => {
    const { refuses, optOut }: ReasonRule = suppressionReasons[name];
    return (refuses === 'everything' || refuses === category) && !(excepted && optOut) && active.some((cause) => cause.reason === name);
  });
  return first === undefined ? null : suppressionReasons[first].status;
}

// Commands

export type SuppressionCommand =
  | {
      type: 'Suppress';
      suppression_id: string;
      address_key: string;
      address: string | null;
      channel: SuppressionChannel;
      reason: SuppressionReason;
      source: string;
      /** A time in the future counts as now. */
      occurred_at: string;
      message_id: string | null;
      via?: SuppressionMethod;
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
      by: keyof typeof liftable;
      because: string;
      proof: string | null;
      keyword?: string;
      inbound_id?: string;
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

/** An active reason only changes if it turns out to be older: the earliest `occurred_at` is kept. */
function suppress({ type: _, now: at, ...cause }: Of<'Suppress'>, suppression: Suppression): readonly SuppressionEvent[] {
  const known = causesOf(suppression).find(({ channel, reason }) => channel === cause.channel && reason === cause.reason);
  const data = { ...cause, occurred_at: cause.occurred_at < at ? cause.occurred_at : at, at };
  if (!known) {
    const opted_out = suppressionReasons[cause.reason].optOut && !isOptedOut(suppression, cause.channel);
    return [{ type: 'AddressSuppressed', data: opted_out ? { ...data, opted_out } : data }];
  }
  return data.occurred_at < known.occurred_at ? [{ type: 'SuppressionBackdated', data }] : [];
}

/**
 * Lifts the active reasons of one channel that this means of lifting can lift. A reason that is reported afterwards
 * suppresses again, even if it occurred before the lift.
 */
function lift({ type: _, now: at, ...lifting }: Of<'Lift'>, suppression: Suppression): readonly SuppressionEvent[] {
  const reasons = causesOf(suppression)
    .filter(({ channel, reason }) => channel === lifting.channel && liftable[lifting.by].includes(reason))
    .map(({ reason }) => reason);
  return reasons.length > 0 ? [{ type: 'SuppressionLifted', data: { ...lifting, reasons, at } }] : [];
}

/** Produces no event if the address is not suppressed. */
function except({ type: _, now: at, ...excepting }: Of<'Except'>, suppression: Suppression): readonly SuppressionEvent[] {
  if (suppression.status === 'clear' || suppression.excepted?.includes(excepting.message_id)) return [];
  return [{ type: 'SuppressionExcepted', data: { ...excepting, at } }];
}

export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = { initial: { status: 'clear' }, evolve, decide };

// Stream

/** `addressKey`: HMAC of the address under the account's pepper, so each account has its own list. */
export const suppressionStream = (addressKey: string): string => `suppression-${addressKey}`;
