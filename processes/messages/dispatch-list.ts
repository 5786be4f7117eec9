/** The to-do list of the dispatch: how events become to-dos. */
import { NO_SENDER } from '../../carriers/runtime/carrier.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Doc, Partition, PartitionKeys } from '../../domain/kernel/ports.js';
import type { SealedBatchEvent, SealedBatchItem } from '../../domain/messages/batch.js';
import { type BatchDispatchEvent, type DispatchGroup, groupName } from '../../domain/messages/batch-dispatch.js';
import { type Category, messageIdOf, type SealedMessageEvent, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, Priority, ReactionMemory, Reads, Todo } from '../runtime/process-manager.js';

/** A message that is to be handed to a carrier. The lane is its channel; messages of a bulk come after single ones, marketing last. */
export interface DispatchTodo extends Todo {
  readonly correlation: string;
  readonly to_key: string;
  readonly channel: ChannelName;
  readonly category: Category;
  readonly expires_at?: string;
  /** Of a test key. */
  readonly test?: boolean;
  /** Keys of the addresses of copies that passed the gate at acceptance. */
  readonly copy_keys?: readonly string[];
  /** The accepted message, sealed, until its first dispatch; saves a read. */
  readonly item?: SealedBatchItem;
  /** The carrier of its last dispatch. After one with an unknown outcome no other is called. */
  readonly last?: { readonly carrier: string; readonly unknown: boolean };
  /**
   * Its carrier is misconfigured: until when it waits for that at most, and when it is tried again if no event reports earlier that the
   * settings are corrected. `message`: the message itself lacks a setting, and other messages of the carrier may not.
   */
  readonly waits?: { readonly until: string; readonly retry_at: string; readonly by: 'carrier' | 'message' };
  /** Of a campaign, which may be paused. */
  readonly campaign_id?: string;
  readonly frequency_cap?: SealedBatchItem['frequency_cap'];
  /** Gates that its journey makes it pass. */
  readonly passes?: SealedBatchItem['passes'];
  /** Whether the message has its own stream; otherwise it is only in its batch. */
  readonly begun: boolean;
}

/** The messages of a chunk that have one channel and category and are dispatched together. */
export interface ChunkTodo extends Todo, DispatchGroup {
  readonly correlation: string;
  readonly batch_id: string;
  /** Of the batch. */
  readonly chunks: number;
  /** The number of its messages. */
  readonly count: number;
  /** Of its first message: all messages of a campaign's batch are of the campaign. */
  readonly campaign_id?: string;
}

export type AnyDispatchTodo = DispatchTodo | ChunkTodo;
export const isChunk = (todo: AnyDispatchTodo): todo is ChunkTodo => 'chunk' in todo;

/** A chunk of a batch that is not accepted yet. */
interface ChunkNote extends Doc {
  /** Messages that are dispatched by themselves. */
  readonly items: readonly SealedBatchItem[];
  readonly groups: readonly (DispatchGroup & { readonly count: number; readonly due_at: number; readonly campaign_id?: string })[];
}

export type DispatchEvent = SealedMessageEvent | SealedBatchEvent | Extract<BatchDispatchEvent, { type: 'BulkDispatchEnded' }>;

export const handledEvents = [
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

/** By message, and by chunk. A chunk has messages of other partitions that are dispatched by themselves: each partition notes its own. */
export function dispatchPartitionsOf({ event, stream }: LogEvent<DispatchEvent>): PartitionKeys {
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

export function dispatchReads({ event, stream, revision }: LogEvent<DispatchEvent>, partition: Partition): Reads {
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

export function furtherDispatchReads({ event }: LogEvent<DispatchEvent>, memory: ReactionMemory<AnyDispatchTodo>): Reads {
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

export function reactToDispatchEvent(stored: LogEvent<DispatchEvent>, memory: ReactionMemory<AnyDispatchTodo>): readonly Intention[] {
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

/** The items that are not dispatched by themselves, by their index in the chunk. */
export function itemsTogether({ items, alone }: Pick<Chunk, 'items' | 'alone'>): Map<number, SealedBatchItem> {
  const byThemselves = new Set(alone);
  return new Map([...items.entries()].filter(([index]) => !byThemselves.has(index)));
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
