import { type ChannelName, channels } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import { acceptanceOfItem, type BatchItem } from '../../domain/messages/batch.js';
import {
  type Acceptance,
  type AcceptedMessage,
  type LeftOut,
  type Message,
  type MessageCommand,
  message,
  messageStream,
} from '../../domain/messages/message.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { openRecipients } from '../../log/aggregates/messages/open-copies.js';
import { type Context, type DecideResult, internalCommand } from '../runtime/command.js';
import { checkDispatchGates, domainKeys, firstRefusal, refusalBySuppression } from './gates.js';
import { peerKeysOf } from './record-send-result.js';

export interface StartDispatch {
  readonly id: string;
  readonly toKey: string;
  readonly channel: ChannelName;
  readonly category: string;
  /** Of a test key. */
  readonly test?: boolean;
  /** Of its campaign. */
  readonly frequencyCap?: AcceptedMessage['frequency_cap'];
  /** Gates that its journey makes it pass. */
  readonly passes?: AcceptedMessage['passes'];
  /** Keys of the addresses of its copies. */
  readonly copyKeys?: readonly string[];
  /** The accepted message, if no later event of it is known. */
  readonly item?: BatchItem;
  /** Whether the message has its own stream; otherwise it is only in its batch. */
  readonly hasStream: boolean;
  readonly carrier: string;
  readonly epoch: number;
  readonly on_unknown_outcome: 'retry' | 'fail';
}

/** Takes a due message for dispatch: checks the gates again and records that the dispatch starts. */
export const startDispatch = internalCommand({
  name: 'TakeMessage',

  async handle(
    {
      id,
      toKey,
      channel,
      category,
      test = false,
      copyKeys = [],
      frequencyCap,
      passes = [],
      item,
      hasStream,
      carrier,
      epoch,
      on_unknown_outcome,
    }: StartDispatch,
    context,
  ): Promise<DecideResult<Message>> {
    const acceptance = item && acceptanceOfItem(item);
    const loaded = acceptance ? (hasStream ? justAccepted(acceptance) : null) : await loadAddressed({ id, channel, test }, context);
    const accepted = acceptance?.accepted ?? (loaded && loaded.state.status !== 'new' ? loaded.state.accepted : null);
    const to = accepted?.to ?? null;
    const copies = (accepted?.copies ?? []).filter(({ key }) => copyKeys.includes(key));
    const [{ refused, wait_until, settle }, left_out] = await Promise.all([
      checkDispatchGates({ id, toKey, to, channel, category, test, frequency_cap: frequencyCap, passes }, context),
      refusedCopies(test ? [] : copies, { channel, category }, context),
    ]);
    const command = {
      type: 'StartDispatch',
      carrier,
      epoch,
      refused,
      wait_until,
      left_out,
      on_unknown_outcome,
      now: context.now,
      ...(!hasStream && { acceptance }),
    } as const;
    const known = loaded ? { loaded } : { assumeNew: acceptance !== undefined };
    const started = await context.decide(withPeerKey(context), messageStream(id), command, { cached: true, ...known });
    await settle(started.state.status === 'sending');
    return started;
  },
});

/** A message with a stream of its own whose gates ask for more than the key of its recipient; null where they do not. */
async function loadAddressed(
  { id, channel, test }: Required<Pick<StartDispatch, 'id' | 'channel' | 'test'>>,
  { log }: Pick<Context, 'log'>,
): Promise<{ state: Message; revision: number } | null> {
  if (channels[channel].address === 'contact' || test) return null;
  const { state, revision } = await loadAggregate(log, message, messageStream(id));
  return { state, revision };
}

/** Starts name the recipient by its key: a receipt, and an answer to the message, may come while the answer of the carrier is lost. */
const withPeerKey = ({ addresses }: Pick<Context, 'addresses'>) => ({
  ...message,
  decide: (command: Extract<MessageCommand, { type: 'StartDispatch' }>, state: Message) => {
    const accepted = state.status === 'new' ? command.acceptance?.accepted : state.accepted;
    return message.decide({ ...command, ...(accepted && peerKeysOf(addresses, accepted, command.carrier)) }, state);
  },
});

/** The copies that the gate refuses now, by the keys of their addresses. The domain of each is asked for, too; an erased address has none. */
async function refusedCopies(
  copies: readonly Copy[],
  about: { readonly channel: ChannelName; readonly category: string },
  context: Pick<Context, 'log' | 'ports' | 'addresses' | 'cause'>,
): Promise<LeftOut[]> {
  if (copies.length === 0) return [];
  const recipients = await openRecipients(context.log, copies);
  const refusals = await Promise.all(
    copies.map(({ key }, i) => {
      const address = recipients[i]?.address;
      const domains = address === undefined ? [] : domainKeys({ channel: about.channel, to: address }, context);
      return firstRefusal([key, ...domains], (toKey) => refusalBySuppression({ toKey, ...about, at: 'hand_over' }, context));
    }),
  );
  return copies.flatMap(({ key }, i) => (refusals[i] ? [{ key, refused: refusals[i] }] : []));
}

/** The state right after acceptance. If there are later events, the append conflicts and the stream is loaded. */
function justAccepted(acceptance: Acceptance): { state: Message; revision: number } {
  const events = message.decide(
    { type: 'Accept', acceptance: { ...acceptance, refused: null }, now: acceptance.accepted.created_at },
    message.initial,
  );
  return { state: fold(message, events), revision: 0 };
}
