import { type Doc, type DocumentRef, type Partition, UNDIVIDED } from '../../domain/kernel/ports.js';
import type { SealedBatchEvent, SealedBatchItem } from '../../domain/messages/batch.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { isTransition, type Transition, transitions } from '../../domain/messages/status.js';
import { recordedAt } from '../../log/aggregates/load-aggregate.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';
import {
  CAMPAIGN_COUNTERS,
  type CountedWhere,
  countClick,
  counterRefs,
  countMessage,
  DAILY_COUNTERS,
  LINK_COUNTERS,
  linkCountersRef,
} from './counters.js';
import { changes, type MessageChangeEvent } from './message-changes.js';
import { type MessageDoc, NO_ENGAGEMENT, type StoredMessage, storedMessage, wholeMessage } from './message-doc.js';
import { type CountedMessage, countStatus, STATUS_COUNTERS, statusCountersRefs } from './status-counters.js';

/** A bulk request. `chunks` hold its messages until the batch counts. */
export interface BatchDoc extends Doc {
  readonly account_id: string;
  readonly received: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly created_at: string;
  /** A live key, a user or the operator has sent it: it is no part of a campaign, and no test. */
  readonly requested: boolean;
}

interface ChunkDoc extends Doc {
  readonly items: readonly SealedBatchItem[];
}

type Event = SealedMessageEvent | SealedBatchEvent;
type BulkChunkAccepted = Extract<SealedBatchEvent, { type: 'BulkChunkAccepted' }>['data'];
type BulkAccepted = Extract<SealedBatchEvent, { type: 'BulkAccepted' }>['data'];
type AcceptanceData = Extract<Event, { type: 'MessageQueued' | 'MessageScheduled' }>['data'];

const MESSAGES = 'messages';
const BATCHES = 'batches';
const CHUNKS = 'chunks';

/** A chunk has messages of many partitions: each keeps its own. */
const chunkId = (batchId: string, chunk: number, { index, count }: Partition): string => `${batchId}/${chunk}${count === 1 ? '' : `/${index}`}`;
const chunkIds = ({ batch_id, chunks }: BulkAccepted, partition: Partition): string[] =>
  Array.from({ length: chunks }, (_, i) => chunkId(batch_id, i, partition));
const ref = (collection: string, id: string): DocumentRef => ({ collection, id });

/** The message history: the current state of every message of every account. */
export const messages: Projection<Event> = {
  name: 'messages',
  version: 10,
  handles: [...(Object.keys(transitions) as (keyof typeof transitions)[]), 'ReceiptIgnored', 'BulkChunkAccepted', 'BulkAccepted'],
  collections: {
    [MESSAGES]: {
      indexes: [
        ['account_id', 'seq'],
        ['account_id', 'status', 'seq'],
        ['account_id', 'status_reason', 'seq'],
        ['account_id', 'channel', 'seq'],
        ['account_id', 'to_key', 'seq'],
        ['account_id', 'contact_id', 'seq'],
        ['account_id', 'campaign_id', 'seq'],
        ['account_id', 'journey_id', 'seq'],
        ['account_id', 'template_id', 'seq'],
        ['account_id', 'batch_id', 'seq'],
        ['account_id', 'batch_id', 'status'],
      ],
      keywords: ['account_id', 'status', 'status_reason', 'channel', 'campaign_id', 'journey_id', 'template_id', 'batch_id'],
      multi: { fields: ['tags'], scope: 'account_id', order: 'seq' },
    },
    [BATCHES]: { indexes: [['account_id', 'requested', 'created_at']] },
    [CHUNKS]: { indexes: [] },
    [CAMPAIGN_COUNTERS]: { indexes: [['campaign_id']] },
    [LINK_COUNTERS]: { indexes: [['campaign_id']] },
    [DAILY_COUNTERS]: { indexes: [['account_id', 'day']] },
    [STATUS_COUNTERS]: { indexes: [['account_id', 'day']] },
  },

  /** By message; a batch belongs to the partition of its id. */
  partitionsOf: ({ event, stream }) => (event.type === 'BulkChunkAccepted' || event.type === 'BulkAccepted' ? 'all' : [messageIdOf(stream)]),

  reads({ event, stream, revision }, partition) {
    switch (event.type) {
      case 'BulkChunkAccepted':
        return [ref(CHUNKS, chunkId(event.data.batch_id, event.data.chunk, partition))];
      case 'BulkAccepted': {
        const { batch_id } = event.data;
        return [...(partition.owns(batch_id) ? [ref(BATCHES, batch_id)] : []), ...chunkIds(event.data, partition).map((id) => ref(CHUNKS, id))];
      }
      case 'MessageQueued':
      case 'MessageScheduled':
        // Only messages of a batch have a document before their stream exists.
        return [{ ...ref(MESSAGES, messageIdOf(stream)), fresh: revision === 0 && event.data.batch_id === undefined }];
      default:
        return [ref(MESSAGES, messageIdOf(stream))];
    }
  },

  readsMore: (stored, view) => {
    const { event } = stored;
    const day = dayOf(stored);
    if (event.type === 'BulkAccepted') {
      const items = itemsOf(event.data, view);
      const counters = items.flatMap((item) => countersOf(countedItem(item, stored.meta.account), day, view.partition));
      return [...items.map(({ id }) => ref(MESSAGES, id)), ...counters];
    }
    return event.type === 'BulkChunkAccepted' ? [] : countersOfMessage({ ...stored, event }, day, view);
  },

  apply(stored, view) {
    const { event } = stored;
    switch (event.type) {
      case 'BulkChunkAccepted':
        return keepChunk(event.data, view);
      case 'BulkAccepted':
        return acceptBatch(stored, event.data, view);
      default:
        return applyToMessage(stored, event, view);
    }
  },
};

