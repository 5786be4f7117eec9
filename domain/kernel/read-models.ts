import type { Checkpoint, Position } from './event-store.js';

export type Value = string | number | boolean | null;
/** A document: an `id` and the projection's own fields. Indexed fields hold a Value, or a list of Values if the index is `multi`. */
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
  find(query: Find): Promise<D[]>;
  /** The same, ending with the document that reaches `maxBytes`. */
  findPage(query: Find, maxBytes: number): Promise<FoundPage<D>>;
  count(where: Find['where']): Promise<number>;
  /** All values of a field, each once. */
  distinct(field: string): Promise<Value[]>;
}

export interface ViewSpec {
  readonly name: string;
  readonly version: number;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
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
  checkpoint(): Promise<Checkpoint>;
  /** All documents in order of id. */
  scan(collection: string): AsyncIterable<Doc>;
  close(): Promise<void>;
}

/** One generation of one projection, for its only writer. */
export interface ViewWriter extends ViewSnapshot {
  readonly generation: number;
  load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]>;
  /** Documents and checkpoint together, or neither. 'mismatch': another writer moved the checkpoint, or another generation took over. */
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
  /** Puts a shadow in force if its checkpoint has reached the one in force; readers switch at once. */
  promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'>;
  discard(spec: ViewSpec, shadow: ViewWriter): Promise<void>;
  /** A consistent snapshot of the generation in force. Close it soon: a store may retain overwritten data until then. */
  snapshot(spec: ViewSpec): Promise<ViewSnapshot>;
  status(spec: ViewSpec): Promise<ViewStatus>;
  halt(spec: ViewSpec, reason: string | null): Promise<void>;
  /** True once the generation in force has reached the position; false after the timeout, or when the signal aborts. */
  waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
