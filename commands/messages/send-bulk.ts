import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type BatchCommand, type BatchEvent, type BatchItem, batch, batchStream } from '../../domain/messages/batch.js';
import type { Content } from '../../domain/messages/content.js';
import type { Acceptance, AcceptedMessage } from '../../domain/messages/message.js';
import { routesOfAccount } from '../../log/aggregates/load-settings.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { findEarlierRun } from '../runtime/idempotency.js';
import { messageTemplates } from '../templates/message-templates.js';
import { acceptedEarlier, bulkItemId, idInBatch, namedContacts } from './bulk-contacts.js';
import { internationalProblems } from './email-fields.js';
import { checkAcceptanceGates } from './gates.js';
import { sendTimeProblems } from './message-problems.js';
import { completeRequest, NO_CONTENT, parseMessageRequest, type ReadRequest } from './parse-request.js';
import { createContacts } from './recipient-contacts.js';
import type { MadeRequest, MessageRequest } from './request.js';
import { isRouted, missingSenderProblems, routeProblems, withAccountSender } from './route-problems.js';
import { separateContent, storeContent } from './store-content.js';

/** A chunk ends at this many messages or about this many bytes, whichever comes first: an append must stay below 512 kB. */
export const CHUNK_ITEMS = 500;
export const CHUNK_BYTES = 400_000;

/** Messages that are parsed before the event loop is yielded to. */
const YIELD_EVERY = 100;
/** The same in characters of their texts. */
const YIELD_CHARACTERS = 200_000;
const HTML_WEIGHT = 10;
/** Messages whose gates run concurrently. */
const GATES_AT_ONCE = 500;

/** The problems of one message of a bulk. */
export interface BulkItemProblem extends FieldProblem {
  readonly index: number;
}

export interface BulkInput {
  readonly received: number;
  /** Messages of valid shape, with their index in the request. */
  readonly items: readonly { readonly index: number; readonly request: MessageRequest }[];
  readonly problems: readonly BulkItemProblem[];
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
  /** Messages that repeat the idempotency key of another one in the request. */
  readonly duplicates: number;
  readonly messages: readonly {
    readonly index: number;
    readonly id: string;
    readonly status: string;
    readonly status_reason?: string;
    /** The index of the first message with this idempotency key. */
    readonly duplicate_of?: number;
  }[];
  readonly errors: readonly BulkItemProblem[];
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
      throw invalid(
        errors.map(({ index, field, ...problem }) => ({ field: `messages[${index}]${field && field !== 'body' ? `.${field}` : ''}`, ...problem })),
      );
    }
    const stored = await recordBatch(batch_id, read, { received, rejected }, context, signal);
    const status = new Map(stored.map((item) => [item.id, item]));
    const first = new Map(read.places.toReversed().map(({ index, id }) => [id, index]));
    const messages = read.places.map(({ index, id }) => {
      const duplicate_of = first.get(id) ?? index;
      return { index, id, ...statusOf(status.get(id) as BatchItem), ...(duplicate_of !== index && { duplicate_of }) };
    });
    const duplicates = messages.length - first.size;
    return { batch_id, received, accepted: first.size, rejected, duplicates, messages, errors };
  },
});

interface ParsedItems {
  readonly items: BatchItem[];
  /** Contents that are stored in streams of their own, by message. */
  readonly contents: ReadonlyMap<string, Content>;
  /** The index of each message in the request. Two with the same idempotency key are one message. */
  readonly places: { readonly index: number; readonly id: string }[];
  readonly problems: BulkItemProblem[];
}

interface ReadItems extends Pick<ParsedItems, 'places' | 'problems'> {
  /** By id. */
  readonly acceptances: ReadonlyMap<string, { readonly index: number; readonly acceptance: ReadRequest['acceptance'] }>;
  /** Those whose addresses get a contact if they have none. */
  readonly creating: readonly AcceptedMessage[];
}

