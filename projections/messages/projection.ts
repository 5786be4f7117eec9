import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { SealedBatchEvent, SealedBatchItem } from '../../domain/messages/batch.js';
import type { ContentRef } from '../../domain/messages/content.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { isTransition, type Status, type Transition, transitions } from '../../domain/messages/status.js';
import type { LogEvent } from '../../log/log-event.js';
import type { Projection, View } from '../kernel.js';

/** A message of the history. Address, content and metadata stay sealed; queries unseal them. */
export interface MessageDoc extends Doc {
  readonly id: string;
  readonly account_id: string;
  /** Order of acceptance: time, position, place in the batch. */
  readonly seq: string;
  readonly status: Status;
  readonly status_reason: string | null;
  readonly channel: string;
  readonly to_key: string;
  readonly from: string | null;
  readonly category: string;
  readonly batch_id: string | null;
  readonly contact_id: string | null;
  readonly campaign_id: string | null;
  readonly journey_id: string | null;
  readonly enrollment_id: string | null;
  readonly node_id: string | null;
  readonly carrier: { readonly name: string; readonly message_id: string | null; readonly code: string | null } | null;
  readonly segments: number | null;
  readonly encoding: string | null;
  readonly attempts: number;
  readonly engagement: Engagement;
  readonly webhook_url: string | null;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly scheduled_at: string | null;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly failed_at: string | null;
  readonly version: number;
  readonly sealed: string;
  /** Set where the box has only the small fields of the content. */
  readonly content_ref?: ContentRef;
}

export interface Engagement {
  readonly opened_at: string | null;
  readonly clicked_at: string | null;
  readonly read_at: string | null;
  readonly opens: number;
  readonly clicks: number;
}

/** A bulk request. `chunks` hold its messages until the batch counts. */
export interface BatchDoc extends Doc {
  readonly account_id: string;
  readonly received: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly created_at: string;
}

interface ChunkDoc extends Doc {
  readonly items: readonly SealedBatchItem[];
}

type Event = SealedMessageEvent | SealedBatchEvent;
type Opening = Extract<Event, { type: 'MessageQueued' | 'MessageScheduled' }>['data'];

const MESSAGES = 'messages';
const BATCHES = 'batches';
const CHUNKS = 'chunks';

const chunkId = (batchId: string, chunk: number): string => `${batchId}/${chunk}`;
const chunkIds = (batchId: string, chunks: number): string[] => Array.from({ length: chunks }, (_, i) => chunkId(batchId, i));
const ref = (collection: string, id: string): DocumentRef => ({ collection, id });

const NO_ENGAGEMENT: Engagement = { opened_at: null, clicked_at: null, read_at: null, opens: 0, clicks: 0 };

/** The message history: the current state of every message of every account. */
export const messages: Projection<Event> = {
  name: 'messages',
  version: 1,
  handles: [...(Object.keys(transitions) as (keyof typeof transitions)[]), 'ReceiptIgnored', 'BulkChunkAccepted', 'BulkAccepted'],
  collections: {
    [MESSAGES]: {
      indexes: [
        ['account_id', 'seq'],
        ['account_id', 'status', 'seq'],
        ['account_id', 'channel', 'seq'],
        ['account_id', 'to_key', 'seq'],
        ['account_id', 'contact_id', 'seq'],
        ['account_id', 'campaign_id', 'seq'],
        ['account_id', 'journey_id', 'seq'],
        ['account_id', 'batch_id', 'seq'],
        ['account_id', 'batch_id', 'status'],
      ],
      multi: { fields: ['tags'], scope: 'account_id', order: 'seq' },
    },
    [BATCHES]: { indexes: [] },
    [CHUNKS]: { indexes: [] },
  },

  reads({ event, stream, revision }) {
    switch (event.type) {
      case 'BulkChunkAccepted':
        return [ref(CHUNKS, chunkId(event.data.batch_id, event.data.chunk))];
      case 'BulkAccepted':
        return [ref(BATCHES, event.data.batch_id), ...chunkIds(event.data.batch_id, event.data.chunks).map((id) => ref(CHUNKS, id))];
      case 'MessageQueued':
      case 'MessageScheduled':
        // Only messages of a batch have a document before their stream exists.
        return [{ ...ref(MESSAGES, messageIdOf(stream)), fresh: revision === 0 && event.data.batch_id === undefined }];
      default:
        return [ref(MESSAGES, messageIdOf(stream))];
    }
  },

  readsMore: ({ event }, view) => (event.type === 'BulkAccepted' ? itemsOf(event.data, view).map(({ id }) => ref(MESSAGES, id)) : []),

  apply(stored, view) {
    const { event } = stored;
    switch (event.type) {
      case 'BulkChunkAccepted':
        return view.put(CHUNKS, { id: chunkId(event.data.batch_id, event.data.chunk), items: event.data.items } satisfies ChunkDoc);
      case 'BulkAccepted':
        return acceptBatch(stored, event.data, view);
      default:
        return applyToMessage(stored, event, view);
    }
  },
};

type BulkAccepted = Extract<SealedBatchEvent, { type: 'BulkAccepted' }>['data'];