/** The day (UTC) that an event counts for. */
const dayOf = (stored: LogEvent): string => recordedAt(stored).slice(0, 'YYYY-MM-DD'.length);

type CountedItem = CountedWhere & CountedMessage;

/** The documents that count a message, for what happens on a day. */
const countersOf = (of: CountedItem, day: string, partition: Partition): DocumentRef[] => [
  ...counterRefs(of, day, partition),
  ...statusCountersRefs(of, partition),
];

const countedItem = (
  { channel, campaign_id, test, created_at, tags }: Pick<AcceptanceData, 'channel' | 'campaign_id' | 'test' | 'created_at' | 'tags'>,
  account_id: string,
): CountedItem => ({ account_id, channel, campaign_id: campaign_id ?? null, test: test ?? false, created_at, tags: tags ?? [] });

function countersOfMessage({ event, stream, meta }: LogEvent<Event>, day: string, view: View): DocumentRef[] {
  const known = view.get<StoredMessage>(MESSAGES, messageIdOf(stream));
  if (known) {
    const whole = wholeMessage(known);
    const links =
      event.type === 'MessageClicked' && whole.campaign_id !== null ? [linkCountersRef(whole.campaign_id, event.data, view.partition)] : [];
    return [...countersOf(whole, day, view.partition), ...links];
  }
  const opens = event.type === 'MessageQueued' || event.type === 'MessageScheduled';
  return opens ? countersOf(countedItem(event.data, meta.account), day, view.partition) : [];
}

function keepChunk({ batch_id, chunk, items }: BulkChunkAccepted, view: View): void {
  const { partition } = view;
  const own = partition.count === 1 ? items : items.filter(({ id }) => partition.owns(id));
  if (own.length > 0) view.put(CHUNKS, { id: chunkId(batch_id, chunk, partition), items: own } satisfies ChunkDoc);
}

const itemsOf = (accepted: BulkAccepted, view: View): SealedBatchItem[] =>
  chunkIds(accepted, view.partition).flatMap((id) => view.get<ChunkDoc>(CHUNKS, id)?.items ?? []) as SealedBatchItem[];

function acceptBatch(stored: LogEvent<Event>, data: BulkAccepted, view: View): void {
  for (const item of itemsOf(data, view)) {
    if (view.get(MESSAGES, item.id)) continue;
    const doc = opened(stored, item.id, item, item.send_at ?? null, item.batch_index ?? 0);
    put(view, undefined, item.refused ? { ...doc, status: 'suppressed', status_reason: item.refused } : doc, dayOf(stored));
  }
  for (const id of chunkIds(data, view.partition)) view.remove(CHUNKS, id);
  const { batch_id: id, received, accepted, rejected, at: created_at } = data;
  if (!view.partition.owns(id)) return;
  const { account: account_id, actor, test } = stored.meta;
  const requested = actor.kind !== 'process' && test !== true;
  view.put(BATCHES, { id, account_id, received, accepted, rejected, created_at, requested } satisfies BatchDoc);
}

