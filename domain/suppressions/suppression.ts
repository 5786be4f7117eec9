/**
 * One address on the do-not-contact list. It is the address that is suppressed, not a contact: the entry stands before
 * any contact exists, and stays when one is erased.
 */
import { channelNames } from '../kernel/channels.js';
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { flag, list, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import type { StatusReason } from '../messages/status.js';

// Reasons

interface ReasonRule {
  /** What a message that it stops is told. */
  readonly status: StatusReason;
  /** Which messages it stops. */
  readonly refuses: 'everything' | 'marketing';
  /** Whether it is the person's own wish, as against what was found out about the address. */
  readonly optOut: boolean;
  /** Who besides the account may take it back: the person by an opt-in keyword, or on a page of ours. */
  readonly liftedBy: readonly ('keyword' | 'page')[];
}

/**
 * Why an address must not be messaged, the weightiest reason first: that one is told where several stand. All of them
 * stop transactional messages too: who is on this list must not be messaged at all. What only marketing must not
 * reach is a matter of consent, which is kept elsewhere.
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
/** What an entry holds for: one channel, or all of them, also those that come later. */
export const suppressionChannels = ['all', ...channelNames] as const;
export type SuppressionChannel = (typeof suppressionChannels)[number];
export const suppressionChannelSchema = named('SuppressionChannel', oneOf(...suppressionChannels));
export const suppressionReasonSchema = named('SuppressionReason', oneOf(...suppressionReasonNames));

const liftedBy = (who: 'keyword' | 'page') =>
  suppressionReasonNames.filter((name) => (suppressionReasons[name] as ReasonRule).liftedBy.includes(who));

/**
 * Who lifts: an opt-in keyword takes back no more than a STOP, which came from the same telephone; a page no more than
 * what a page takes; a request says what it takes back.
 */
export const liftable = { request: suppressionReasonNames, keyword: liftedBy('keyword'), page: liftedBy('page') } as const;

/** By which way it came to be known. */
export const suppressionMethods = ['import', 'request', 'one_click', 'page', 'keyword', 'feedback'] as const;
export type SuppressionMethod = (typeof suppressionMethods)[number];

// Events

const channel = oneOf(...suppressionChannels);
const reason = oneOf(...suppressionReasonNames);

const causeFields = {
  /** Of the entry: one for each address and channel. */
  suppression_id: text,
  address_key: text,
  /** Null where nobody knows it any more. */
  address: nullable(text),
  channel,
  reason,
  /** Where it is known from: a carrier, a keyword, an import. */
  source: text,
  /** When the person or carrier said so. */
  occurred_at: time,
  /** The message that it answers. */
  message_id: nullable(text),
  /** Missing in what was recorded before ways were. */
  via: optional(oneOf(...suppressionMethods)),
  /** The list that was left, where the message was sent to one. */
  list_id: optional(text),
  /** The word that was said, and the inbound text that said it. */
  keyword: optional(text),
  inbound_id: optional(text),
  /**
   * Set where the person opted out by this and had not before: neither on this channel nor on all of them. That is the
   * moment at which a contact unsubscribes; whatever is said afterwards changes nothing.
   */
  opted_out: optional(flag),
  at: time,
};
const personalAddress = { subject: 'address_key', fields: ['address'] } as const;

/** A reason that did not stand on this channel before. */
export const AddressSuppressed = eventType('AddressSuppressed', record(causeFields), { personal: personalAddress });
/** A reason that stands already turns out to be older than was known. It changes nothing but that. */
export const SuppressionBackdated = eventType('SuppressionBackdated', record(causeFields), { personal: personalAddress });
export const SuppressionLifted = eventType(
  'SuppressionLifted',
  record({
    suppression_id: text,
    address_key: text,
    channel,
    /** The reasons that no longer stand. */
    reasons: list(reason, { minItems: 1 }),
    by: oneOf('request', 'keyword', 'page'),
    because: text,
    /** What shows that the person wants it: the words said, a form, a ticket. */
    proof: nullable(text),
    /** The word that was said, and the inbound text that said it. */
    keyword: optional(text),
    inbound_id: optional(text),
    at: time,
  }),
  { personal: { subject: 'address_key', fields: ['proof'] } },
);
/** One message may still go out although the person opted out: the answer to what the person said. */
export const SuppressionExcepted = eventType(
  'SuppressionExcepted',
  record({ address_key: text, channel, message_id: text, because: oneOf('stop', 'help'), at: time }),
);

export const suppressionEvents = [AddressSuppressed, SuppressionBackdated, SuppressionLifted, SuppressionExcepted] as const;
export type SuppressionEvent = EventOf<(typeof suppressionEvents)[number]>;
export type SealedSuppressionEvent = SealedEventOf<(typeof suppressionEvents)[number]>;
/** Those that change what stands on the list. */
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
      /** The last messages that the person's own opting out does not stop. */
      readonly excepted?: readonly string[];
    };

