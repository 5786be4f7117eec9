import { notFound } from '../../domain/kernel/errors.js';
import { count, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { acceptanceOfItem, batchStream } from '../../domain/messages/batch.js';
import { type BatchPlace, batchDispatch } from '../../domain/messages/batch-dispatch.js';
import { type KnownMessage, messageStream, type SealedAcceptance, sealedMessage } from '../../domain/messages/message.js';
import { type FoundItem, findBatchItem, loadBatchDispatch } from '../../log/aggregates/messages/load-batch.js';
import { toExpected } from '../runtime/append.js';
import { type Context, command } from '../runtime/command.js';

/**
 * Cancels a message that is not dispatched yet. Repeating it changes nothing. One that is dispatched with its batch is first
 * canceled in the stream of the batch, to which its dispatch must append too.
 */
export const cancelMessage = command({
  name: 'CancelMessage',
  /** `batch_index`: the index of the message in the request of its batch; without it all chunks are searched. */
  input: record({ id: text, batch_id: nullable(text), batch_index: optional(count) }),

  async handle({ id, batch_id, batch_index }, context): Promise<{ id: string; status: KnownMessage['status'] }> {
    const stream = messageStream(id);
    const hasStream = batch_id === null || (await context.log.readSealed(stream, { limit: 1 })) !== null;
    const acceptance = hasStream ? undefined : await cancelInBatch(id, batch_id, batch_index, context);
    const { state } = await context.decide(sealedMessage, stream, { type: 'Cancel', now: context.now, acceptance }, { sealed: true });
    if (state.status === 'new') throw notFound('message', id);
    return { id, status: state.status };
  },
});

/** Returns the acceptance of the message, with which its own stream begins. */
async function cancelInBatch(id: string, batchId: string, batchIndex: number | undefined, context: Context): Promise<SealedAcceptance> {
  const loaded = await loadBatchDispatch(context.log, batchId);
  const found = loaded && (await findBatchItem(context.log, loaded.batch, id, batchIndex));
  if (!found) throw notFound('message', id);
  if (!found.isAlone) await recordCancel(loaded.batch, found, context);
  return acceptanceOfItem(found.item);
}

async function recordCancel(batch: BatchPlace, { chunk, index, item }: FoundItem, context: Context): Promise<void> {
  const stream = batchStream(batch.batch_id);
  const command = { type: 'CancelItem', batch, chunk: chunk.event.data.chunk, index, message_id: item.id, now: context.now } as const;
  await context.exclusively([stream], () =>
    context.attempt(
      () => loadBatchDispatch(context.log, batch.batch_id),
      (loaded) => {
        if (!loaded) throw notFound('message', item.id);
        const events = batchDispatch.decide(command, loaded.state);
        return { appends: events.length === 0 ? [] : [{ stream, expected: toExpected(loaded.revision), events }], result: undefined };
      },
    ),
  );
}
