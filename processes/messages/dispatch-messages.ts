/** The dispatch of messages: which events of the log make something due, and who performs it. */
import { NO_SENDER } from '../../carriers/runtime/carrier.js';
import type { Doc, Partition, PartitionKeys } from '../../domain/kernel/ports.js';
import { itemsTogether, type SealedBatchEvent, type SealedBatchItem } from '../../domain/messages/batch.js';
import { type BatchDispatchEvent, type DispatchGroup, groupName } from '../../domain/messages/batch-dispatch.js';
import { type Category, messageIdOf, type SealedMessageEvent, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
import { isHeld } from '../../log/aggregates/campaigns/load-campaign.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type Intention, type Priority, type ProcessManager, performEach, type ReactionMemory, type Reads } from '../runtime/process-manager.js';
import { CarrierCalls, type DispatchOptions } from './call-carrier.js';
import { ChunkDispatches, type ChunkTodo } from './dispatch-chunk.js';
import { type DispatchTodo, dispatchMessage, dropMessageTodo, UnrecordedResults } from './dispatch-message.js';

export type AnyDispatchTodo = DispatchTodo | ChunkTodo;
const isChunk = (todo: AnyDispatchTodo): todo is ChunkTodo => 'chunk' in todo;

/** A chunk of a batch that is not accepted yet. */
interface ChunkNote extends Doc {
  /** Messages that are dispatched by themselves. */
  readonly items: readonly SealedBatchItem[];
  readonly groups: readonly (DispatchGroup & { readonly count: number; readonly due_at: number; readonly campaign_id?: string })[];
}

type DispatchEvent = SealedMessageEvent | SealedBatchEvent | Extract<BatchDispatchEvent, { type: 'BulkDispatchEnded' }>;

const handledEvents = [
  'MessageQueued',
  'MessageScheduled',
  'MessageDispatchStarted',
  'MessageDispatchDeferred',
  'MessageSuppressed',
  'MessageCanceled',
  'MessageExpired',
  'MessageSent',
  'MessageFailed',
  'MessageDelivered',
  'MessageUndelivered',
  'MessageBounced',
  'MessageRepeated',
  'BulkChunkAccepted',
  'BulkAccepted',
  'BulkDispatchEnded',
] as const satisfies readonly DispatchEvent['type'][];

/** How long the messages of a campaign that is paused are put off. */
const HELD_RETRY_MS = 2_000;

/** Hands due messages to carriers, with retries after transient errors. */
export function dispatchMessages(options: DispatchOptions): ProcessManager<DispatchEvent, AnyDispatchTodo> {
  const calls = new CarrierCalls(options);
  const unrecorded = new UnrecordedResults();
  const chunks = new ChunkDispatches(calls);
  return {
    name: 'messages/dispatch',
    version: 5,
    handles: handledEvents,
    list: (plain) => ({ ...plain, isUrgent: true }),
    concurrency: { lane: 256, total: 1_024 },
    weight: (todo) => (isChunk(todo) ? todo.count : 1),
    partitionsOf: dispatchPartitionsOf,
    reads: dispatchReads,
    readsMore: furtherDispatchReads,
    react: reactToDispatchEvent,
    perform: performEach(async (todo, performing) => {
      if (todo.campaign_id !== undefined && (await isHeld(performing.log, todo.campaign_id)))
        return { retry_at: performing.clock.now() + HELD_RETRY_MS };
      return isChunk(todo) ? chunks.dispatch(todo, performing) : dispatchMessage(todo, performing, calls, unrecorded);
    }),
    awaiting: {
      isOver: (todo, now) => isChunk(todo) || calls.isCorrected(todo, now),
      retryAt: (todo) => (isChunk(todo) ? todo.due_at : Date.parse(todo.waits?.retry_at ?? '')),
    },
    drop: (todo, performing) => (isChunk(todo) ? chunks.drop(todo, performing) : dropMessageTodo(todo, performing)),
  };
}

// The to-do list

/** By message, and by chunk. A chunk has messages of other partitions that are dispatched by themselves: each partition notes its own. */
function dispatchPartitionsOf({ event, stream }: LogEvent<DispatchEvent>): PartitionKeys {
  switch (event.type) {
    case 'BulkChunkAccepted':
    case 'BulkAccepted':
      return 'all';
    case 'BulkDispatchEnded':
      return [chunkKey(event.data.batch_id, event.data.chunk)];
    default:
      return [messageIdOf(stream)];
  }
}

function dispatchReads({ event, stream, revision }: LogEvent<DispatchEvent>, partition: Partition): Reads {
  switch (event.type) {
    case 'BulkChunkAccepted':
      return { notes: [noteId(event.data.batch_id, event.data.chunk, partition)] };
    case 'BulkAccepted':
      return { notes: noteIds(event.data, partition) };
    case 'BulkDispatchEnded':
      return { todos: [chunkTodoId(event.data)] };
    default: {
      const begins = (event.type === 'MessageQueued' || event.type === 'MessageScheduled') && revision === 0;
      return { todos: [messageIdOf(stream)], fresh: begins && event.data.batch_id === undefined };
    }
  }
}

function furtherDispatchReads({ event }: LogEvent<DispatchEvent>, memory: ReactionMemory<AnyDispatchTodo>): Reads {
  if (event.type !== 'BulkAccepted') return {};
  const { batch_id } = event.data;
  const notes = notesOf(event.data, memory);
  return {
    todos: notes.flatMap(({ items, groups }) => [...items.map(({ id }) => id), ...groups.map((group) => chunkTodoId({ batch_id, ...group }))]),
  };
}

const chunkKey = (batchId: string, chunk: number): string => `${batchId}/${chunk}`;
const noteId = (batchId: string, chunk: number, { index, count }: Partition): string =>
  count === 1 ? chunkKey(batchId, chunk) : `${chunkKey(batchId, chunk)}/${index}`;
const noteIds = ({ batch_id, chunks }: { batch_id: string; chunks: number }, partition: Partition): string[] =>
  Array.from({ length: chunks }, (_, i) => noteId(batch_id, i, partition));
const chunkTodoId = ({ batch_id, ...group }: DispatchGroup & { readonly batch_id: string }): string => `${batch_id}/${groupName(group)}`;
const notesOf = (accepted: { batch_id: string; chunks: number }, memory: ReactionMemory<AnyDispatchTodo>): ChunkNote[] =>
  noteIds(accepted, memory.partition).flatMap((id) => memory.note<ChunkNote>(id) ?? []);

function reactToDispatchEvent(stored: LogEvent<DispatchEvent>, memory: ReactionMemory<AnyDispatchTodo>): readonly Intention[] {
  const { event, stream, meta } = stored;
  const from = { account: meta.account, correlation: meta.$correlationId };
  const id = messageIdOf(stream);
  switch (event.type) {
    case 'MessageQueued':
    case 'MessageScheduled':
      return [
        schedule({
          ...todoOf({ ...event.data, id }, event.data.batch_id !== undefined),
          ...from,
          begun: true,
          ...(stored.revision > 0 && { item: undefined }),
        }),
      ];
    case 'MessageDispatchStarted':
      return [{ do: 'ignore', reason: 'stays_until_its_outcome' }];
    case 'MessageDispatchDeferred':
      return deferred(memory.todo(id) as DispatchTodo | undefined, event.data);
    case 'BulkChunkAccepted':
      return noteOf(event.data, memory.partition);
    case 'BulkAccepted':
      return acceptedBatch(event.data, from, memory);
    case 'BulkDispatchEnded':
      return [{ do: 'cancel', id: chunkTodoId(event.data) }];
    default:
      return [{ do: 'cancel', id }];
  }
}

type DeferralData = Extract<SealedMessageEvent, { type: 'MessageDispatchDeferred' }>['data'];

function deferred(found: DispatchTodo | undefined, { carrier, code, retry_at, waits }: DeferralData): readonly Intention[] {
  if (!found) return [{ do: 'ignore', reason: 'nothing_to_dispatch' }];
  const { item: _, waits: __, awaits: ___, ...todo } = found;
  const last = todo.last?.unknown ? todo.last : { carrier, unknown: code === UNKNOWN_OUTCOME };
  const until = todo.expires_at ?? waits?.until;
  const due_at = Math.min(Date.parse(retry_at), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until));
  if (!waits) return [schedule({ ...todo, begun: true, last, due_at })];
  const by = code === NO_SENDER ? 'message' : 'carrier';
  const end = until ?? waits.until;
  const awaits = `${todo.priority}/${todo.account}/${todo.channel}/${by}`;
  return [schedule({ ...todo, begun: true, last, waits: { until: end, retry_at, by }, awaits, due_at: Date.parse(end) })];
}

