import { acceptanceOfItem, type BatchItem } from '../../domain/messages/batch.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { internalCommand } from '../runtime/command.js';

/** Ends a message that an operator gives up as `failed`. `item`: the accepted message, if it is only in its batch. */
export const dropMessage = internalCommand({
  name: 'DropMessage',

  async handle({ id, item }: { readonly id: string; readonly item?: BatchItem }, context): Promise<void> {
    const acceptance = item && acceptanceOfItem(item);
    await context.decide(message, messageStream(id), { type: 'Drop', now: context.now, ...(acceptance && { acceptance }) });
  },
});
