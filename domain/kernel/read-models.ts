import type { Checkpoint, Position } from './event-store.js';
import type { PartitionKeys } from './partitions.js';

export type Value = string | number | boolean | null;
/** A document: an `id` and the projection's own fields. Indexed fields hold a Value, or a list of Values if the index is `multi`. */
export type Doc = { readonly id: string } & { readonly [field: string]: unknown };

export interface CollectionSpec {
  /** Each index is a list of fields: equality on all but the last, equality or order on the last. */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Indexed fields that hold one of few texts, or null, and that `where` alone asks for, not a range or an order. An engine may store
   * each text once.
   */
  readonly keywords?: readonly string[];
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

/** Documents up to a budget of bytes. */
export interface FoundPage<D extends Doc = Doc> {
  readonly docs: readonly D[];
  /** UTF-16 units of the JSON of all of them. */
  readonly bytes: number;
  /** Whether the budget ended the page, and not the limit or the last document. */
  readonly cut: boolean;
}

/** The documents of one collection as queries see them: always those of the generation in force. */
export interface Docs<D extends Doc = Doc> {
  get(id: string): Promise<D | undefined>;
  /** In the order of the ids, with one query. At most some hundred ids. */
  getMany(ids: readonly string[]): Promise<(D | undefined)[]>;
  find(query: Find): Promise<D[]>;
  /** The same, ending with the document that reaches `maxBytes`. */
  findPage(query: Find, maxBytes: number): Promise<FoundPage<D>>;
  /** Of a range alone, where it is given. Counts no further than `limit`. */
  count(where: Find['where'], within?: Pick<Find, 'range'> & { readonly limit?: number }): Promise<number>;
  /** All values of a field, each once. */
  distinct(field: string): Promise<Value[]>;
}

export interface ViewSpec {
  readonly name: string;
  readonly version: number;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
  /** Present where the documents are divided: generations then have as many partitions as the store, otherwise one. */
  readonly partitionsOf?: (event: never) => PartitionKeys;
}

/** One changed document. `before` is undefined where it is created, `after` where it is deleted. */
export type Op =
  | { readonly collection: string; readonly id: string; readonly before: Doc | undefined; readonly after: Doc }
  | { readonly collection: string; readonly id: string; readonly before: Doc; readonly after: undefined };

export interface DocumentRef {
  readonly collection: string;
  readonly id: string;
  /** True where no such document can exist yet, which saves reading it. */
  readonly fresh?: boolean;
}

/** The documents of one generation as they were at one checkpoint, whatever is committed meanwhile. */
export interface ViewSnapshot {
  /** The lowest of the partitions' checkpoints. */
  checkpoint(): Promise<Checkpoint>;
  /** By partition. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  /** All documents in order of id. */
  scan(collection: string): AsyncIterable<Doc>;
  close(): Promise<void>;
}

/**
 * Some partitions of one generation of one projection, or all, for their only writer. Partitions share the collections; a
 * document is written by one of them only.
 */
export interface ViewWriter extends ViewSnapshot {
  readonly generation: number;
  /** Those that it writes, in order. */
  readonly partitions: readonly number[];
  /** How many the generation has. */
  readonly partitionCount: number;
  /** Whether a load is a call to a server: then one of many documents takes about as long as one of a single document. */
  readonly isRemote?: boolean;
  /** The checkpoints of those that it writes, in their order. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  /** A writer of some of the partitions of the same generation, whether in force or not. */
  narrow(partitions: readonly number[]): Promise<ViewWriter>;
  load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]>;
  /** The ids of a collection that begin with a prefix, which is not empty. */
  idsWithPrefix(collection: string, prefix: string): Promise<string[]>;
  /**
   * Documents and the checkpoints of all its partitions together, or nothing. 'mismatch': one of them is not at `from`, or another
   * generation took over.
   */
  commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'>;
  /**
   * Lets readers of this process treat the projection as being at `position`, without a write: no event up to it concerns the
   * projection. The next commit still starts from the checkpoint. Without this method the runner commits every page.
   */
  skipTo?(position: Position): void;
}

export interface ViewStatus {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  /** The lowest checkpoint of its partitions. */
  readonly position: Checkpoint;
  /** The checkpoint of each partition of the generation. */
  readonly positions: readonly Checkpoint[];
  /** Why a projection stopped, in any of its partitions, or null. */
  readonly halted: string | null;
}

/** The changes of the documents of one partition, as far as this process knows of them. */
export interface DocumentWatch {
  /**
   * How many there were so far. A commit of another process may count although it changed no document. Read this before loading
   * documents: a change meanwhile then ends the next wait at once.
   */
  readonly notified: number;
  /** Resolves when there are more than `notified`, after `ms` milliseconds, or when the signal aborts. */
  waitForNext(notified: number, options: { readonly ms?: number; readonly signal?: AbortSignal }): Promise<void>;
}

export interface ReadModels {
  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D>;
  /** The number of partitions of divided read models. It is fixed when the store is first used. */
  partitions(): Promise<number>;
  /** Fixes the number of partitions of a store that is not in use yet. Returns the number in force: another one if it was fixed before. */
  fixPartitions(count: number): Promise<number>;
  /** Opens some partitions of the generation in force, or all, creating the first generation. Throws where it has no such partition. */
  writer(spec: ViewSpec, partitions?: readonly number[]): Promise<ViewWriter>;
  /** A new, empty generation beside the one in force. */
  shadow(spec: ViewSpec): Promise<ViewWriter>;
  /** Puts a shadow in force if each of its checkpoints has reached the generation in force; readers switch at once. */
  promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'>;
  discard(spec: ViewSpec, shadow: ViewWriter): Promise<void>;
  /** A consistent snapshot of the generation in force. Close it soon: a store may retain overwritten data until then. */
  snapshot(spec: ViewSpec): Promise<ViewSnapshot>;
  status(spec: ViewSpec): Promise<ViewStatus>;
  /**
   * The checkpoint of each partition as this process knows it: `waitUntilReached` and commits renew it. Documents that are read
   * afterward are at least as new. Cheaper than `status` where the store is a server.
   */
  positions(spec: ViewSpec): Promise<readonly Checkpoint[]>;
  /** Stores why these partitions stopped, or that they go on; all of them where none are named. */
  halt(spec: ViewSpec, reason: string | null, partitions?: readonly number[]): Promise<void>;
  /**
   * True once the generation in force has reached the position, in one partition or in all; false after the timeout, or when the
   * signal aborts.
   */
  waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal, partition?: number): Promise<boolean>;
  /** Watches the documents of one partition until the signal aborts. Without this method readers look after every page. */
  watch?(spec: ViewSpec, partition: number, signal: AbortSignal): DocumentWatch;
  close(): Promise<void>;
}

/** The least text after all that begin with a prefix: its last character, which is ASCII, replaced by the next one. */
export const endOfPrefix = (prefix: string): string => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
