import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type BatchCommand, type BatchEvent, type BatchItem, batch, batchStream } from '../../domain/messages/batch.js';
import type { Content } from '../../domain/messages/content.js';
import type { Acceptance } from '../../domain/messages/message.js';
import { derivedId, hashId } from '../../log/ids.js';
import { findEarlierRun } from '../idempotency.js';
import { type Context, internalCommand } from '../kernel.js';
import { checkAcceptanceGates } from './gates.js';
import { parseMessageRequest } from './parse-request.js';
import type { MessageRequest } from './request.js';
import { separateContent, storeContent } from './store-content.js';

/** A chunk ends at this many messages or about this many bytes, whichever comes first: an append must stay below 512 kB. */
const CHUNK_ITEMS = 500;
const CHUNK_BYTES = 400_000;

/** Messages that are parsed before the event loop is yielded to. */
const YIELD_EVERY = 100;
/** Messages whose gates run concurrently. */
const GATES_AT_ONCE = 500;

/** The problems of one message of a bulk. */
export interface ItemProblem extends FieldProblem {
  readonly index: number;
}

export interface BulkInput {
  readonly received: number;
  /** Messages of valid shape, with their index in the request. */
  readonly items: readonly { readonly index: number; readonly request: MessageRequest }[];
  readonly problems: readonly ItemProblem[];
  /** Rejects all messages if one is invalid. */
  readonly atomic: boolean;
  /** Once it is aborted nothing more is accepted: what is stored by then is never sent. */
  readonly signal?: AbortSignal;
}

export interface AcceptedBatch {
  readonly batch_id: string;
  readonly received: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly messages: readonly { readonly index: number; readonly id: string; readonly status: string; readonly status_reason?: string }[];
  readonly errors: readonly ItemProblem[];
}

/**
 * Accepts many messages as one batch: all valid ones, or with `atomic` all or none. The batch counts once its last event is
 * in the log; chunks that a crash leaves behind are never sent. A repeat under an idempotency key continues after the chunks
 * that are already stored.
 */
export const sendBulk = internalCommand({
  name: 'SendBulk',

  async handle({ received, items, problems, atomic, signal }: BulkInput, context): Promise<AcceptedBatch> {
    const batch_id = context.newId('bat');
    const read = await parseItems(batch_id, items, context, signal);
    const errors = [...problems, ...read.problems].sort((a, b) => a.index - b.index);
    const rejected = new Set(errors.map(({ index }) => index)).size;
    if (read.items.length === 0 || (atomic && rejected > 0)) {
      throw invalid(errors.map(({ index, field, ...problem }) => ({ field: `messages[${index}]${field && `.${field}`}`, ...problem })));
    }
    const stored = await recordBatch(batch_id, read, { received, rejected }, context, signal);
    const status = new Map(stored.map((item) => [item.id, item]));
    const messages = read.places.map(({ index, id }) => ({ index, id, ...statusOf(status.get(id) as BatchItem) }));
    return { batch_id, received, accepted: messages.length, rejected, messages, errors };
  },
});

interface ParsedItems {
  readonly items: BatchItem[];
  /** Contents that are stored in streams of their own, by message. */
  readonly contents: ReadonlyMap<string, Content>;
  /** The index of each message in the request. Two with the same idempotency key are one message. */
  readonly places: { readonly index: number; readonly id: string }[];
  readonly problems: ItemProblem[];
}

async function parseItems(batch_id: string, requested: BulkInput['items'], context: Context, signal?: AbortSignal): Promise<ParsedItems> {
  const problems: ItemProblem[] = [];
  const places: ParsedItems['places'] = [];
  const acceptances = new Map<string, { readonly index: number; readonly acceptance: Omit<Acceptance, 'refused'> }>();
  for (const [nth, { index, request }] of requested.entries()) {
    if (nth % YIELD_EVERY === YIELD_EVERY - 1) {
      await context.yieldToEventLoop();
      signal?.throwIfAborted();
    }
    const read = parseMessageRequest(request, context);
    if ('problems' in read) {
      problems.push(...read.problems.map((problem) => ({ index, ...problem })));
      continue;
    }
    const { idempotency_key: key } = request;
    const id = key === undefined ? derivedId('msg', batch_id, index) : hashId('msg', context.cause.account, 'item', key);
    places.push({ index, id });
    if (!acceptances.has(id)) acceptances.set(id, { index, acceptance: read.acceptance });
  }
  const items: BatchItem[] = [];
  const contents = new Map<string, Content>();
  const read = [...acceptances];
  // Gates of many messages run concurrently, because each of them may read the log.
  for (let done = 0; done < read.length; done += GATES_AT_ONCE) {
    const part = read.slice(done, done + GATES_AT_ONCE);
    items.push(
      ...(await Promise.all(
        part.map(async ([id, { index, acceptance }]) => {
          const passed = await checkAcceptanceGates(acceptance, id, context);
          // Named by the batch, not by the id: with an idempotency key of its own, another batch may contain the message with another content.
          const { accepted, content } = separateContent(passed.accepted, `${batch_id}/${index}`, context.cause);
          if (content) contents.set(id, content);
          return itemOf(id, batch_id, index, { ...passed, accepted });
        }),
      )),
    );
    if (part.length === GATES_AT_ONCE) await context.yieldToEventLoop();
  }
  return { items, contents, places, problems };
}

