import {
  type Checkpoint,
  type EventPage,
  type EventStore,
  isWrongRevision,
  type NewEvent,
  type RecordedEvent,
} from '../../../domain/kernel/ports.js';

/** An event of the wire protocol. */
export interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends WireEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type WireExpected = number | 'no-stream' | 'any' | 'stream-exists';
export type AppendAnswer =
  | { readonly revision: number; readonly position: bigint | null }
  | { readonly conflict: number | 'no-stream' }
  | { readonly tooLarge: number }
  | 'stream-deleted';

export const MAX_APPEND_SIZE = 1_048_576;
/** Number of last events of a stream whose ids are recognized in appends without an expected revision. */
const REMEMBERED = 100;
/** Bytes per record. Positions are byte offsets of records, so most numbers are not positions. */
const RECORD = 137n;

interface Metadata {
  readonly $maxCount?: number;
  readonly $maxAge?: number;
  readonly $tb?: number;
  readonly tombstone?: true;
}

/** The rules of an EventStoreDB server, over an engine of this project. */
export class Database {
  readonly #metadata = new Map<string, Metadata>();
  /** Answers a repeated append with a conflict, as a server that no longer has its ids. */
  forgetful = false;

  constructor(private readonly engine: EventStore) {}

  async append(stream: string, expected: WireExpected, events: readonly WireEvent[]): Promise<AppendAnswer> {
    const size = events.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (size > MAX_APPEND_SIZE) return { tooLarge: MAX_APPEND_SIZE };
    const meta = await this.#metadataOf(stream);
    if (meta.tombstone) return 'stream-deleted';
    const head = await this.#headOf(stream);
    if (events.length === 0) return { revision: head, position: null };
    const written = events.map(toEngine);
    for (;;) {
      const answer = await this.#tryAppend(stream, expected, meta, written);
      // Without an expected revision a conflict only means that another append came first: try again.
      if ('revision' in answer || !answer.late || (expected !== 'any' && expected !== 'stream-exists')) return answer;
    }
  }

  /** A deleted stream is not found; a later append continues its revisions. */
  async delete(stream: string, expected: WireExpected): Promise<AppendAnswer> {
    const head = await this.#headOf(stream);
    const wrong = await this.#check(stream, expected, head);
    return wrong ?? this.append(`$$${stream}`, 'any', [metadataEvent({ $tb: head + 1 })]);
  }

  async tombstone(stream: string, expected: WireExpected): Promise<AppendAnswer> {
    const wrong = await this.#check(stream, expected, await this.#headOf(stream));
    return wrong ?? this.append(`$$${stream}`, 'any', [metadataEvent({ tombstone: true })]);
  }

  async read(stream: string, from: number | 'end', count: number, backwards: boolean): Promise<StoredEvent[] | 'not-found' | 'stream-deleted'> {
    const meta = await this.#metadataOf(stream);
    if (meta.tombstone) return 'stream-deleted';
    const head = await this.#headOf(stream);
    const first = Math.max(meta.$tb ?? 0, meta.$maxCount === undefined ? 0 : head + 1 - meta.$maxCount);
    if (head < 0 || (meta.$tb ?? 0) > head) return 'not-found';
    const start = from === 'end' ? (backwards ? head : head + 1) : backwards ? Math.min(from, head) : Math.max(from, first);
    const limit = backwards ? Math.min(count, start - first + 1) : count;
    if (start < 0 || limit <= 0) return [];
    const events = await this.engine.read(stream, { from: start, limit, backwards });
    const oldest = meta.$maxAge === undefined ? 0 : Date.now() - meta.$maxAge * 1_000;
    return events === 'not-found' ? events : events.map(fromEngine).filter(({ created }) => created >= oldest);
  }

  /** Forwards with the event at `from`, or backwards without it. */
  async readAll(from: bigint | 'start' | 'end', limit: number, backwards: boolean): Promise<StoredEvent[]> {
    const head = Number(await this.engine.head().then((at) => (at === 'start' ? 0 : at)));
    const number = from === 'start' ? 1 : from === 'end' ? head + 1 : Number(from / RECORD);
    const after = backwards ? Math.max(0, number - 1 - limit) : number - 1;
    const { events } = await this.engine.readAll(engineText(after), backwards ? number - 1 - after : limit, Number.POSITIVE_INFINITY);
    return backwards ? events.map(fromEngine).reverse() : events.map(fromEngine);
  }

  async *follow(after: bigint | 'start' | 'end', signal: AbortSignal): AsyncGenerator<{ events: StoredEvent[]; caughtUp: boolean }> {
    const head = await this.engine.head();
    const from: Checkpoint = after === 'end' ? head : after === 'start' ? 'start' : engineText(Number(after / RECORD));
    if (from === head) yield { events: [], caughtUp: true };
    for await (const { events, caughtUp } of this.engine.subscribe(from, signal) as AsyncIterable<EventPage>)
      yield { events: events.map(fromEngine), caughtUp };
  }

