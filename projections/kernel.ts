import type { AnyEvent } from '../domain/kernel/event.js';
import type { CollectionSpec, Doc, DocumentRef } from '../domain/kernel/ports.js';
import type { LogEvent } from '../log/log-event.js';

/** One page's working copy of a projection's documents; the runner commits it together with the checkpoint. */
export interface View {
  /** Whether `reads` or `readsMore` named the document. */
  isLoaded(collection: string, id: string): boolean;
  get<D extends Doc>(collection: string, id: string): D | undefined;
  put(collection: string, doc: Doc): void;
  remove(collection: string, id: string): void;
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
  readonly reads: (stored: LogEvent<E>) => readonly DocumentRef[];
  /** Further documents, which depend on loaded ones: called right before `apply`, until it names no new one. */
  readonly readsMore?: (stored: LogEvent<E>, view: View) => readonly DocumentRef[];
  readonly apply: (stored: LogEvent<E>, view: View) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds projections of every kind of event
export type AnyProjection = Projection<any>;
