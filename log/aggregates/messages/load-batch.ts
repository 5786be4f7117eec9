import { fold } from '../../../domain/kernel/decider.js';
import { type BatchItem, batchStream, itemsTogether, type SealedBatchEvent, type SealedBatchItem } from '../../../domain/messages/batch.js';
import {
  type BatchDispatch,
  type BatchDispatchEvent,
  type BatchPlace,
  batchDispatch,
  coversIndex,
  type DispatchGroup,
  rangesOf,
} from '../../../domain/messages/batch-dispatch.js';
import { type InterruptedDispatch, interruptedDispatch } from '../../../domain/messages/interrupted-dispatch.js';
import { messageStream } from '../../../domain/messages/message.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { LogEvent } from '../../runtime/log-event.js';

/** The dispatch of a batch at a revision of its stream. */
export interface LoadedBatchDispatch {
  readonly batch: BatchPlace;
  readonly state: BatchDispatch;
  readonly revision: number;
}

const FOLD = 'batch-dispatch';
/** Streams of messages that are read at the same time. */
const READS_AT_ONCE = 32;

/**
 * The dispatch of an accepted batch. Reads none of its chunks, and only what follows `known` or the state that was kept last. Null
 * where the batch is not accepted.
 */
export async function loadBatchDispatch(log: EventLog, batchId: string, known?: LoadedBatchDispatch): Promise<LoadedBatchDispatch | null> {
  const stream = batchStream(batchId);
  const recent = log.aggregateCache?.get(FOLD, stream)?.state as LoadedBatchDispatch | undefined;
  const kept = recent && recent.revision > (known?.revision ?? -1) ? recent : known;
  const chunks = kept?.batch.chunks ?? (await numberOfChunks(log, stream));
  if (chunks === null) return null;
  const from = kept?.revision ?? chunks;
  const later = ((await log.readSealed(stream, { from: from + 1 })) ?? []) as LogEvent<BatchDispatchEvent>[];
  const state = fold(
    batchDispatch,
    later.map(({ event }) => event),
    kept?.state,
  );
  const loaded = { batch: { batch_id: batchId, chunks }, state, revision: from + later.length };
  const [last] = later.slice(-1);
  if (last) log.aggregateCache?.set(FOLD, stream, { state: loaded, revision: loaded.revision, account: last.meta.account });
  return loaded;
}

/** From the last event of the stream: every event after the chunks has their number. */
async function numberOfChunks(log: EventLog, stream: string): Promise<number | null> {
  const [last] = ((await log.readSealed(stream, { backwards: true, limit: 1 })) ?? []) as LogEvent<SealedBatchEvent | BatchDispatchEvent>[];
  return last && last.event.type !== 'BulkChunkAccepted' ? last.event.data.chunks : null;
}

export type StoredChunk = LogEvent<Extract<SealedBatchEvent, { type: 'BulkChunkAccepted' }>>;

/** A chunk with its items sealed. Throws where it does not exist. */
export async function loadChunk(log: EventLog, batchId: string, chunk: number): Promise<StoredChunk> {
  const [stored] = (await log.readSealed(batchStream(batchId), { from: chunk, limit: 1 })) ?? [];
  if (stored?.event.type !== 'BulkChunkAccepted') throw new Error(`chunk ${chunk} of ${batchId} does not exist`);
  return stored as StoredChunk;
}

/** Items with their personal fields opened, in one call. */
export async function openItems(log: EventLog, items: readonly SealedBatchItem[]): Promise<BatchItem[]> {
  const opened = await log.openBoxes(
    items.map(({ sealed }) => sealed),
    'BulkChunkAccepted',
  );
  const erased = log.erased('BulkChunkAccepted');
  return items.map(({ sealed: _, ...plain }, i) => ({ ...plain, ...(opened[i] ?? erased) }) as BatchItem);
}

/** A message of a batch, in its chunk. */
export interface FoundItem {
  readonly chunk: StoredChunk;
  /** In the chunk, from 0. */
  readonly index: number;
  readonly item: SealedBatchItem;
  /** Whether it is dispatched by itself (see BulkChunkAccepted). */
  readonly isAlone: boolean;
}

/** Messages of a chunk whose texts are small. */
const ITEMS_PER_CHUNK = 500;

/**
 * Finds a message by its index in the request (`batch_index`). The items are in that order, so it is a binary search over the
 * chunks, which begins where a chunk of many small messages has it. Without the index all chunks are read. Null where the batch
 * does not have the message.
 */
export async function findBatchItem(log: EventLog, batch: BatchPlace, id: string, batchIndex?: number): Promise<FoundItem | null> {
  const { batch_id, chunks } = batch;
  let [low, high] = [0, chunks - 1];
  let nth = batchIndex === undefined ? 0 : Math.min(high, Math.floor(batchIndex / ITEMS_PER_CHUNK));
  while (low <= high) {
    const chunk = await loadChunk(log, batch_id, nth);
    const { items, alone } = chunk.event.data;
    const index = items.findIndex((one) => one.id === id);
    const item = items[index];
    if (item) return { chunk, index, item, isAlone: alone.includes(index) };
    if (batchIndex !== undefined && (items[0]?.batch_index ?? 0) > batchIndex) high = nth - 1;
    else low = nth + 1;
    nth = batchIndex === undefined ? low : (low + high) >> 1;
  }
  return null;
}

/** Where the dispatch of the messages of a chunk stands that have one channel and category and are dispatched together. */
export interface ChunkProgress {
  readonly dispatch: LoadedBatchDispatch;
  /** All of them, by their index in the chunk, ascending. */
  readonly items: ReadonlyMap<number, SealedBatchItem>;
  /** Started by an earlier dispatcher and not recorded. */
  readonly interrupted: InterruptedDispatch;
  /** Not started and not recorded: before the last one that an earlier dispatcher dealt with, and after it. */
  readonly fresh: { readonly skipped: readonly number[]; readonly next: readonly number[] };
}

/** The progress from the log, whoever made it. */
export async function loadChunkProgress(log: EventLog, { batch_id, chunks, ...group }: BatchPlace & DispatchGroup): Promise<ChunkProgress> {
  const { chunk, channel, category } = group;
  const batch = { batch_id, chunks };
  const known = { batch, state: batchDispatch.initial, revision: chunks };
  const dispatch = (await loadBatchDispatch(log, batch_id, known)) ?? known;
  const stored = await loadChunk(log, batch_id, chunk);
  const together = [...itemsTogether(stored.event.data)].filter(([, item]) => item.channel === channel && item.category === category);
  const ranges = rangesOf(dispatch.state, group);
  const end = Math.max(0, ...ranges.map(({ from, count }) => from + count));
  const seen = together.filter(([index]) => index < end);
  const recorded = await recordedOf(log, seen);
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
export async function recordedOf(log: EventLog, items: readonly (readonly [number, SealedBatchItem])[]): Promise<ReadonlySet<number>> {
  const recorded = new Set<number>();
  for (let n = 0; n < items.length; n += READS_AT_ONCE) {
    const part = items.slice(n, n + READS_AT_ONCE);
    const streams = await Promise.all(part.map(([, { id }]) => log.readSealed(messageStream(id), { limit: 1 })));
    for (const [i, [index]] of part.entries()) if (streams[i]) recorded.add(index);
  }
  return recorded;
}
