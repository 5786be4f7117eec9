/**
 * One address on the do-not-contact list. It is the address that is suppressed, not a contact: the entry stands before
 * any contact exists, and stays when one is erased.
 */
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { list, nullable, oneOf, record, text, time } from '../kernel/schema.js';
import { channelNames } from '../messages/channels.js';
import type { StatusReason } from '../messages/status.js';

// Reasons

interface ReasonRule {
  /** What a message that it stops is told. */
  readonly status: StatusReason;
  /** Which messages it stops. */
  readonly refuses: 'everything' | 'marketing';
  /** Whether the person takes it back by answering with an opt-in keyword. */
  readonly liftedByKeyword: boolean;
}

/**
 * Why an address must not be messaged, the weightiest reason first: that one is told where several stand. All of them
 * stop transactional messages too: who is on this list must not be messaged at all. What only marketing must not
 * reach is a matter of consent, which is kept elsewhere.
 */
export const suppressionReasons = {
  erased: { status: 'erased', refuses: 'everything', liftedByKeyword: false },
  legal: { status: 'legal', refuses: 'everything', liftedByKeyword: false },
  complained: { status: 'complaint', refuses: 'everything', liftedByKeyword: false },
  stop_keyword: { status: 'stop_keyword', refuses: 'everything', liftedByKeyword: true },
  unsubscribed: { status: 'unsubscribed', refuses: 'everything', liftedByKeyword: false },
  bounced: { status: 'hard_bounce', refuses: 'everything', liftedByKeyword: false },
  manual: { status: 'manual', refuses: 'everything', liftedByKeyword: false },
} as const satisfies Readonly<Record<string, ReasonRule>>;

export type SuppressionReason = keyof typeof suppressionReasons;
export const suppressionReasonNames = Object.keys(suppressionReasons) as SuppressionReason[];
/** What an entry holds for: one channel, or all of them, also those that come later. */
export const suppressionChannels = ['all', ...channelNames] as const;
export type SuppressionChannel = (typeof suppressionChannels)[number];

/** Who lifts: an opt-in keyword takes back no more than a STOP; a request says what it takes back. */
export const liftable = {
  request: suppressionReasonNames,
  keyword: suppressionReasonNames.filter((name) => suppressionReasons[name].liftedByKeyword),
} as const;

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
    by: oneOf('request', 'keyword'),
    because: text,
    /** What shows that the person wants it: the words said, a form, a ticket. */
    proof: nullable(text),
    at: time,
  }),
  { personal: { subject: 'address_key', fields: ['proof'] } },
);

export const suppressionEvents = [AddressSuppressed, SuppressionBackdated, SuppressionLifted] as const;
export type SuppressionEvent = EventOf<(typeof suppressionEvents)[number]>;
export type SealedSuppressionEvent = SealedEventOf<(typeof suppressionEvents)[number]>;

// State

/** One reason on one channel. */
export interface SuppressionCause {
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly source: string;
  readonly occurred_at: string;
  readonly message_id: string | null;
}

export type Suppression = { readonly status: 'clear' } | { readonly status: 'suppressed'; readonly causes: readonly SuppressionCause[] };

/** Takes events as they stand in the log too: what is sealed in them is not looked at. */
export function evolve(suppression: Suppression, event: SuppressionEvent | SealedSuppressionEvent): Suppression {
  switch (event.type) {
    case 'AddressSuppressed':
    case 'SuppressionBackdated': {
      const { channel, reason, source, occurred_at, message_id } = event.data;
      const others = causesOf(suppression).filter((cause) => !(cause.channel === channel && cause.reason === reason));
      return { status: 'suppressed', causes: [...others, { channel, reason, source, occurred_at, message_id }] };
    }
    case 'SuppressionLifted': {
      const { channel, reasons } = event.data;
      const causes = causesOf(suppression).filter((cause) => !(cause.channel === channel && reasons.includes(cause.reason)));
      return causes.length > 0 ? { status: 'suppressed', causes } : { status: 'clear' };
    }
    default:
      return event satisfies never;
  }
}

const causesOf = (suppression: Suppression): readonly SuppressionCause[] => (suppression.status === 'suppressed' ? suppression.causes : []);

/** Why a message must not go out, or null. `channel` may be one that this program does not know yet. */
export function refusalOf(suppression: Suppression, channel: string, category: string): StatusReason | null {
  const standing = causesOf(suppression).filter((cause) => cause.channel === 'all' || cause.channel === channel);
  const weightiest = suppressionReasonNames.find((name) => {
    const { refuses }: ReasonRule = suppressionReasons[name];
    return (refuses === 'everything' || refuses === category) && standing.some((cause) => cause.reason === name);
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
      now: string;
    };

type Of<T extends SuppressionCommand['type']> = Extract<SuppressionCommand, { type: T }>;

export function decide(command: SuppressionCommand, suppression: Suppression): readonly SuppressionEvent[] {
  switch (command.type) {
    case 'Suppress':
      return suppress(command, suppression);
    case 'Lift':
      return lift(command, suppression);
    default:
      return command satisfies never;
  }
}

/** Said again, it changes nothing; the earliest time at which it was said is the one that stays. */
function suppress({ type: _, now: at, ...said }: Of<'Suppress'>, suppression: Suppression): readonly SuppressionEvent[] {
  const known = causesOf(suppression).find(({ channel, reason }) => channel === said.channel && reason === said.reason);
  const data = { ...said, occurred_at: said.occurred_at < at ? said.occurred_at : at, at };
  if (!known) return [{ type: 'AddressSuppressed', data }];
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

export const suppression: Decider<Suppression, SuppressionCommand, SuppressionEvent> = { initial: { status: 'clear' }, evolve, decide };

// Stream

/** `addressKey` is the name of the address under the account's pepper, so an account's list is its own. */
export const suppressionStream = (addressKey: string): string => `suppression-${addressKey}`;