async function readItems(batch_id: string, requested: BulkInput['items'], context: Context, signal?: AbortSignal): Promise<ReadItems> {
  const problems: BulkItemProblem[] = [];
  const places: ParsedItems['places'] = [];
  const contacts = await namedContacts(batch_id, requested, context);
  const templates = await templatesOf(batch_id, requested, contacts.contactOf, context);
  const late = await lateItems(batch_id, requested, context);
  const senders = sendersOfBulk(context);
  const creating: AcceptedMessage[] = [];
  const acceptances = new Map<string, { readonly index: number; readonly acceptance: ReadRequest['acceptance'] }>();
  let characters = 0;
  for (const [nth, { index, request }] of requested.entries()) {
    characters += charactersOf(request);
    if (nth % YIELD_EVERY === YIELD_EVERY - 1 || characters >= YIELD_CHARACTERS) {
      characters = 0;
      await context.yieldToEventLoop();
      signal?.throwIfAborted();
    }
    const id = bulkItemId(batch_id, index, request, context);
    const made = templates(nth, id);
    const contact = contacts.contactOf(nth);
    const sent = await senders.complete(made.request);
    const parsed = parseMessageRequest(sent, context, contact);
    const read =
      'problems' in parsed && made.isAccepted ? parseMessageRequest(await senders.complete({ ...request, ...NO_CONTENT }), context, contact) : parsed;
    const ofRoute = await problemsOfRoute(request, sent, senders, context);
    const ofRequest = 'problems' in read ? read.problems : [];
    const found = [...ofRequest, ...late(nth), ...ofRoute, ...made.problems, ...(contacts.problems.get(nth) ?? [])];
    if ('problems' in read || found.length > 0) {
      problems.push(...found.map((problem) => ({ index, ...problem })));
      continue;
    }
    if (request.create_contact && request.contact_id === undefined) creating.push(read.acceptance.accepted);
    places.push({ index, id });
    if (!acceptances.has(id)) acceptances.set(id, { index, acceptance: await completeRequest(read, context) });
  }
  return { problems, places, acceptances, creating };
}

/** What the carriers of an item do not take. `sent`: with the sender that it gets. */
async function problemsOfRoute(
  request: MessageRequest,
  sent: MadeRequest,
  senders: ReturnType<typeof sendersOfBulk>,
  context: Context,
): Promise<FieldProblem[]> {
  const given = isRouted(request) ? await routeProblems(request, context, { routes: senders.routes }) : [];
  const missing = request.from === undefined ? await senders.missing(sent) : [];
  return [...given, ...missing, ...(await internationalProblems(sent, context))];
}

/** The problem of the time of an item, unless an earlier run has accepted it. */
async function lateItems(batch_id: string, requested: BulkInput['items'], context: Context): Promise<(nth: number) => readonly FieldProblem[]> {
  const found = requested.map(({ request }) => sendTimeProblems(request, context.now));
  if (found.every((problems) => problems.length === 0)) return () => [];
  const wasAccepted = await acceptedEarlier(batch_id, requested, context);
  return (nth) => (wasAccepted(nth) ? [] : (found[nth] ?? []));
}

/** What senders depend on: asked for once, so that it is the same for all messages of a bulk. */
function sendersOfBulk(context: Context) {
  const found = new Map<string, string | undefined>();
  let missing: readonly FieldProblem[] | null = null;
  return {
    routes: routesOfAccount(context.log, context.cause.account),
    async complete(request: MadeRequest): Promise<MadeRequest> {
      const { channel } = request;
      if (request.from !== undefined) return request;
      if (!found.has(channel)) found.set(channel, (await withAccountSender(request, context)).from);
      const from = found.get(channel);
      return from === undefined ? request : { ...request, from };
    },
    async missing({ channel, from }: MadeRequest): Promise<readonly FieldProblem[]> {
      if (channel !== 'email' || from !== undefined) return [];
      missing ??= await missingSenderProblems({ channel }, context);
      return missing;
    },
  };
}

/** Gives the content of an item from its template. What an earlier run has decided about the item stays, whatever the template gives now. */
async function templatesOf(batch_id: string, requested: BulkInput['items'], contactOf: (nth: number) => string | null, context: Context) {
  const requests = requested.map(({ request }) => request);
  const apply = await messageTemplates(requests, context, contactOf);
  if (!apply) return (nth: number) => ({ request: requests[nth] as MessageRequest, problems: [], isAccepted: false });
  const wasAccepted = await acceptedEarlier(batch_id, requested, context);
  return (nth: number, id: string): { readonly request: MadeRequest; readonly problems: readonly FieldProblem[]; readonly isAccepted: boolean } => {
    const request = requests[nth] as MessageRequest;
    const earlier = request.template_id === undefined ? undefined : wasAccepted(nth);
    const made = apply(nth, id);
    if ('request' in made && earlier !== false) return { request: made.request, problems: [], isAccepted: earlier === true };
    const problems = 'problems' in made ? made.problems : [REFUSED];
    return { request: { ...request, ...NO_CONTENT }, problems: earlier ? [] : problems, isAccepted: earlier === true };
  };
}

