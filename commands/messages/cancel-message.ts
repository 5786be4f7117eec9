import { notFound } from '../../domain/kernel/errors.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { type BatchEvent, batchStream } from '../../domain/messages/batch.js';
import { type KnownMessage, message, messageStream } from '../../domain/messages/message.js';
import { type Context, command } from '../kernel.js';
import { acceptanceOfItem } from './acceptance.js';

/** Cancels a message that is not handed over yet. Repeating it changes nothing. */
export const cancelMessage = command({
  name: 'CancelMessage',
  input: record({ id: text, batch_id: nullable(text) }),

  async handle({ id, batch_id }, context): Promise<{ id: string; status: KnownMessage['status'] }> {
    const stream = messageStream(id);
    const hasStream = batch_id === null || (await context.log.readSealed(stream, { limit: 1 })) !== null;
    const acceptance = hasStream ? undefined : await acceptanceInBatch(id, batch_id, context);
    const { state } = await context.decide(message, stream, { type: 'Cancel', now: context.now, acceptance });
    if (state.status === 'new') throw notFound('message', id);
    return { id, status: state.status };
  },
});

async function acceptanceInBatch(id: string, batchId: string, { log }: Context) {
  const events = (await log.read<BatchEvent>(batchStream(batchId))) ?? [];
  for (const { event } of events) {
    const item = event.type === 'BulkChunkAccepted' && event.data.items.find((i) => i.id === id);
    if (item) return acceptanceOfItem(item);
  }
  throw notFound('message', id);
}