function put(view: View, before: MessageDoc | undefined, after: MessageDoc, day: string): void {
  view.put(MESSAGES, storedMessage(after));
  countMessage(view, before, after, day);
  countStatus(view, before, after);
}

/** The document of a message that was just accepted. */
function opened(
  { meta, position, revision }: LogEvent<Event>,
  id: string,
  data: AcceptanceData | SealedBatchItem,
  sendAt: string | null,
  index = 0,
): MessageDoc {
  return {
    id,
    account_id: meta.account,
    seq: `${data.created_at}/${position}/${String(index).padStart(5, '0')}`,
    status: sendAt === null ? 'queued' : 'scheduled',
    status_reason: null,
    channel: data.channel,
    to_key: data.to_key,
    from: openField(data, 'from'),
    category: data.category,
    batch_id: data.batch_id ?? null,
    contact_id: data.contact_id ?? null,
    campaign_id: data.campaign_id ?? null,
    journey_id: data.journey_id ?? null,
    enrollment_id: data.enrollment_id ?? null,
    node_id: data.node_id ?? null,
    template_id: data.template_id ?? null,
    template_version: data.template_version ?? null,
    ...(data.test && { test: true }),
    ...(data.variant !== undefined && { variant: data.variant }),
    ...(data.content_language !== undefined && { content_language: data.content_language }),
    carrier: null,
    segments: data.segments ?? null,
    encoding: data.encoding ?? null,
    attempts: 0,
    engagement: NO_ENGAGEMENT,
    webhook_url: openField(data, 'webhook_url'),
    tags: data.tags ?? [],
    created_at: data.created_at,
    scheduled_at: sendAt,
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    version: data.batch_id === undefined ? revision + 1 : 1,
    sealed: data.sealed,
    ...(data.copies && { copies: data.copies }),
    ...(data.content_ref && { content_ref: data.content_ref }),
  };
}

/** Of a message from before its field was sealed. */
const openField = (data: object, field: 'from' | 'webhook_url'): string | null => (data as Record<string, string | undefined>)[field] ?? null;

function applyToMessage(stored: LogEvent<Event>, event: MessageChangeEvent | SealedBatchEvent | SealedMessageEvent, view: View): void {
  const id = messageIdOf(stored.stream);
  const known = view.get<StoredMessage>(MESSAGES, id);
  const before = known && wholeMessage(known);
  const change = (doc: MessageDoc) => put(view, before, doc, dayOf(stored));
  const version = stored.revision + 1;
  if (event.type === 'MessageQueued' || event.type === 'MessageScheduled') {
    const sendAt = event.type === 'MessageScheduled' ? event.data.send_at : null;
    if (!before) change(opened(stored, id, event.data, sendAt));
    // Its stream begins: one that its batch has refused is refused by the next event.
    else if (stored.revision === 0 && before.status === 'suppressed') change({ ...before, version });
    else change({ ...before, status: sendAt === null ? 'queued' : 'scheduled', scheduled_at: sendAt ?? before.scheduled_at, version });
    return;
  }
  if (!before) throw new Error(`message ${id} has no beginning`);
  if (event.type === 'MessageClicked') countClick(view, before, event.data);
  const { to }: Transition = isTransition(event.type) ? transitions[event.type] : { from: [], to: null, webhook: null, cause: '' };
  change({ ...before, ...changes(event as MessageChangeEvent, before), ...(to && { status: to }), version });
}

/** The document of one message after these events, which are all of its stream up to some event. */
export function messageDocAfter(events: readonly LogEvent<SealedMessageEvent>[]): MessageDoc {
  const docs = new Map<string, Doc>();
  const view: View = {
    partition: UNDIVIDED,
    isLoaded: () => true,
    get: <D extends Doc>(_: string, id: string) => docs.get(id) as D | undefined,
    put: (collection, doc) => void (collection === MESSAGES && docs.set(doc.id, doc)),
    remove: (_, id) => void docs.delete(id),
  };
  for (const stored of events) messages.apply(stored, view);
  const [doc] = docs.values();
  if (!doc) throw new Error('a message without events');
  return wholeMessage(doc as StoredMessage);
}
