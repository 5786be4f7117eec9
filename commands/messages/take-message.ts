import Type from 'typebox';
import type { BatchItem } from '../../domain/messages/batch.js';
import { type Message, message, messageStream } from '../../domain/messages/message.js';
import { command, type Decided } from '../kernel.js';
import { openingOf } from './opening.js';

export interface TakeMessage {
  readonly id: string;
  readonly toKey: string;
  readonly channel: string;
  readonly category: string;
  /** The message as its batch accepted it; its stream may not exist yet. */
  readonly item?: BatchItem;
  readonly carrier: string;
  readonly epoch: number;
  readonly on_unknown_outcome: 'retry' | 'fail';
}

/** A dispatcher takes a due message: asks the gates once more, and puts into the log that the hand-over begins. */
export const takeMessage = command({
  name: 'TakeMessage',
  input: Type.Unsafe<TakeMessage>(Type.Object({})),

  async handle({ id, toKey, channel, category, item, carrier, epoch, on_unknown_outcome }, context): Promise<Decided<Message>> {
    const refused = await context.policy.refusal({ toKey, channel, category });
    const opening = item && openingOf(item);
    return context.decide(message, messageStream(id), { type: 'Take', carrier, epoch, refused, on_unknown_outcome, now: context.now, opening });
  },
});
