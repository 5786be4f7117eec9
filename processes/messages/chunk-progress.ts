import type { SealedBatchItem } from '../../domain/messages/batch.js';
import { batchDispatch, coversIndex, rangesOf } from '../../domain/messages/batch-dispatch.js';
import { type InterruptedDispatch, interruptedDispatch } from '../../domain/messages/interrupted-dispatch.js';
import { messageStream } from '../../domain/messages/message.js';
import { type LoadedBatchDispatch, loadBatchDispatch, loadChunk } from '../../log/aggregates/messages/load-batch.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type ChunkTodo, itemsTogether } from './dispatch-list.js';

/** Where the dispatch of the messages of a chunk stands. */
export interface ChunkProgress {
  readonly dispatch: LoadedBatchDispatch;
  /** All messages of the to-do, by their index in the chunk, ascending. */
  readonly items: ReadonlyMap<number, SealedBatchItem>;
  /** Started by an earlier dispatcher and not recorded. */
  readonly interrupted: InterruptedDispatch;
  /** Not started and not recorded: before the last one that an earlier dispatcher dealt with, and after it. */
  readonly fresh: { readonly skipped: readonly number[]; readonly next: readonly number[] };
}

const READS_AT_ONCE = 32;

export async function loadChunkProgress(todo: ChunkTodo, log: EventLog): Promise<ChunkProgress> {
  const { batch_id, chunks, chunk, channel, category } = todo;
  const batch = { batch_id, chunks };
  const known = { batch, state: batchDispatch.initial, revision: chunks };
  const dispatch = (await loadBatchDispatch(log, batch_id, known)) ?? known;
  const stored = await loadChunk(log, batch_id, chunk);
  const together = [...itemsTogether(stored.event.data)].filter(([, item]) => item.channel === channel && item.category === category);
  const ranges = rangesOf(dispatch.state, todo);
  const end = Math.max(0, ...ranges.map(({ from, count }) => from + count));
  const seen = together.filter(([index]) => index < end);
  const recorded = await recordedOf(seen, log);
  const skipped = seen.flatMap(([index]) => (recorded.has(index) || ranges.some((range) => coversIndex(range, index)) ? [] : [index]));
  const next = together.flatMap(([index]) => (index < end ? [] : [index]));
  return {
    dispatch,
    items: new Map(together),
    interrupted: interruptedDispatch(ranges, (index) => recorded.has(index)),
    fresh: { skipped, next },
  };
}

/** The indexes of those messages that have a stream of their own. */
export async function recordedOf(items: readonly (readonly [number, SealedBatchItem])[], log: EventLog): Promise<ReadonlySet<number>> {
  const recorded = new Set<number>();
  for (let n = 0; n < items.length; n += READS_AT_ONCE) {
    const part = items.slice(n, n + READS_AT_ONCE);
    const streams = await Promise.all(part.map(([, { id }]) => log.readSealed(messageStream(id), { limit: 1 })));
    for (const [i, [index]] of part.entries()) if (streams[i]) recorded.add(index);
  }
  return recorded;
}
