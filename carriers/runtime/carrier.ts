import type { ChannelName } from '../../domain/kernel/channels.js';
import type { CopyRecipient } from '../../domain/messages/accepted-fields.js';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import type { AcceptedMessage, Category } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import type { SubscriptionFields } from '../../domain/push/subscription.js';
import type { KeywordChannel } from '../../domain/suppressions/inbound-text.js';
import type { SendingCheck } from './sending-records.js';

/** A message as a carrier gets it. */
export interface OutgoingMessage {
  /** Our id. A carrier that de-duplicates takes it as the key. */
  readonly message_id: string;
  readonly account: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly from: string | null;
  readonly category: Category;
  /** Of an email also the names of recipient and sender, the address for replies and the attachments. */
  readonly content: AcceptedMessage['content'];
  /** Further recipients of an email: those who may be written to. */
  readonly cc?: readonly CopyRecipient[];
  /** The same, without a header that names them. */
  readonly bcc?: readonly CopyRecipient[];
  /** Further headers of an email: those of the caller and those of the service. A carrier signs them with the rest. */
  readonly headers?: Readonly<Record<string, string>>;
  /** RFC 3339: when it is of no use any more; null for never. */
  readonly expires_at?: string | null;
  /** Number of this dispatch, from 1. */
  readonly attempt: number;
  /** Of a push message: the device that it is dispatched for. */
  readonly device?: PushDevice;
}

/** A device as the carriers of push messages get it. */
export type PushDevice = Pick<SubscriptionFields, 'subscription_id' | 'platform' | 'target'>;

/** The code of `misconfigured` where one message has no sender, and the settings have none. Others may have one. */
export const NO_SENDER = 'no_sender';

/** The answer about a push message to a contact that has no device. */
export const NO_DEVICE = {
  outcome: 'permanent_error',
  reason: 'no_device',
  code: null,
  error: 'The contact has no device that takes push messages.',
} as const satisfies SendResult;

/**
 * An outside provider. `send` resolves with its answer. When it throws, the outcome is unknown: the dispatch is repeated only
 * if the carrier de-duplicates or the account accepts the risk of a second copy.
 */
export interface Carrier {
  readonly name: string;
  readonly channels: readonly ChannelName[];
  readonly deduplicates: boolean;
  /** Made from the credentials of one account: it has limits and a circuit of its own. */
  readonly own?: true;
  /** How many calls a node makes at the same time; without it the dispatcher's limit applies. */
  readonly calls?: number;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
  /** Asks the carrier whether it accepts our settings, without sending anything. Null if it does; else what is wrong. */
  check?(signal: AbortSignal): Promise<string | null>;
  /** Of email: what receivers check of mail from a domain, in lower case. May ask the carrier; rejects where it cannot be asked. */
  sendingChecks?(domain: string, signal: AbortSignal): Promise<readonly SendingCheck[]>;
}

/** What sends to a carrier: name and channels are those of its descriptor. */
export type CarrierClient = Omit<Carrier, 'name' | 'channels' | 'own'>;

/** An inbound text, as a carrier reports it. */
export interface InboundReport {
  readonly carrier: string;
  /** The carrier's own id, which identifies repeated reports; null where it gives none. */
  readonly carrier_message_id: string | null;
  readonly channel: KeywordChannel;
  readonly from: string;
  readonly to: string | null;
  readonly text: string;
  /** The kind of keyword, where the carrier classifies the text itself. */
  readonly kind?: KeywordKind;
  /** Whether the carrier has replied to a keyword itself. */
  readonly answered: boolean;
  /** RFC 3339, by the carrier's clock. */
  readonly at?: string;
}

/** The carriers of a channel, in order of preference. */
export type CarrierRoute = Carrier | readonly [Carrier, ...Carrier[]];

/**
 * Which carriers serve a channel of an account. Messages of test keys (`test`) always have the sandbox. Answers at once where the
 * settings of the account are in memory. Rejects where they cannot be read now.
 */
export type CarrierRouting = (channel: ChannelName, test: boolean, account: string) => CarrierRoute | Promise<CarrierRoute>;
