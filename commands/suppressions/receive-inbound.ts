import { boundedText, flag, list, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { type KeywordKind, keywordKinds } from '../../domain/messages/keyword-kinds.js';
import { isShortSender } from '../../domain/messages/senders.js';
import { inboundStream, inboundText, keywordChannels, MAX_RECEIVED_MEDIA, receivedMedium } from '../../domain/suppressions/inbound-text.js';
import { type Keyword, keywordLanguages, matchKeyword } from '../../domain/suppressions/keywords.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { inboundIdentity } from '../messages/inbound-identity.js';
import { command } from '../runtime/command.js';
import { toUtcTimestamp } from './suppress-address.js';

/**
 * Records a text that a carrier reports. A repeat of the same carrier and message id has no effect. Keywords are applied by
 * the process manager suppressions/follow-keywords.
 */
export const receiveInbound = command({
  name: 'ReceiveInbound',
  input: record({
    carrier: text,
    /** Null if the carrier has no ids; then every report is a new text. */
    carrier_message_id: nullable(text),
    channel: oneOf(...keywordChannels),
    from: text,
    to: nullable(text),
    text: boundedText({}),
    media: optional(list(receivedMedium, { maxItems: MAX_RECEIVED_MEDIA })),
    /** The carrier's own classification; without it, the text is matched. */
    kind: optional(oneOf(...keywordKinds)),
    message_id: optional(text),
    answered: flag,
    /** Default: now. */
    at: optional(time),
  }),

  async handle({ carrier, carrier_message_id, from, kind, at, ...given }, context): Promise<ReceiveInboundResult> {
    const { now } = context;
    const identity = inboundIdentity('phone', { carrier, carrier_message_id, from }, context);
    const notifies = (await loadSettings(context.log, context.cause.account))?.received_webhooks.channels.includes(given.channel) === true;
    const received = {
      ...identity,
      ...given,
      ...(notifies && { notifies }),
      // A short code or a name is no person who could opt out: nothing is sent to it.
      ...(isShortSender(identity.from) ? NO_KEYWORD : detectKeyword(given.text, from, kind)),
      at: at === undefined ? now : toUtcTimestamp(at),
      received_at: now,
    };
    const { position, state } = await context.decide(
      inboundText,
      inboundStream(identity.inbound_id),
      { type: 'Receive', received },
      { assumeNew: true },
    );
    const keyword = state.status === 'new' ? null : state.received.kind;
    return { id: identity.inbound_id, keyword, duplicate: position === null };
  },
});

export interface ReceiveInboundResult {
  readonly id: string;
  readonly keyword: KeywordKind | null;
  /** Whether it was reported before. */
  readonly duplicate: boolean;
}

const NO_KEYWORD = { kind: null, keyword: null, language: null } as const;

function detectKeyword(text: string, from: string, reported: KeywordKind | undefined) {
  const found: Keyword | null = matchKeyword(text, keywordLanguages(from));
  if (reported === undefined) return { kind: found?.kind ?? null, keyword: found?.keyword ?? null, language: found?.language ?? null };
  return { kind: reported, keyword: found?.keyword ?? text.trim().slice(0, 160), language: found?.language ?? null };
}
