import { nullable, record, text } from '../../domain/kernel/schema.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { inboundStream, inboundText, type KeywordEffect, type ReceivedText } from '../../domain/suppressions/inbound-text.js';
import { keywordReply, type ReplySender } from '../../domain/suppressions/keyword-replies.js';
import { suppressionMethods } from '../../domain/suppressions/reasons.js';
import {
  type Suppression,
  type SuppressionEvent,
  suppression,
  suppressionRefusalOf,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { hashId } from '../../log/runtime/ids.js';
import { otherSpellingKeys } from '../../log/vault/address-keys.js';
import { parseMessageRequest } from '../messages/parse-request.js';
import { withAccountSender } from '../messages/route-problems.js';
import { type Context, command } from '../runtime/command.js';
import { suppressionId } from './suppress-address.js';

/**
 * Applies a keyword: opts the number out or in, or helps, and sends one reply. Can be repeated after a crash at any point:
 * events carry the id of the inbound text, and the id of the reply is derived from it.
 */
export const followKeyword = command({
  name: 'FollowKeyword',
  input: record({ inbound_id: text, name: text, contact: nullable(text) }),

  async handle({ inbound_id, ...sender }, context): Promise<KeywordEffect> {
    const { state } = await loadAggregate(context.log, inboundText, inboundStream(inbound_id));
    if (state.status === 'new') return 'none';
    if (state.status === 'followed') return state.effect;
    const { effect, reply } = await applyKeyword(state.received, context);
    const answer_id = reply && !state.received.answered ? await acceptReply(state.received, reply, sender, context) : null;
    await context.decide(inboundText, inboundStream(inbound_id), { type: 'Follow', inbound_id, effect, answer_id, now: context.now });
    return effect;
  },
});

interface KeywordOutcome {
  readonly effect: KeywordEffect;
  /** Null if nothing changed. */
  readonly reply: 'stop' | 'start' | 'help' | null;
}

async function applyKeyword(received: ReceivedText, context: Context): Promise<KeywordOutcome> {
  switch (received.kind) {
    case 'stop':
      return (await optOut(received, context)) ? { effect: 'opted_out', reply: 'stop' } : { effect: 'none', reply: null };
    case 'start':
    case 'yes':
      return optIn(received, context);
    case 'help':
      return { effect: 'helped', reply: 'help' };
    case null:
      return { effect: 'none', reply: null };
    default:
      return received.kind satisfies never;
  }
}

/** Returns whether the person had not opted out of all messages before. */
async function optOut(received: ReceivedText, context: Context): Promise<boolean> {
  const { inbound_id, from: address, from_key: address_key, channel, keyword, message_id = null, at: occurred_at } = received;
  const suppression_id = suppressionId(context.cause.account, address_key, channel);
  const about = { suppression_id, address_key, address, channel, message_id, inbound_id, ...(keyword !== null && { keyword }) } as const;
  const cause = {
    ...about,
    reason: 'stop_keyword',
    scope: suppressionMethods.keyword,
    source: 'keyword',
    via: 'keyword',
    occurred_at,
    now: context.now,
  } as const;
  await context.decide(suppression, suppressionStream(address_key), { type: 'Suppress', ...cause });
  const own = await eventsCausedBy(received, context);
  return own.some((event) => event.type === 'AddressSuppressed' && event.data.opted_out === true);
}

/**
 * Lifts `stop_keyword` only, of the number in each of its spellings. No reply if another reason is still active: it would promise all
 * messages.
 */
async function optIn(received: ReceivedText, context: Context): Promise<KeywordOutcome> {
  const { inbound_id, channel, keyword, text: proof } = received;
  const states: Suppression[] = [];
  for (const address_key of keysOf(received, context)) {
    const suppression_id = suppressionId(context.cause.account, address_key, channel);
    const about = { suppression_id, address_key, channel, proof, inbound_id, ...(keyword !== null && { keyword }) } as const;
    const lift = { type: 'Lift', ...about, by: 'keyword', because: keyword ?? 'keyword', now: context.now } as const;
    const decided: { state: Suppression } = await context.decide(suppression, suppressionStream(address_key), lift);
    states.push(decided.state);
  }
  if ((await eventsCausedBy(received, context)).length === 0) return { effect: 'none', reply: null };
  const isFree = states.every((state) => suppressionRefusalOf(state, channel, 'marketing') === null);
  return { effect: 'opted_in', reply: isFree ? 'start' : null };
}

/** The keys of the sender's number, in each of its spellings. */
const keysOf = ({ from, from_key }: ReceivedText, { addresses, cause }: Context): string[] => [
  from_key,
  ...otherSpellingKeys(addresses, cause.account, from),
];

/** The suppression events of this inbound text, from this run or an earlier one. */
async function eventsCausedBy(received: ReceivedText, context: Context): Promise<SuppressionEvent[]> {
  const { inbound_id } = received;
  const streams = await Promise.all(keysOf(received, context).map((key) => context.log.readSealed(suppressionStream(key))));
  const events = streams.flatMap((read) => read ?? []);
  return events.map(({ event }) => event as SuppressionEvent).filter(({ data }) => 'inbound_id' in data && data.inbound_id === inbound_id);
}

/** Accepts the reply as a message and excepts it from the opt-out that it confirms. */
async function acceptReply(received: ReceivedText, kind: 'stop' | 'start' | 'help', sender: ReplySender, context: Context): Promise<string | null> {
  const { inbound_id, from, to, channel, language } = received;
  const answer_id = hashId('msg', context.cause.account, 'keyword', inbound_id);
  const request = { to: from, channel, message: keywordReply(kind, language ?? 'en', sender), ...(to !== null && { from: to }) };
  const read = parseMessageRequest(await withAccountSender(request, context), context);
  if ('problems' in read) return null;
  if (kind !== 'start') {
    for (const address_key of keysOf(received, context)) {
      const except = { type: 'Except', address_key, channel, message_id: answer_id, because: kind, now: context.now } as const;
      await context.decide(suppression, suppressionStream(address_key), except);
    }
  }
  const accept = { type: 'Accept', acceptance: { ...read.acceptance, refused: null }, now: context.now } as const;
  await context.decide(message, messageStream(answer_id), accept, { assumeNew: true });
  return answer_id;
}
