import type { ChannelName } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import type { BatchItem } from '../../domain/messages/batch.js';
import { type Acceptance, type Message, message, messageStream } from '../../domain/messages/message.js';
import { type DecideResult, internalCommand } from '../kernel.js';
import { acceptanceOfItem } from './acceptance.js';
import { checkHandOverGates } from './gates.js';

export interface TakeMessage {
  readonly id: string;
  readonly toKey: string;
  readonly channel: ChannelName;
  readonly category: string;
  /** The accepted message, if no later event of it is known. */
  readonly item?: BatchItem;
  /** Whether the message has its own stream; otherwise it is only in its batch. */
  readonly hasStream: boolean;
  readonly carrier: string;
  readonly epoch: number;
  readonly on_unknown_outcome: 'retry' | 'fail';
}

/** Takes a due message for hand-over: checks the gates again and records that the hand-over starts. */
export const takeMessage = internalCommand({
  name: 'TakeMessage',

  async handle(
    { id, toKey, channel, category, item, hasStream, carrier, epoch, on_unknown_outcome }: TakeMessage,
    context,
  ): Promise<DecideResult<Message>> {
    const { refused, wait_until, settle } = await checkHandOverGates({ id, toKey, channel, category }, context);
    const acceptance = item && acceptanceOfItem(item);
    const take = {
      type: 'Take',
      carrier,
      epoch,
      refused,
      wait_until,
      on_unknown_outcome,
      now: context.now,
      ...(!hasStream && { acceptance }),
    } as const;
    const taken = await context.decide(
      message,
      messageStream(id),
      take,
      acceptance && hasStream ? { cached: true, loaded: justAccepted(acceptance) } : { cached: true, assumeNew: acceptance !== undefined },
    );
    await settle(taken.state.status === 'sending');
    return taken;
  },
});

/** The state right after acceptance. If there are later events, the append conflicts and the stream is loaded. */
function justAccepted(acceptance: Acceptance): { state: Message; revision: number } {
  const events = message.decide(
    { type: 'Accept', acceptance: { ...acceptance, refused: null }, now: acceptance.accepted.created_at },
    message.initial,
  );
  return { state: fold(message, events), revision: 0 };
}
