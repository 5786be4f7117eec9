import { invalid } from '../../domain/kernel/errors.js';
import { flag, nullable, oneOf, optional, record, text, textOf, time } from '../../domain/kernel/schema.js';
import { type KeywordKind, keywordKinds } from '../../domain/messages/keyword-kinds.js';
import { inboundStream, inboundText, keywordChannels } from '../../domain/suppressions/inbound-text.js';
import { type Keyword, keywordLanguages, matchKeyword } from '../../domain/suppressions/keywords.js';
import { parseAddress } from '../../formats/contacts/parse-address.js';
import { hashId } from '../../log/ids.js';
import { command } from '../kernel.js';
import { toUtcTimestamp } from './suppress-address.js';

/**
 * Puts a text that a carrier reports into the log. The same text again, by the carrier and its id, changes nothing. What
 * follows from a keyword is done by a process, which cannot forget it.
 */
export const receiveInbound = command({
  name: 'ReceiveInbound',
  input: record({
    carrier: text,
    /** Null where the carrier names none: then every report is a text of its own. */
    carrier_message_id: nullable(text),
    channel: oneOf(...keywordChannels),
    from: text,
    to: nullable(text),
    text: textOf({}),
    /** Where the carrier tells what it took the text for; otherwise the text decides. */
    kind: optional(oneOf(...keywordKinds)),
    message_id: optional(text),
    answered: flag,
    /** Without it, now. */
    at: optional(time),
  }),

  async handle({ carrier, carrier_message_id, from: said, kind, at, ...given }, context): Promise<ReceiveInboundResult> {
    const { cause, addresses, now } = context;
    const from = parseAddress('phone', said);
    if (typeof from !== 'string') throw invalid([{ ...from, field: 'from' }]);
    const carrierId = carrier_message_id ?? context.newId('evt');
    const inbound_id = hashId('inb', cause.account, carrier, carrierId);
    const received = {
      inbound_id,
      carrier,
      carrier_message_id: carrierId,
      from_key: addresses.key(cause.account, from),
      from,
      ...given,
      ...detectKeyword(given.text, from, kind),
      at: at === undefined ? now : toUtcTimestamp(at),
      received_at: now,
    };
    const { position, state } = await context.decide(inboundText, inboundStream(inbound_id), { type: 'Receive', received }, { assumeNew: true });
    const keyword = state.status === 'new' ? null : state.received.kind;
    return { id: inbound_id, keyword, duplicate: position === null };
  },
});

export interface ReceiveInboundResult {
  readonly id: string;
  readonly keyword: KeywordKind | null;
  /** True where it was reported before. */
  readonly duplicate: boolean;
}

function detectKeyword(said: string, from: string, told: KeywordKind | undefined) {
  const found: Keyword | null = matchKeyword(said, keywordLanguages(from));
  if (told === undefined) return { kind: found?.kind ?? null, keyword: found?.keyword ?? null, language: found?.language ?? null };
  return { kind: told, keyword: found?.keyword ?? said.trim().slice(0, 160), language: found?.language ?? null };
}
