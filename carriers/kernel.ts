import type { ChannelName } from '../domain/kernel/channels.js';
import type { KeywordKind } from '../domain/messages/keyword-kinds.js';
import type { Accepted, Category } from '../domain/messages/message.js';
import type { StatusReason } from '../domain/messages/status.js';
import type { KeywordChannel } from '../domain/suppressions/inbound-text.js';

/** A message as a carrier gets it. */
export interface OutgoingMessage {
  /** Our id. A carrier that de-duplicates takes it as the key. */
  readonly message_id: string;
  readonly account: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly from: string | null;
  readonly category: Category;
  readonly content: Accepted['content'];
  /** Further headers of an email. A carrier signs them with the rest. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Number of this hand-over, from 1. */
  readonly attempt: number;
}

/** The answer of a carrier. A passing (transient) error is retried later, a lasting (permanent) one is not. */
export type HandOver =
  | { readonly outcome: 'accepted'; readonly carrier_message_id: string }
  | { readonly outcome: 'passing_error'; readonly code: string | null; readonly error: string }
  | { readonly outcome: 'lasting_error'; readonly reason: StatusReason; readonly code: string | null; readonly error: string };

/**
 * An outside provider. `send` resolves with its answer. When it throws, the outcome is unknown: the hand-over is repeated only
 * if the carrier de-duplicates or the account accepts the risk of a second copy.
 */
export interface Carrier {
  readonly name: string;
  readonly channels: readonly ChannelName[];
  readonly deduplicates: boolean;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<HandOver>;
}

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

/** Which carrier serves a channel. */
export type CarrierRouting = (channel: ChannelName) => Carrier;