/** So many exceptions are remembered: each is asked for within minutes, or never again. */
const MAX_EXCEPTIONS = 5;

/** Takes events as they stand in the log too: what is sealed in them is not looked at. */
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

/** Why a channel is closed: what was said of it and of all channels. `channel` may be one that this program does not know yet. */
export const activeCausesOn = (suppression: Suppression, channel: string): readonly SuppressionCause[] =>
  causesOf(suppression).filter((cause) => cause.channel === 'all' || cause.channel === channel);

/** Whether the person opted out of a channel, or of all of them. */
export const isOptedOut = (suppression: Suppression, channel: string): boolean =>
  activeCausesOn(suppression, channel).some(({ reason }) => suppressionReasons[reason].optOut);

/** Why a message must not go out, or null. An answer to what the person said passes the person's own opting out, nothing else. */
export function refusalOf(suppression: Suppression, channel: string, category: string, messageId?: string): StatusReason | null {
  const excepted = messageId !== undefined && suppression.status === 'suppressed' && suppression.excepted?.includes(messageId) === true;
  const standing = activeCausesOn(suppression, channel);
  const weightiest = suppressionReasonNames.find((name) => {
    const { refuses, optOut }: ReasonRule = suppressionReasons[name];
    return (refuses === 'everything' || refuses === category) && !(excepted && optOut) && standing.some((cause) => cause.reason === name);
  });
  return weightiest === undefined ? null : suppressionReasons[weightiest].status;
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
      /** A time to come counts as now. */
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

/** Said again, it changes nothing; the earliest time at which it was said is the one that stays. */
function suppress({ type: _, now: at, ...said }: Of<'Suppress'>, suppression: Suppression): readonly SuppressionEvent[] {
  const known = causesOf(suppression).find(({ channel, reason }) => channel === said.channel && reason === said.reason);
  const data = { ...said, occurred_at: said.occurred_at < at ? said.occurred_at : at, at };
  if (!known) {
    const opted_out = suppressionReasons[said.reason].optOut && !isOptedOut(suppression, said.channel);
    return [{ type: 'AddressSuppressed', data: opted_out ? { ...data, opted_out } : data }];
  }
  return data.occurred_at < known.occurred_at ? [{ type: 'SuppressionBackdated', data }] : [];
}

/**
 * Takes away the reasons that stand on one channel and that whoever lifts may take back. Whatever is said afterwards
 * suppresses again, however long ago it happened: nobody who lifted knew of it.
 */
function lift({ type: _, now: at, ...lifting }: Of<'Lift'>, suppression: Suppression): readonly SuppressionEvent[] {
  const reasons = causesOf(suppression)
    .filter(({ channel, reason }) => channel === lifting.channel && liftable[lifting.by].includes(reason))
    .map(({ reason }) => reason);
  return reasons.length > 0 ? [{ type: 'SuppressionLifted', data: { ...lifting, reasons, at } }] : [];
}

/** Where nothing stands there is nothing to be excepted from. */
function except({ type: _, now: at, ...excepting }: Of<'Except'>, suppression: Suppression): readonly SuppressionEvent[] {
  if (suppression.status === 'clear' || suppression.excepted?.includes(excepting.message_id)) return [];
  return [{ type: 'SuppressionExcepted', data: { ...excepting, at } }];
}

export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = { initial: { status: 'clear' }, evolve, decide };

// Stream

/** `addressKey` is the name of the address under the account's pepper, so an account's list is its own. */
export const suppressionStream = (addressKey: string): string => `suppression-${addressKey}`;
