import { batchStream } from '../../domain/messages/batch.js';
import { batchDispatch, type DispatchGroup } from '../../domain/messages/batch-dispatch.js';
import { type LoadedBatchDispatch, loadBatchDispatch } from '../../log/aggregates/messages/load-batch.js';
import { toExpected } from '../runtime/append.js';
import { internalCommand } from '../runtime/command.js';

export interface EndBulkDispatch {
  readonly known: LoadedBatchDispatch;
  readonly group: DispatchGroup;
  readonly epoch: number;
  /** Every message has its record; or the dispatcher stops, and what has no record is not called. */
  readonly how: 'all_recorded' | 'stopped';
}

/** Records the end of a dispatch of messages of a chunk. */
export const endBulkDispatch = internalCommand({
  name: 'EndBulkDispatch',

  async handle({ known, group, epoch, how }: EndBulkDispatch, context): Promise<void> {
    const { batch } = known;
    const stream = batchStream(batch.batch_id);
    const type = how === 'all_recorded' ? 'End' : 'Return';
    await context.exclusively([stream], () =>
      context.attempt(
        async () => (await loadBatchDispatch(context.log, batch.batch_id, known)) ?? known,
        ({ state, revision }) => {
          const events = batchDispatch.decide({ type, batch, group, epoch, now: context.now }, state);
          return { appends: events.length === 0 ? [] : [{ stream, expected: toExpected(revision), events }], result: undefined };
        },
      ),
    );
  },
});
