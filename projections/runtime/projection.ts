import type { AnyEvent } from '../../domain/kernel/event.js';
import type { CollectionSpec, Doc, DocumentRef, Partition, PartitionKeys } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** One page's working copy of a projection's documents; the runner commits it together with the checkpoint. */
export interface View {
  /** The partition that the page is applied to; of a projection that is not divided, the only one. */
  readonly partition: Partition;
  /** Whether `reads` or `readsMore` named the document. */
  isLoaded(collection: string, id: string): boolean;
  get<D extends Doc>(collection: string, id: string): D | undefined;
  put(collection: string, doc: Doc): void;
  remove(collection: string, id: string): void;
}

/**
 * Declares that a projection decides by personal fields. They are opened a page at a time, and `openedFieldsOf(stored)` gives them to
 * `reads` and `apply`. See `openedProjection`.
 */
export interface OpenedFieldsSpec<E extends AnyEvent = AnyEvent> {
  /** Only types whose data subjects are contacts or addresses: the keys of other subjects are destroyed without an erasure. */
  readonly types: readonly E['type'][];
  /**
   * Collections whose documents depend on opened fields. The id of each is its data subject, or begins with it and a slash. They are
   * removed when the subject is erased, and no other document may depend on them.
   */
  readonly collections: readonly string[];
  /**
   * Other data subjects that a document may depend on besides the one that its id names. Only those that are erased together with that
   * one, or whose part in the document ends by an event, such as contacts that are merged into it.
   */
  readonly furtherSubjects?: (doc: Doc) => readonly string[];
  /** Which partitions have the documents of erased subjects, where their keys are not these subjects. */
  readonly partitionsOfErasure?: (stored: LogEvent) => PartitionKeys;
}

/**
 * A projection is a value. `apply` is pure and folds one event into the view. `reads` names the documents that `apply` reads,
 * so that those of a whole page of events are loaded with one call.
 */
export interface Projection<E extends AnyEvent = AnyEvent> {
  readonly name: string;
  /** Raised when `apply` changes meaning: the new version is built beside the old one and takes over when it has caught up. */
  readonly version: number;
  readonly handles: readonly E['type'][];
  readonly collections: Readonly<Record<string, CollectionSpec>>;
  /**
   * Divides the documents among the partitions of the store, by keys. An event is applied once for each partition that it concerns;
   * each writes only what belongs to it, and no document of another one.
   */
  readonly partitionsOf?: (stored: LogEvent<E>) => PartitionKeys;
  readonly reads: (stored: LogEvent<E>, partition: Partition) => readonly DocumentRef[];
  /** Further documents, which depend on loaded ones: called right before `apply`, until it names no new one. */
  readonly readsMore?: (stored: LogEvent<E>, view: View) => readonly DocumentRef[];
  readonly apply: (stored: LogEvent<E>, view: View) => void;
  /**
   * Earlier events that are applied again right after an event, up to a page of them: a projection that learns by it what to keep reads
   * the past in parts. Their `again` is that event. They are of types in `handles`.
   */
  readonly expand?: (stored: LogEvent<E>, log: EventLog) => Promise<readonly LogEvent[]>;
  /** Somebody waits for what follows from its documents: where its thread has much to do, it comes before others. */
  readonly isUrgent?: true;
  /** Set by `openedProjection`. */
  readonly opens?: OpenedFieldsSpec<E>;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds projections of every kind of event
export type AnyProjection = Projection<any>;
