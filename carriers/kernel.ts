import type { ChannelName } from '../domain/kernel/channels.js';
import type { KeywordKind } from '../domain/messages/keyword-kinds.js';
import type { Accepted, Category } from '../domain/messages/message.js';
import type { StatusReason } from '../domain/messages/status.js';
import type { KeywordChannel } from '../domain/suppressions/inbound-text.js';

/** A message as a carrier is handed it. */
export interface OutgoingMessage {
  /** Our id. A carrier that de-duplicates takes it as the key. */
  readonly message_id: string;
  readonly account: string;
  readonly channel: ChannelName;
  readonly to: string;
  readonly from: string | null;
  readonly category: Category;
  readonly content: Accepted['content'];
  /** Of an email, beyond those that its fields make. A carrier signs them with the rest. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Hand-overs begun, this one included. */
  readonly attempt: number;
}

/** What a carrier answered. A passing error is tried again later, a lasting one is not. */
export type HandOver =
  | { readonly outcome: 'accepted'; readonly carrier_message_id: string }
  | { readonly outcome: 'passing_error'; readonly code: string | null; readonly error: string }
  | { readonly outcome: 'lasting_error'; readonly reason: StatusReason; readonly code: string | null; readonly error: string };

/**
 * An outside provider. `send` resolves with its answer; when it throws, whether the carrier has the message is not
 * known, and it may be asked again only if it de-duplicates or the account chose to risk a second copy.
 */
export interface Carrier {
  readonly name: string;
  readonly channels: readonly ChannelName[];
  readonly deduplicates: boolean;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<HandOver>;
}

/** A text that somebody sent to one of our numbers, as a carrier reports it. */
export interface InboundReport {
  readonly carrier: string;
  /** The carrier's own id, by which a report that comes twice is known; null where it gives none. */
  readonly carrier_message_id: string | null;
  readonly channel: KeywordChannel;
  readonly from: string;
  readonly to: string | null;
  readonly text: string;
  /** Where the carrier tells what it took the text for. */
  readonly kind?: KeywordKind;
  /** Whether the carrier has answered a keyword itself. */
  readonly answered: boolean;
  /** RFC 3339, by the carrier's clock. */
  readonly at?: string;
}

/** Which carrier serves a channel. */
export type CarrierRouting = (channel: ChannelName) => Carrier;
