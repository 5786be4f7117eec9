/**
 * What the application asks of the world around it. Engines implement these; nothing here names a database.
 * One contract suite (`test/contract`) runs over every engine.
 */

/** 0-based place of an event in its stream. */
export type Revision = number;
/** Place of an event in the whole log: 20 digits, so that text order is log order. */
export type Position = string;
export type Checkpoint = Position | 'start';
/** Whether one place of the log is later than another. */
export const isAfter = (a: Checkpoint, b: Checkpoint): boolean => (b === 'start' ? a !== 'start' : a !== 'start' && a > b);
/** A text that every position after this one reaches, and this one does not. */
export const justAfter = (position: Checkpoint): Position => (position === 'start' ? '0' : `${position}+`);
/** What an append expects of its stream. There is no 'any' on purpose: it cannot de-duplicate. */
export type Expected = Revision | 'no-stream';

/** An event on its way into the log. `data` and `metadata` are JSON texts; `id` is a UUID. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface Recorded extends NewEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

export interface Appended {
  /** Of the last event appended. */
  readonly revision: Revision;
  readonly position: Position;
}

/** A stretch of the log. `upTo` is how far it reaches, also past events that a filter left out. */
export interface Page {
  readonly events: readonly Recorded[];
  readonly upTo: Checkpoint;
  /** True when there was nothing after `upTo` as the page was read. */
  readonly caughtUp: boolean;
}

export interface ReadOptions {
  /** First revision to read, or the last one when reading backwards. */
  readonly from?: Revision;
  readonly limit?: number;
  readonly backwards?: boolean;
}

/**
 * The log. An append is all or nothing and is on disk when it resolves. The same ids at the same expected revision
 * again succeed with the first answer; anything else at a revision that is taken throws WrongExpectedRevision.
 */
export interface EventStore {
  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended>;
  /**
   * Many appends in one call, in chains. Each is made once the one before it in its chain is, and the first that is refused
   * ends its chain; chains know nothing of each other. Gives for each chain the answer to its last append, or the refusal.
   * Throws what `append` throws where the store fails: some are made then, and the same call again makes the others.
   */
  appendAll(chains: readonly (readonly Append[])[]): Promise<(Appended | WrongExpectedRevision)[]>;
  read(stream: string, options?: ReadOptions): Promise<readonly Recorded[] | 'not-found'>;
  readAll(after: Checkpoint, limit: number): Promise<Page>;
  /** Position of the last event, or 'start'. */
  head(): Promise<Checkpoint>;
  /**
   * All events after a position, as they come; with a prefix only those of streams whose name begins so. Reconnects
   * inside; ends only when the signal aborts.
   */
  subscribe(after: Checkpoint, signal: AbortSignal, limit?: number, streamPrefix?: string): AsyncIterable<Page>;
  /** The same, but only the names of the streams, one for each event: for what keeps in memory who is on record. */
  subscribeToStreamNames(after: Checkpoint, signal: AbortSignal, limit: number, streamPrefix: string): AsyncIterable<readonly string[]>;
  close(): Promise<void>;
}

/** Somebody else appended first, or the stream exists although it should not. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: Expected,
    readonly actual: Expected,
  ) {
    super(`stream ${stream} is at ${actual}, expected ${expected}`);
  }
}

/** One chain of `appendAll`, for engines that take one append at a time. */
export async function appendChain(store: Pick<EventStore, 'append'>, chain: readonly Append[]): Promise<Appended | WrongExpectedRevision> {
  let last: Appended | undefined;
  try {
    for (const { stream, expected, events } of chain) last = await store.append(stream, expected, events);
  } catch (e) {
    if (isWrongRevision(e)) return e;
    throw e;
  }
  if (!last) throw new RangeError('a chain without appends');
  return last;
}

/** What `followStreams` gives, for engines that read whole events anyway. */
export async function* toStreamNames(pages: AsyncIterable<Page>): AsyncIterable<readonly string[]> {
  for await (const { events } of pages) yield events.map(({ stream }) => stream);
}

/** Whether the append happened is not known: repeat the identical append. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The store cannot be reached and nothing was sent. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export const isWrongRevision = (e: unknown): e is WrongExpectedRevision => e instanceof Error && e.name === 'WrongExpectedRevision';

// Read models

export type Value = string | number | boolean | null;
/** A document: an `id`, and whatever the projection keeps. Fields named in an index hold a Value, or a list of them if the index is `multi`. */
export type Doc = { readonly id: string } & { readonly [field: string]: unknown };

export interface CollectionSpec {
  /** Each index is a list of fields: equality on all but the last, equality or order on the last. */
  readonly indexes: readonly (readonly string[])[];
  /** Fields that hold a list; `where` on them asks for one element. Each is indexed together with `order`. */
  readonly multi?: { readonly fields: readonly string[]; readonly scope: string; readonly order: string };
}