const itemsOf = ({ batch_id, chunks }: BulkAccepted, view: View): SealedBatchItem[] =>
  chunkIds(batch_id, chunks).flatMap((id) => view.get<ChunkDoc>(CHUNKS, id)?.items ?? []) as SealedBatchItem[];

function acceptBatch(stored: LogEvent<Event>, data: BulkAccepted, view: View): void {
  for (const item of itemsOf(data, view)) {
    if (view.get(MESSAGES, item.id)) continue;
    const doc = opened(stored, item.id, item, item.send_at ?? null, item.batch_index ?? 0);
    view.put(MESSAGES, item.refused ? { ...doc, status: 'suppressed', status_reason: item.refused } : doc);
  }
  for (const id of chunkIds(data.batch_id, data.chunks)) view.remove(CHUNKS, id);
  const { batch_id: id, received, accepted, rejected, at: created_at } = data;
  view.put(BATCHES, { id, account_id: stored.meta.account, received, accepted, rejected, created_at } satisfies BatchDoc);
}

/** The document of a message that was just accepted. */
function opened(
  { meta, position, revision }: LogEvent<Event>,
  id: string,
  data: Opening | SealedBatchItem,
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
    from: data.from ?? null,
    category: data.category,
    batch_id: data.batch_id ?? null,
    contact_id: data.contact_id ?? null,
    campaign_id: data.campaign_id ?? null,
    journey_id: data.journey_id ?? null,
    enrollment_id: data.enrollment_id ?? null,
    node_id: data.node_id ?? null,
    carrier: null,
    segments: data.segments ?? null,
    encoding: data.encoding ?? null,
    attempts: 0,
    engagement: NO_ENGAGEMENT,
    webhook_url: data.webhook_url ?? null,
    tags: data.tags ?? [],
    created_at: data.created_at,
    scheduled_at: sendAt,
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    version: data.batch_id === undefined ? revision + 1 : 1,
    sealed: data.sealed,
    ...(data.content_ref && { content_ref: data.content_ref }),
  };
}

type MessageEvent = Exclude<SealedMessageEvent, { type: 'MessageRepeated' }>;

function applyToMessage(stored: LogEvent<Event>, event: MessageEvent | SealedBatchEvent | SealedMessageEvent, view: View): void {
  const id = messageIdOf(stored.stream);
  const before = view.get<MessageDoc>(MESSAGES, id);
  const version = stored.revision + 1;
  if (event.type === 'MessageQueued' || event.type === 'MessageScheduled') {
    const sendAt = event.type === 'MessageScheduled' ? event.data.send_at : null;
    if (!before) view.put(MESSAGES, opened(stored, id, event.data, sendAt));
    else view.put(MESSAGES, { ...before, status: sendAt === null ? 'queued' : 'scheduled', scheduled_at: sendAt ?? before.scheduled_at, version });
    return;
  }
  if (!before) throw new Error(`message ${id} has no beginning`);
  const { to }: Transition = isTransition(event.type) ? transitions[event.type] : { from: [], to: null, webhook: null, cause: '' };
  view.put(MESSAGES, { ...before, ...changes(event as MessageEvent, before), ...(to && { status: to }), version });
}

/** What an event changes besides the status. */
function changes(event: MessageEvent, before: MessageDoc): Partial<MessageDoc> {
  switch (event.type) {
    case 'MessageReleased':
      return { status_reason: null };
    case 'MessageSuppressed':
      return { status_reason: event.data.reason };
    case 'MessageExpired':
      return { status_reason: 'ttl', failed_at: event.data.at };
    case 'MessageDispatchStarted':
      return { attempts: event.data.attempt, carrier: { name: event.data.carrier, message_id: null, code: null } };
    case 'MessageDispatchDeferred':
      return { carrier: { name: event.data.carrier, message_id: null, code: event.data.code } };
    case 'MessageSent':
      return { sent_at: event.data.at, carrier: { name: event.data.carrier, message_id: event.data.carrier_message_id, code: null } };
    case 'MessageFailed':
      return { status_reason: event.data.reason, failed_at: event.data.at, carrier: before.carrier && { ...before.carrier, code: event.data.code } };
    case 'MessageDelivered':
      return { status_reason: null, delivered_at: event.data.at, failed_at: null, carrier: reported(event.data, before) };
    case 'MessageUndelivered':
    case 'MessageBounced':
      return { status_reason: event.data.reason, failed_at: event.data.at, carrier: reported(event.data, before) };
    case 'MessageOpened':
      return engaged(before, { opened_at: before.engagement.opened_at ?? event.data.at, opens: before.engagement.opens + 1 });
    case 'MessageClicked':
      return engaged(before, { clicked_at: before.engagement.clicked_at ?? event.data.at, clicks: before.engagement.clicks + 1 });
    case 'MessageRead':
      return engaged(before, { read_at: before.engagement.read_at ?? event.data.at });
    default:
      return {};
  }
}

const engaged = ({ engagement }: MessageDoc, change: Partial<Engagement>): Partial<MessageDoc> => ({ engagement: { ...engagement, ...change } });

function reported(
  receipt: { carrier: string; carrier_message_id: string | null; code: string | null },
  { carrier }: MessageDoc,
): MessageDoc['carrier'] {
  return { name: carrier?.name ?? receipt.carrier, message_id: carrier?.message_id ?? receipt.carrier_message_id, code: receipt.code };
}
