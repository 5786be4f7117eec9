/** What carriers report in webhooks, read from their formats: receipts, and what people wrote. */

import type { KeywordKind } from '../messages/keyword-kinds.js';
import type { Receipt } from '../messages/receipt.js';
import type { KeywordChannel, ReceivedMedium } from '../suppressions/inbound-text.js';

/** A received text. */
export interface ReportedText {
  readonly carrier: string;
  readonly carrier_message_id: string | null;
  readonly channel: KeywordChannel;
  readonly from: string;
  readonly to: string | null;
  /** What was written or chosen, or what describes the rest. */
  readonly text: string;
  readonly media?: readonly ReceivedMedium[];
  /** The carrier's id of our message that it quotes, where the carrier names it. */
  readonly replies_to?: string;
  /** The kind of keyword, where the carrier classifies the text itself. */
  readonly kind?: KeywordKind;
  /** Whether the carrier has replied to a keyword itself. */
  readonly answered: boolean;
  /** RFC 3339, by the carrier's clock. */
  readonly at?: string;
}

/** A receipt, found by our id or by the carrier's. */
export interface IncomingReceipt {
  readonly kind: 'receipt';
  /** The only account that it can belong to: its own credentials prove it. */
  readonly account?: string;
  /** `at` is null where the carrier does not give it; then `dedupe` distinguishes receipts. */
  readonly receipt: Omit<Receipt, 'received_at' | 'receipt_key' | 'at'> & { readonly at: string | null };
  /** Our id, if the carrier returns it. */
  readonly message_id: string | null;
  /** Further ids of ours that may be the message's, the likeliest first. */
  readonly other_ids?: readonly string[];
  /** Whose result it is, of a carrier that reports on copies: of the owner of a copy it concerns that address only. */
  readonly recipient?: string;
  /** What makes two reports the same one, instead of their time. */
  readonly dedupe?: string;
  /** A code that the table of the carrier does not have. */
  readonly unknown_code?: string;
  /** Of a report by mail: what its receiving addresses name as a message of ours with its tag, `msg_…-<tag>`. Not verified. */
  readonly tokens?: readonly string[];
}

export interface IncomingText {
  readonly kind: 'text';
  /** The only account that it can belong to: its own credentials prove it. */
  readonly account?: string;
  readonly report: ReportedText;
}

export interface IncomingFile {
  readonly filename: string | null;
  readonly content_type: string;
  /** In bytes. */
  readonly size: number;
}

/** An email that a person wrote. `references`: the header fields In-Reply-To and References. */
export interface IncomingEmail {
  readonly kind: 'email';
  /** The only account that it can belong to: its own credentials prove it. */
  readonly account?: string;
  readonly carrier: string;
  readonly carrier_message_id: string | null;
  readonly from: string;
  readonly from_name: string | null;
  /** All receiving addresses, the envelope first. */
  readonly to: readonly string[];
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly IncomingFile[];
  readonly email_message_id: string | null;
  readonly references: string;
  /** Our id in a part of the address that the carrier has cut out (`MailboxHash`). */
  readonly token: string | null;
  readonly automatic: boolean;
  /** It came to an address that only bounces come to, and is none: nobody claims it, the operator looks at it. */
  readonly for_operator?: true;
  /** What its receiving addresses name as a message of ours with its tag, `msg_…-<tag>`. Not verified; without it `to` and `token` have them. */
  readonly tokens?: readonly string[];
  /** What makes two of them the same one, as a hash; without it `carrier_message_id` or `email_message_id` does. */
  readonly key?: string;
  readonly at: string | null;
}

/** An element that is no report of ours to record: a step before a result, or an event that we do not know. */
export interface IncomingNote {
  readonly kind: 'none';
  readonly what: string;
  /** A status that the table of the carrier does not have. */
  readonly unknown_code?: string;
}
/** An element that could not be read. The others of its batch are not affected. */
export interface UnreadableElement {
  readonly kind: 'unreadable';
  readonly problem: string;
}

/** A report was about more recipients than a message can have: so many of them are left out. */
export interface CutReport {
  readonly kind: 'cut';
  readonly recipients: number;
}

export type IncomingReport = IncomingReceipt | IncomingText | IncomingEmail | IncomingNote | UnreadableElement | CutReport;