export interface Find {
  readonly where: Readonly<Record<string, Value>>;
  /** Bounds on one field: `gt`/`lt` exclusive, `gte`/`lte` inclusive. */
  readonly range?: { readonly field: string; readonly gt?: Value; readonly gte?: Value; readonly lt?: Value; readonly lte?: Value };
  readonly order?: { readonly field: string; readonly descending?: boolean };
  readonly limit: number;
}

/** The documents of one collection as queries see them: always those of the generation in force. */
export interface Docs<D extends Doc = Doc> {
  get(id: string): Promise<D | undefined>;
  find(query: Find): Promise<D[]>;
  count(where: Find['where']): Promise<number>;
  /** The different values of a field among documents at or below a bound of another, for fair turns between lanes. */
  distinct(field: string): Promise<Value[]>;
}

export interface ViewSpec {
  readonly name: string;
  readonly version: number;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
}

export type Op =
  | { readonly collection: string; readonly id: string; readonly before: Doc | undefined; readonly after: Doc }
  | { readonly collection: string; readonly id: string; readonly before: Doc; readonly after: undefined };

/** A document's place: collection and id. */
export interface DocumentRef {
  readonly collection: string;
  readonly id: string;
  /** True where no such document can exist yet, which saves looking for it. */
  readonly fresh?: boolean;
}

/** The documents of one generation as they were at one checkpoint, whatever is committed meanwhile. */
export interface ViewSnapshot {
  checkpoint(): Promise<Checkpoint>;
  /** All ids and documents in order of id, for comparison. */
  scan(collection: string): AsyncIterable<Doc>;
  close(): Promise<void>;
}

/** One generation of one projection, as its only writer sees it. */
export interface ViewWriter extends ViewSnapshot {
  readonly generation: number;
  load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]>;
  /** Documents and checkpoint together, or neither. 'mismatch': another writer moved the checkpoint, or another generation took over. */
  commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'>;
  /**
   * Tells readers of this process that nothing up to a position concerns this projection, without a write. The next
   * commit is still made from the checkpoint. An engine without it has every page committed.
   */
  skipTo?(position: Position): void;
}

export interface ViewStatus {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly position: Checkpoint;
  /** Why a projection stopped, or null. */
  readonly halted: string | null;
}

export interface ReadModels {
  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D>;
  /** Opens the generation in force, creating the first one. */
  writer(spec: ViewSpec): Promise<ViewWriter>;
  /** A new, empty generation beside the one in force. */
  shadow(spec: ViewSpec): Promise<ViewWriter>;
  /** Puts a shadow in force if its checkpoint has reached the one in force; readers change over at once. */
  promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'>;
  discard(spec: ViewSpec, shadow: ViewWriter): Promise<void>;
  /** The generation in force, held still. To be closed soon: a store may keep what is overwritten until then. */
  snapshot(spec: ViewSpec): Promise<ViewSnapshot>;
  status(spec: ViewSpec): Promise<ViewStatus>;
  halt(spec: ViewSpec, reason: string | null): Promise<void>;
  /** Resolves true once the projection in force has reached the position, false when the time is over or the signal aborts. */
  waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

// Keys, leases, time

/** A data key's row: a random seed that, with the key made of the master key, gives the data key. */
export interface KeyRow {
  readonly id: string;
  readonly subject: string;
  readonly seed: Uint8Array;
}

/** The key file: outside the log and its backups. */
export interface KeyStore {
  bySubject(subjects: readonly string[]): Promise<(KeyRow | undefined)[]>;
  byId(ids: readonly string[]): Promise<(KeyRow | undefined)[]>;
  /** Resolves when the rows are sure to be on disk before any append that is called afterwards. */
  put(rows: readonly KeyRow[]): Promise<void>;
  /** Destroys every key of a subject and overwrites its place. */
  destroy(subject: string): Promise<void>;
  /** At most so many keys that are not destroyed, in order of id, after an id or from the first; fewer only at the end. */
  page(after: string | null, limit: number): Promise<readonly KeyRow[]>;
}

export interface Lease {
  /** Grows with each new holder: what an older one wrote can be told from what this one writes. */
  readonly epoch: number;
  /** False when the lease was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Leases {
  /** Null while somebody else holds it. A holder that died is followed within `ttlMs`, at once where its death can be seen. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Everything a storage engine gives. Log and read models are chosen apart. */
export interface LogEngine {
  readonly events: EventStore;
  readonly keys: KeyStore;
}
export interface ViewEngine {
  readonly views: ReadModels;
  readonly leases: Leases;
}