type Chunk = Extract<SealedBatchEvent, { type: 'BulkChunkAccepted' }>['data'];
type AcceptedBatch = Extract<SealedBatchEvent, { type: 'BulkAccepted' }>['data'];

function noteOf({ batch_id, chunk, items, alone }: Chunk, partition: Partition): readonly Intention[] {
  const groups = new Map<string, DispatchGroup & { count: number; due_at: number; campaign_id?: string }>();
  for (const { channel, category, created_at, campaign_id } of itemsTogether({ items, alone }).values()) {
    const name = groupName({ chunk, channel, category });
    const group = groups.get(name) ?? { chunk, channel, category, count: 0, due_at: Date.parse(created_at), ...(campaign_id && { campaign_id }) };
    group.count += 1;
    groups.set(name, group);
  }
  const own = alone.flatMap((index) => items[index] ?? []).filter((item) => partition.owns(item.id));
  const hasChunk = partition.owns(chunkKey(batch_id, chunk));
  if (own.length === 0 && !hasChunk) return [{ do: 'ignore', reason: 'of_other_partitions' }];
  return [{ do: 'store-note', note: { id: noteId(batch_id, chunk, partition), items: own, groups: hasChunk ? [...groups.values()] : [] } }];
}

function acceptedBatch(
  accepted: AcceptedBatch,
  from: Pick<DispatchTodo, 'account' | 'correlation'>,
  memory: ReactionMemory<AnyDispatchTodo>,
): readonly Intention[] {
  const { batch_id, chunks } = accepted;
  const together = ({ count, due_at, ...group }: ChunkNote['groups'][number]): ChunkTodo => ({
    id: chunkTodoId({ batch_id, ...group }),
    due_at,
    priority: priorityOf(group.category, true),
    lane: group.channel,
    batch_id,
    chunks,
    ...group,
    count,
    ...from,
  });
  return [
    ...notesOf(accepted, memory).flatMap(({ items, groups }) => [
      ...items.map((item) => schedule({ ...todoOf(item, true), ...from, begun: false })),
      ...groups.map((group) => schedule(together(group))),
    ]),
    ...noteIds(accepted, memory.partition).map((id) => ({ do: 'delete-note', id }) as const),
  ];
}

const schedule = (todo: AnyDispatchTodo): Intention => ({ do: 'schedule', todo });

function todoOf(item: SealedBatchItem, isOfBulk: boolean) {
  const { id, to_key, channel, category, expires_at, send_at, created_at, copies, test, campaign_id, frequency_cap, passes } = item;
  const due = send_at ?? created_at;
  return {
    id,
    // A message that expires before it is due becomes due at its expiry.
    due_at: Date.parse(expires_at !== undefined && expires_at < due ? expires_at : due),
    priority: priorityOf(category, isOfBulk),
    lane: channel,
    to_key,
    channel,
    category,
    ...(expires_at !== undefined && { expires_at }),
    ...(test && { test }),
    ...(campaign_id && { campaign_id }),
    ...(frequency_cap && { frequency_cap }),
    ...(passes && { passes }),
    ...(copies && { copy_keys: copies.flatMap(({ key, refused }) => (refused === undefined ? [key] : [])) }),
    item,
  };
}

const priorityOf = (category: Category, isOfBulk: boolean): Priority => (category === 'marketing' ? 2 : isOfBulk ? 1 : 0);
