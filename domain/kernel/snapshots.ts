import type { Revision } from './event-store.js';

/** The state of a stream up to a revision. */
export interface Snapshot {
  readonly revision: Revision;
  /** The state as its fold writes it. */
  readonly content: string;
}

/**
 * Snapshots of streams that grow: the last one of each stream and fold. They only save reading: without one, the stream is
 * folded from its beginning. Personal fields in them are sealed like those of events.
 */
export interface Snapshots {
  find(stream: string, fold: string): Promise<Snapshot | undefined>;
  /** Replaces the one of this stream and fold, if there is one. */
  put(stream: string, fold: string, snapshot: Snapshot): Promise<void>;
}
