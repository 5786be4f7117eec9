/**
 * A bulk request: its accepted messages in chunks, then the event that completes the batch. Nothing of an
 * incomplete batch is ever sent, so a crash halfway leaves only an unanswered request.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { count, list, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { personalFields, waitReason } from './accepted-fields.js';
import type { BatchDispatchEvent } from './batch-dispatch.js';
import { decisionField } from './gate-decision.js';
import { type Acceptance, MessageQueued } from './message.js';
import { statusReasons } from './status.js';

// Events

/** A message of a batch: the fields of `MessageQueued`, its id, `send_at` if it is scheduled, and the refusal of the gates if any. */
export const batchItem = record({
  ...MessageQueued.schema.properties,
  id: text,
  send_at: optional(time),
  /** Why it is scheduled; by default because the caller set `send_at`. */
  because: optional(waitReason),
  refused: optional(oneOf(...statusReasons)),
  ...decisionField,
});

/**
 * `alone`: the indexes of those items that are dispatched by themselves, each by events of its own stream. The dispatch of all
 * others is recorded in the stream of the batch (see batch-dispatch.ts).
 */
export const BulkChunkAccepted = eventType(
  'BulkChunkAccepted',
  record({ batch_id: text, chunk: count, alone: list(count), items: list(batchItem) }),
  { version: 12, personal: { ...personalFields, each: 'items' } },
);
export const BulkAccepted = eventType(
  'BulkAccepted',
  record({ batch_id: text, chunks: count, received: count, accepted: count, rejected: count, at: time }),
);

export const batchEvents = [BulkChunkAccepted, BulkAccepted] as const;
export type BatchEvent = EventOf<(typeof batchEvents)[number]>;
export type SealedBatchEvent = SealedEventOf<(typeof batchEvents)[number]>;
export type BatchItem = EventOf<typeof BulkChunkAccepted>['data']['items'][number];
export type SealedBatchItem = SealedEventOf<typeof BulkChunkAccepted>['data']['items'][number];

type AcceptanceOf<Item> = Omit<Acceptance, 'accepted'> & { readonly accepted: Omit<Item, 'id' | 'send_at' | 'because' | 'refused' | 'decision'> };

/** How a message of a batch begins its own stream. Of a sealed item, its events have the box of the batch: nothing is encrypted again. */
export function acceptanceOfItem<Item extends BatchItem | SealedBatchItem>({
  id: _,
  send_at,
  because,
  refused,
  decision,
  ...accepted
}: Item): AcceptanceOf<Item> {
  const refusal = refused === undefined ? null : { reason: refused, ...(decision && { decision }) };
  return { accepted, send_at: send_at ?? null, ...(because && { because }), refused: refusal };
}

// State

export type Batch = { readonly status: 'incomplete'; readonly chunks: number } | { readonly status: 'accepted'; readonly chunks: number };

export function evolve(batch: Batch, event: BatchEvent | BatchDispatchEvent): Batch {
  switch (event.type) {
    case 'BulkChunkAccepted':
      return { status: 'incomplete', chunks: batch.chunks + 1 };
    case 'BulkAccepted':
      return { status: 'accepted', chunks: event.data.chunks };
    case 'BulkDispatchStarted':
    case 'BulkDispatchReturned':
    case 'BulkDispatchEnded':
    case 'BulkItemCanceled':
      return batch;
    default:
      return event satisfies never;
  }
}

// Commands

export type BatchCommand =
  /** `ownIds`: ids of items that are not of this batch alone. */
  | { type: 'AcceptChunk'; batch_id: string; chunk: number; items: BatchItem[]; ownIds?: readonly string[] }
  | { type: 'Accept'; batch_id: string; received: number; accepted: number; rejected: number; now: string };

export function decide(command: BatchCommand, batch: Batch): readonly BatchEvent[] {
  if (batch.status === 'accepted') return [];
  switch (command.type) {
    case 'AcceptChunk':
      return command.chunk < batch.chunks ? [] : [chunkAccepted(command)];
    case 'Accept': {
      const { batch_id, received, accepted, rejected, now } = command;
      return [{ type: 'BulkAccepted', data: { batch_id, chunks: batch.chunks, received, accepted, rejected, at: now } }];
    }
    default:
      return command satisfies never;
  }
}

/** Scheduled, refused and test items go their own way, those that another batch may contain too, and those whose copies pass gates of their own. */
function chunkAccepted({ batch_id, chunk, items, ownIds = [] }: Extract<BatchCommand, { type: 'AcceptChunk' }>): BatchEvent {
  const isAlone = ({ id, send_at, refused, copies, test = false }: BatchItem): boolean =>
    send_at !== undefined || refused !== undefined || test || copies !== undefined || ownIds.includes(id);
  const alone = items.flatMap((item, index) => (isAlone(item) ? [index] : []));
  return { type: 'BulkChunkAccepted', data: { batch_id, chunk, alone, items } };
}

// Stream

export const batchStream = (batchId: string): string => `bulk-${batchId}`;

export const batch: Aggregate<Batch, BatchCommand, BatchEvent> = {
  stream: batchStream,
  events: batchEvents,
  initial: { status: 'incomplete', chunks: 0 },
  evolve,
  decide,
};

/** The items that are not dispatched by themselves, by their index in the chunk. */
export function itemsTogether({
  items,
  alone,
}: Pick<Extract<SealedBatchEvent, { type: 'BulkChunkAccepted' }>['data'], 'items' | 'alone'>): Map<number, SealedBatchItem> {
  const byThemselves = new Set(alone);
  return new Map([...items.entries()].filter(([index]) => !byThemselves.has(index)));
}