function itemOf(id: string, batch_id: string, batch_index: number, { accepted, send_at, because, refused }: Acceptance): BatchItem {
  return {
    ...accepted,
    id,
    batch_id,
    batch_index,
    ...(send_at !== null && { send_at }),
    ...(because && { because }),
    ...(refused !== null && { refused }),
  };
}

const statusOf = ({ refused, send_at }: BatchItem): { status: string; status_reason?: string } =>
  refused ? { status: 'suppressed', status_reason: refused } : { status: send_at ? 'scheduled' : 'queued' };

/** Appends the chunks that are not stored yet. Returns the messages as they are in the log. */
async function recordBatch(
  batch_id: string,
  { items, contents }: Pick<ParsedItems, 'items' | 'contents'>,
  counts: { received: number; rejected: number },
  context: Context,
  signal?: AbortSignal,
): Promise<BatchItem[]> {
  const stream = batchStream(batch_id);
  const past = context.cause.key ? ((await context.log.read<BatchEvent>(stream)) ?? []) : [];
  const earlier = findEarlierRun(context.cause, past);
  let state = past.reduce((s, { event }) => batch.evolve(s, event), batch.initial);
  let revision = past.length - 1;
  const decide = (command: BatchCommand) => {
    const events = batch.decide(command, state);
    state = events.reduce(batch.evolve, state);
    return context.log.seal(events);
  };
  const append = async (events: readonly AnyEvent[]) => {
    if (events.length > 0) ({ revision } = await context.append(stream, revision === -1 ? 'no-stream' : revision, events));
  };
  if (state.status === 'accepted') {
    context.markReplayed(earlier?.position);
  } else {
    let sealed: readonly AnyEvent[] = [];
    for (const [chunk, part] of chunks(items).entries()) {
      signal?.throwIfAborted();
      // One chunk is appended while the next is sealed. Its error, if any, is thrown where it is awaited.
      const appending = append(sealed);
      appending.catch(() => {});
      await context.yieldToEventLoop();
      // Contents are stored before the chunk that refers to them, so a stored chunk has them already.
      if (state.status === 'incomplete' && chunk >= state.chunks) await storeContents(part, contents, context);
      sealed = await decide({ type: 'AcceptChunk', batch_id, chunk, items: part });
      await appending;
    }
    const { received, rejected } = counts;
    signal?.throwIfAborted();
    await append([...sealed, ...(await decide({ type: 'Accept', batch_id, received, accepted: items.length, rejected, now: context.now }))]);
  }
  if (past.length === 0) return items;
  const all = (await context.log.read<BatchEvent>(stream)) ?? [];
  return all.flatMap(({ event }) => (event.type === 'BulkChunkAccepted' ? event.data.items : []));
}

/** Sequentially, so that few parts are in memory at a time. */
async function storeContents(items: readonly BatchItem[], contents: ReadonlyMap<string, Content>, context: Context): Promise<void> {
  for (const item of items) {
    const content = contents.get(item.id);
    if (content) await storeContent(content, item, context);
  }
}

/** Deterministic: the same items give the same chunks, so that a repeat can continue after the stored ones. */
function chunks(items: readonly BatchItem[]): BatchItem[][] {
  const result: BatchItem[][] = [];
  let bytes = CHUNK_BYTES;
  for (const item of items) {
    const size = estimateBytes(item);
    const last = result.at(-1);
    if (!last || last.length === CHUNK_ITEMS || bytes + size > CHUNK_BYTES) {
      result.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return result;
}

/** The maximum size of an item in the log: three bytes a character, sealed in base64. */
function estimateBytes({ content, metadata, webhook_url = '', tags = [] }: BatchItem): number {
  const { message, html = '', subject = '', title = '', action_url = '', media_urls, data } = content;
  const text = message.length + html.length + subject.length + title.length + action_url.length;
  const rest = [metadata, data, media_urls].reduce((sum: number, value) => sum + (value ? JSON.stringify(value).length : 0), 0);
  return 700 + 4 * (text + rest) + webhook_url.length + tags.join().length;
}
