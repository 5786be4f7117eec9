import type { Carrier, CarrierRouting, HandOver, OutgoingMessage } from '../../carriers/kernel.js';
import { dropMessage } from '../../commands/messages/drop-message.js';
import { type HandOverRecord, recordHandOver } from '../../commands/messages/record-hand-over.js';
import { takeMessage } from '../../commands/messages/take-message.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Checkpoint, Doc } from '../../domain/kernel/ports.js';
import type { BatchItem, SealedBatchEvent, SealedBatchItem } from '../../domain/messages/batch.js';
import { type Accepted, type Category, type KnownMessage, messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { ON_UNKNOWN_OUTCOME } from '../../domain/messages/retries.js';
import type { LogEvent } from '../../log/log-event.js';
import { type Intention, type LoadedState, type PerformContext, type Priority, type ProcessManager, performEach, type Todo } from '../kernel.js';
import { LoadedContents } from './loaded-contents.js';

/** A message that is to be handed to a carrier. The lane is its channel; messages of a bulk come after single ones, marketing last. */
export interface DispatchTodo extends Todo {
  readonly correlation: string;
  readonly to_key: string;
  readonly channel: ChannelName;
  readonly category: Category;
  readonly expires_at?: string;
  /** The accepted message, sealed, until its first hand-over; saves a read. */
  readonly item?: SealedBatchItem;
  /** Whether the message has its own stream; otherwise it is only in its batch. */
  readonly begun: boolean;
}

interface ChunkNote extends Doc {
  readonly items: readonly SealedBatchItem[];
}

type DispatchEvent = SealedMessageEvent | SealedBatchEvent;

export interface DispatchOptions {
  readonly routes: CarrierRouting;
  /** Adds to a message, such as an unsubscribe link. Deterministic. */
  readonly complete?: (message: OutgoingMessage, addressKey: string) => OutgoingMessage;
  /** The account's choice if the outcome of a call is unknown. */
  readonly onUnknownOutcome?: (account: string, category: Category) => Promise<'retry' | 'fail'>;
  readonly onHandOver?: (channel: ChannelName, carrier: string, outcome: HandOver['outcome'] | 'unknown', ms: number) => void;
}

type DispatchParts = DispatchOptions & { readonly contents: LoadedContents };

/** Hands due messages to carriers, with retries after transient errors. */
export function dispatchMessages(parts: DispatchOptions): ProcessManager<DispatchEvent, DispatchTodo> {
  const answers = new UnrecordedResults();
  const contents = new LoadedContents();
  return {
    name: 'messages/dispatch',
    version: 2,
    handles: [
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
    ],
    concurrency: { lane: 256, total: 1_024 },
    reads: ({ event, stream, revision }) => {
      if (event.type === 'BulkChunkAccepted') return { notes: [chunkId(event.data.batch_id, event.data.chunk)] };
      if (event.type === 'BulkAccepted') return { notes: chunkIds(event.data) };
      const begins = (event.type === 'MessageQueued' || event.type === 'MessageScheduled') && revision === 0;
      return { todos: [messageIdOf(stream)], fresh: begins && event.data.batch_id === undefined };
    },
    readsMore: ({ event }, memory) => (event.type === 'BulkAccepted' ? { todos: itemsOf(event.data, memory).map(({ id }) => id) } : {}),
    react,
    perform: performEach((todo, performing) => handOver(todo, performing, { ...parts, contents }, answers)),
    drop,
  };
}

const chunkId = (batchId: string, chunk: number): string => `${batchId}/${chunk}`;
const chunkIds = ({ batch_id, chunks }: { batch_id: string; chunks: number }): string[] =>
  Array.from({ length: chunks }, (_, i) => chunkId(batch_id, i));
const itemsOf = (accepted: { batch_id: string; chunks: number }, memory: LoadedState<DispatchTodo>): SealedBatchItem[] =>
  chunkIds(accepted).flatMap((id) => memory.note<ChunkNote>(id)?.items ?? []);

function react(stored: LogEvent<DispatchEvent>, memory: LoadedState<DispatchTodo>): readonly Intention[] {
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
    case 'MessageDispatchDeferred': {
      const { item: _, ...todo } = memory.todo(id) ?? {};
      if (!('id' in todo)) return [{ do: 'ignore', reason: 'nothing_to_dispatch' }];
      const expires = todo.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(todo.expires_at);
      return [schedule({ ...todo, begun: true, due_at: Math.min(Date.parse(event.data.retry_at), expires) })];
    }
    case 'BulkChunkAccepted':
      return [{ do: 'store-note', note: { id: chunkId(event.data.batch_id, event.data.chunk), items: event.data.items } }];
    case 'BulkAccepted':
      return [
        ...itemsOf(event.data, memory).map((item) => schedule({ ...todoOf(item, true), ...from, begun: false })),
        ...chunkIds(event.data).map((id) => ({ do: 'delete-note', id }) as const),
      ];
    default:
      return [{ do: 'cancel', id }];
  }
}

const schedule = (todo: DispatchTodo): Intention => ({ do: 'schedule', todo });

