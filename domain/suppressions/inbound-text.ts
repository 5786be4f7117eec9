/** A text received on one of the account's numbers, and the effect of its keyword. */

import type { Aggregate } from '../kernel/aggregate.js';
import type { ChannelName } from '../kernel/channels.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { boundedText, flag, list, named, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { keywordKinds } from '../messages/keyword-kinds.js';
import { type KeywordLanguage, keywordTable } from './keyword-table.js';

/** Phone channels: only there a text can be a keyword. */
export const keywordChannels = ['sms', 'whatsapp', 'rcs'] as const satisfies readonly ChannelName[];
export type KeywordChannel = (typeof keywordChannels)[number];
export const isKeywordChannel = (channel: string): channel is KeywordChannel => (keywordChannels as readonly string[]).includes(channel);

/** What a person has sent beside the text, by the address at which the carrier has it. */
export const receivedMedium = named('ReceivedMedium', record({ url: text, content_type: nullable(text) }));
export type ReceivedMedium = Static<typeof receivedMedium>;
export const MAX_RECEIVED_MEDIA = 10;

// Events

export const InboundTextReceived = eventType(
  'InboundTextReceived',
  record({
    inbound_id: text,
    carrier: text,
    carrier_message_id: text,
    channel: oneOf(...keywordChannels),
    from_key: text,
    from: text,
    /** The receiving number, if the carrier reports it. */
    to: nullable(text),
    text: boundedText({}),
    media: optional(list(receivedMedium, { maxItems: MAX_RECEIVED_MEDIA })),
    /** Null if the text is not a keyword. */
    kind: nullable(oneOf(...keywordKinds)),
    keyword: nullable(text),
    language: nullable(oneOf(...(Object.keys(keywordTable) as KeywordLanguage[]))),
    /** The message that it replies to, if the carrier reports it. */
    message_id: optional(text),
    /** Whether the account's webhooks tell of it, by its settings at that time. Events from before there was this setting: they do not. */
    notifies: optional(flag),
    /** Whether the carrier replied to the keyword itself; then no reply is sent. */
    answered: flag,
    /** By the carrier's clock. */
    at: time,
    received_at: time,
  }),
  { version: 3, personal: { subject: 'from_key', fields: ['from', 'to', 'text', 'media'] } },
);
/** The keyword was applied. `answer_id` is the message that confirms it, or null. */
export const KeywordFollowed = eventType(
  'KeywordFollowed',
  record({ inbound_id: text, effect: oneOf('opted_out', 'opted_in', 'helped', 'none'), answer_id: nullable(text), at: time }),
);

export const inboundTextEvents = [InboundTextReceived, KeywordFollowed] as const;
export type InboundTextEvent = EventOf<(typeof inboundTextEvents)[number]>;
export type SealedInboundTextEvent = SealedEventOf<(typeof inboundTextEvents)[number]>;
export type ReceivedText = EventOf<typeof InboundTextReceived>['data'];
export type KeywordEffect = EventOf<typeof KeywordFollowed>['data']['effect'];

// State

export type InboundText =
  | { readonly status: 'new' }
  | { readonly status: 'received'; readonly received: ReceivedText }
  | { readonly status: 'followed'; readonly received: ReceivedText; readonly effect: KeywordEffect };

export function evolve(inbound: InboundText, event: InboundTextEvent): InboundText {
  switch (event.type) {
    case 'InboundTextReceived':
      return { status: 'received', received: event.data };
    case 'KeywordFollowed':
      return inbound.status === 'new' ? inbound : { status: 'followed', received: inbound.received, effect: event.data.effect };
    default:
      return event satisfies never;
  }
}

// Commands

export type InboundTextCommand =
  | { type: 'Receive'; received: ReceivedText }
  | { type: 'Follow'; inbound_id: string; effect: KeywordEffect; answer_id: string | null; now: string };

/** A repeat of either command produces no event. */
export function decide(command: InboundTextCommand, inbound: InboundText): readonly InboundTextEvent[] {
  switch (command.type) {
    case 'Receive':
      return inbound.status === 'new' ? [{ type: 'InboundTextReceived', data: command.received }] : [];
    case 'Follow': {
      const { inbound_id, effect, answer_id, now: at } = command;
      return inbound.status === 'received' ? [{ type: 'KeywordFollowed', data: { inbound_id, effect, answer_id, at } }] : [];
    }
    default:
      return command satisfies never;
  }
}

// Stream

export const inboundStream = (inboundId: string): string => `inbound-${inboundId}`;

export const inboundText: Aggregate<InboundText, InboundTextCommand, InboundTextEvent> = {
  stream: inboundStream,
  events: inboundTextEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