/** An earlier run of the same request found a problem that is not there any more. */
const REFUSED: FieldProblem = { field: 'template_id', code: 'template_failed', message: 'The template had no result when this was sent first.' };

async function parseItems(batch_id: string, requested: BulkInput['items'], context: Context, signal?: AbortSignal): Promise<ParsedItems> {
  const { problems, places, acceptances, creating } = await readItems(batch_id, requested, context, signal);
  if (creating.length > 0) await createContacts(creating, context);
  const items: BatchItem[] = [];
  const contents = new Map<string, Content>();
  const read = [...acceptances];
  // Gates of many messages run concurrently, because each of them may read the log.
  for (let done = 0; done < read.length; done += GATES_AT_ONCE) {
    const part = read.slice(done, done + GATES_AT_ONCE);
    const passed = await Promise.all(part.map(([id, { acceptance }]) => checkAcceptanceGates(acceptance, id, context)));
    for (const [nth, [id, { index }]] of part.entries()) {
      const acceptance = passed[nth] as Acceptance;
      // Named by the batch, not by the id: with an idempotency key of its own, another batch may contain the message with another content.
      const { accepted, content } = separateContent(acceptance.accepted, `${batch_id}/${index}`, context.cause);
      items.push(itemOf(id, batch_id, index, { ...acceptance, accepted }));
      if (!content) continue;
      contents.set(id, content);
      // Its JSON was made to be measured, which takes long.
      await context.yieldToEventLoop();
    }
    if (part.length === GATES_AT_ONCE) await context.yieldToEventLoop();
  }
  return { items, contents, places, problems };
}

/** How long a request takes to read: making text of HTML takes many times as long as reading it. */
const charactersOf = ({ message, html = '', attachments = [] }: MessageRequest): number =>
  (message?.length ?? HTML_WEIGHT * html.length) + html.length + attachments.reduce((sum, { content }) => sum + content.length, 0);

/** An accepted message as its batch holds it. */
export function itemOf(id: string, batch_id: string, batch_index: number, { accepted, send_at, because, refused }: Acceptance): BatchItem {
  return {
    ...accepted,
    id,
    batch_id,
    batch_index,
    ...(send_at !== null && { send_at }),
    ...(because && { because }),
    ...(refused !== null && { refused: refused.reason, ...(refused.decision && { decision: refused.decision }) }),
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
    const stored = past.flatMap(({ event }) => (event.type === 'BulkChunkAccepted' ? [event.data.items.length] : []));
    for (const [chunk, part] of chunks(items, stored).entries()) {
      signal?.throwIfAborted();
      // One chunk is appended while the next is sealed. Its error, if any, is thrown where it is awaited.
      const appending = append(sealed);
      appending.catch(() => {});
      await context.yieldToEventLoop();
      // Contents are stored before the chunk that refers to them, so a stored chunk has them already.
      if (state.status === 'incomplete' && chunk >= state.chunks) await storeContents(part, contents, context);
      const ownIds = part.flatMap(({ id, batch_index = 0 }) => (id === idInBatch(batch_id, batch_index) ? [] : [id]));
      sealed = await decide({ type: 'AcceptChunk', batch_id, chunk, items: part, ownIds });
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

/** So that a repeat can continue after the stored chunks, those have as many items as they were `stored` with. */
function chunks(items: readonly BatchItem[], stored: readonly number[]): BatchItem[][] {
  const result: BatchItem[][] = [];
  let from = 0;
  for (const length of stored) {
    result.push(items.slice(from, from + length));
    from += length;
  }
  let bytes = CHUNK_BYTES;
  for (const item of items.slice(from)) {
    const size = estimateBytes(item);
    const last = result.at(-1);
    if (!last || result.length === stored.length || last.length === CHUNK_ITEMS || bytes + size > CHUNK_BYTES) {
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
export function estimateBytes({ content, metadata, webhook_url = '', tags = [], copies = [] }: BatchItem): number {
  const { message, html = '', subject = '', title = '', action_url = '', reply_to = '', to_name = '', from_name = '' } = content;
  const text = message.length + html.length + subject.length + title.length + action_url.length + reply_to.length + to_name.length + from_name.length;
  const { media_urls, data, headers, attachments, push, whatsapp_template } = content;
  const others = [metadata, data, push, whatsapp_template, media_urls, headers, attachments];
  const rest = others.reduce((sum: number, value) => sum + (value ? JSON.stringify(value).length : 0), 0);
  const copied = copies.reduce((sum, { sealed }) => sum + 200 + sealed.length, 0);
  return 700 + 4 * (text + rest) + webhook_url.length + tags.join().length + copied;
}