function todoOf(item: SealedBatchItem, isOfBulk: boolean) {
  const { id, to_key, channel, category, expires_at, send_at, created_at } = item;
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
    item,
  };
}

const priorityOf = (category: Category, isOfBulk: boolean): Priority => (category === 'marketing' ? 2 : isOfBulk ? 1 : 0);

async function drop({ id, account, correlation, item, begun }: DispatchTodo, performing: PerformContext): Promise<Checkpoint> {
  const accepted = !begun && item ? { item: await openItem(item, performing) } : {};
  return (await performing.execute(dropMessage, { id, ...accepted }, { account, correlation, about: `${id}/drop` })).position;
}

interface CarrierResult {
  readonly takenAt: Checkpoint;
  /** The carrier's answer and the message as it was taken; null if no call was needed. */
  readonly record: Pick<HandOverRecord, 'carrier' | 'result' | 'known'> | null;
}

/**
 * Answers of carriers that are not recorded yet: while the log is unavailable, recording is retried and not the hand-over. They
 * are dropped when the epoch changes, because another node may have worked on the message in between.
 */
class UnrecordedResults {
  readonly #answers = new Map<string, CarrierResult>();
  #epoch = 0;

  of(id: string, epoch: number): CarrierResult | undefined {
    if (epoch !== this.#epoch) this.#answers.clear();
    this.#epoch = epoch;
    return this.#answers.get(id);
  }

  keep(id: string, epoch: number, answered: CarrierResult): void {
    if (epoch === this.#epoch) this.#answers.set(id, answered);
  }

  drop(id: string): void {
    this.#answers.delete(id);
  }
}

async function handOver(todo: DispatchTodo, performing: PerformContext, parts: DispatchParts, answers: UnrecordedResults): Promise<Checkpoint> {
  const { id, account, correlation } = todo;
  const { epoch } = performing;
  const answered = answers.of(id, epoch) ?? (await takeAndCall(todo, performing, parts));
  if (!answered.record) return answered.takenAt;
  answers.keep(id, epoch, answered);
  const recorded = await performing.execute(
    recordHandOver,
    { id, ...answered.record },
    { account, correlation, about: `${id}/handed-over/${epoch}` },
  );
  answers.drop(id);
  return recorded.position === 'start' ? answered.takenAt : recorded.position;
}

async function takeAndCall(todo: DispatchTodo, performing: PerformContext, parts: DispatchParts): Promise<CarrierResult> {
  const { id, account, correlation, channel, category } = todo;
  const carrier = parts.routes(channel);
  const on_unknown_outcome = carrier.deduplicates ? 'retry' : ((await parts.onUnknownOutcome?.(account, category)) ?? ON_UNKNOWN_OUTCOME[category]);
  const item = todo.item && (await openItem(todo.item, performing));
  const taken = await performing.execute(
    takeMessage,
    { id, toKey: todo.to_key, channel, category, item, hasStream: todo.begun, carrier: carrier.name, epoch: performing.epoch, on_unknown_outcome },
    { account, correlation, about: `${id}/take/${performing.epoch}` },
  );
  const { state } = taken.output;
  const takenAt = taken.position;
  if (state.status !== 'sending' || taken.output.position === null) return { takenAt, record: null };
  const calling = { ...parts, onUnknownOutcome: async () => on_unknown_outcome };
  const send = (accepted: Accepted) => call(carrier, id, account, { ...state, accepted }, calling, performing);
  const result = await parts.contents.handOver(performing.log, state.accepted, send);
  return { takenAt, record: { carrier: carrier.name, result, known: taken.output } };
}

async function openItem(item: SealedBatchItem, { log }: PerformContext): Promise<BatchItem> {
  const { sealed, ...plain } = item;
  const [open] = await log.openBoxes([sealed]);
  return { ...plain, ...(open ?? log.erased('BulkChunkAccepted')) } as BatchItem;
}

/** Without an answer of the carrier, the account's choice decides whether to retry. */
async function call(
  carrier: Carrier,
  id: string,
  account: string,
  state: KnownMessage,
  parts: DispatchOptions,
  performing: PerformContext,
): Promise<HandOver> {
  const { accepted, attempts } = state;
  const began = performing.clock.monotonic();
  const done = (outcome: HandOver['outcome'] | 'unknown') =>
    parts.onHandOver?.(accepted.channel, carrier.name, outcome, performing.clock.monotonic() - began);
  try {
    const { channel, to, from = null, category, content } = accepted;
    const message: OutgoingMessage = { message_id: id, account, channel, to, from, category, content, attempt: attempts };
    const result = await carrier.send(parts.complete?.(message, accepted.to_key) ?? message, performing.signal);
    done(result.outcome);
    return result;
  } catch (e) {
    done('unknown');
    const error = e instanceof Error ? e.message : String(e);
    if ((await parts.onUnknownOutcome?.(account, accepted.category)) === 'fail') {
      return { outcome: 'lasting_error', reason: 'unknown_outcome', code: null, error };
    }
    return { outcome: 'passing_error', code: 'unknown_outcome', error };
  }
}
