/** An email received from a person: an answer to a message of the account, or any other email. */
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { boundedText, count, flag, list, nullable, optional, record, text, time } from '../kernel/schema.js';

/** Characters that are kept of each of text and HTML. */
export const KEPT_CHARACTERS = 65_536;
export const MAX_KEPT_ATTACHMENTS = 100;

// Events

export const InboundEmailReceived = eventType(
  'InboundEmailReceived',
  record({
    inbound_id: text,
    carrier: text,
    carrier_message_id: text,
    from_key: text,
    from: text,
    from_name: nullable(text),
    /** The receiving address, if the carrier reports it. */
    to: nullable(text),
    subject: nullable(text),
    text: boundedText({}),
    html: nullable(text),
    /** The files by name; their contents are not kept. `size` in bytes. */
    attachments: list(record({ filename: nullable(text), content_type: text, size: count }), { maxItems: MAX_KEPT_ATTACHMENTS }),
    /** The header field `Message-ID`. */
    email_message_id: nullable(text),
    /** Whether the text or the HTML is cut. */
    truncated: flag,
    /** Whether a program wrote it, such as a note of absence. */
    automatic: flag,
    /** Whether the account's webhooks tell of it, by its settings at that time; without it they do. */
    notifies: optional(flag),
    /** The message that it replies to, if it is known. */
    message_id: optional(text),
    /** By the sender's clock. */
    at: time,
    received_at: time,
  }),
  {
    version: 2,
    personal: { subject: 'from_key', fields: ['from', 'from_name', 'to', 'subject', 'text', 'html', 'attachments', 'email_message_id'] },
  },
);

export const inboundEmailEvents = [InboundEmailReceived] as const;
export type InboundEmailEvent = EventOf<(typeof inboundEmailEvents)[number]>;
export type SealedInboundEmailEvent = SealedEventOf<(typeof inboundEmailEvents)[number]>;
export type ReceivedEmail = EventOf<typeof InboundEmailReceived>['data'];

// State

export type InboundEmail = { readonly status: 'new' } | { readonly status: 'received'; readonly message_id: string | null };

export const evolve = (_: InboundEmail, { data }: InboundEmailEvent): InboundEmail => ({ status: 'received', message_id: data.message_id ?? null });

// Commands

export interface InboundEmailCommand {
  readonly type: 'Receive';
  readonly received: ReceivedEmail;
}

/** A repeat produces no event. */
export const decide = ({ received }: InboundEmailCommand, { status }: InboundEmail): readonly InboundEmailEvent[] =>
  status === 'new' ? [{ type: 'InboundEmailReceived', data: received }] : [];

export const inboundEmail: Decider<InboundEmail, InboundEmailCommand, InboundEmailEvent> = { initial: { status: 'new' }, evolve, decide };