  /** How many events the log has. */
  async count(): Promise<number> {
    const head = await this.engine.head();
    return head === 'start' ? 0 : Number(head);
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  async #tryAppend(
    stream: string,
    expected: WireExpected,
    meta: Metadata,
    events: readonly NewEvent[],
  ): Promise<{ revision: number; position: bigint } | { conflict: number | 'no-stream'; late?: boolean }> {
    const at = await this.#resolve(stream, expected, meta, events);
    if (typeof at === 'object') return at;
    const head = await this.#headOf(stream);
    const atHead = head === (at === 'no-stream' ? -1 : at);
    if (this.forgetful && !atHead) return { conflict: head < 0 ? 'no-stream' : head };
    try {
      const { revision, position } = await this.engine.append(stream, at, events);
      if (stream.startsWith('$$')) this.#metadata.delete(stream.slice(2));
      return { revision, position: toWire(position) };
    } catch (e) {
      if (isWrongRevision(e)) return { conflict: e.actual, late: atHead };
      throw e;
    }
  }

  /** The revision to append at, or the conflict. */
  async #resolve(
    stream: string,
    expected: WireExpected,
    meta: Metadata,
    events: readonly NewEvent[],
  ): Promise<number | 'no-stream' | { conflict: number | 'no-stream' }> {
    if (typeof expected === 'number') return expected;
    const head = await this.#headOf(stream);
    const deleted = head >= 0 && (meta.$tb ?? 0) > head;
    const end = head < 0 ? 'no-stream' : head;
    if (expected === 'no-stream') return deleted ? end : 'no-stream';
    if (expected === 'stream-exists' && (head < 0 || deleted)) return { conflict: end };
    const recent = await this.engine.read(stream, { backwards: true, limit: REMEMBERED });
    const existing = recent === 'not-found' ? undefined : recent.find(({ id }) => id === events[0]?.id);
    return existing ? (existing.revision === 0 ? 'no-stream' : existing.revision - 1) : end;
  }

  async #check(stream: string, expected: WireExpected, head: number): Promise<AppendAnswer | null> {
    if ((await this.#metadataOf(stream)).tombstone) return 'stream-deleted';
    const fits = expected === 'any' || (expected === 'stream-exists' ? head >= 0 : expected === 'no-stream' ? head < 0 : head === expected);
    return fits ? null : { conflict: head < 0 ? 'no-stream' : head };
  }

  async #headOf(stream: string): Promise<number> {
    const last = await this.engine.read(stream, { backwards: true, limit: 1 });
    return last === 'not-found' ? -1 : (last[0]?.revision ?? -1);
  }

  async #metadataOf(stream: string): Promise<Metadata> {
    const existing = this.#metadata.get(stream);
    if (existing) return existing;
    const last = stream.startsWith('$$') ? 'not-found' : await this.engine.read(`$$${stream}`, { backwards: true, limit: 1 });
    const metadata = last === 'not-found' || !last[0] ? {} : (JSON.parse(last[0].data) as Metadata);
    this.#metadata.set(stream, metadata);
    return metadata;
  }
}

const metadataEvent = (data: Metadata): WireEvent => ({
  id: crypto.randomUUID(),
  type: '$metadata',
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: new Uint8Array(),
});

const toWire = (position: string): bigint => BigInt(position) * RECORD;
const engineText = (number: number): Checkpoint => (number === 0 ? 'start' : String(number).padStart(20, '0'));
/** Whether a record starts at the position. */
export const isRecordStart = (position: bigint): boolean => position % RECORD === 0n;

/** The engine stores texts: other contents than JSON are stored as Base64, and wire fields in the metadata. */
function toEngine({ id, type, contentType, data, metadata }: WireEvent): NewEvent {
  const text = contentType === 'application/json' ? Buffer.from(data).toString('utf8') : Buffer.from(data).toString('base64');
  return { id, type, data: text, metadata: JSON.stringify([contentType, Date.now(), Buffer.from(metadata).toString('base64')]) };
}

function fromEngine({ id, type, stream, revision, position, data, metadata }: RecordedEvent): StoredEvent {
  const [contentType, created, meta] = JSON.parse(metadata) as [string, number, string];
  const bytes = Buffer.from(data, contentType === 'application/json' ? 'utf8' : 'base64');
  return { id, type, stream, revision, position: toWire(position), contentType, created, data: bytes, metadata: Buffer.from(meta, 'base64') };
}
