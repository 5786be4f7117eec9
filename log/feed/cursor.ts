import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { FeedPage } from './pages.js';

/** How a consumer waits for a page. */
export interface NextOptions {
  /** Resolve with null after this many milliseconds without a page. */
  readonly waitMs?: number;
  /** Wait a little after a page of many events, so that the next one has more of them. */
  readonly gather?: boolean;
  /** Pages that the consumer does not wait for. */
  readonly skip?: SkippedPages;
  /** Large pages go to it before others that wait for theirs. */
  readonly isUrgent?: boolean;
}

/** Most pages concern few of the consumers: the others pass over them without being woken. */
export interface SkippedPages {
  /** Called with each page as it comes, in order. True where the consumer is done with the page. Must not throw. */
  readonly pass: (page: FeedPage) => boolean;
  /** Resolve with null this many milliseconds after the first page that was passed over. */
  readonly ms: number;
}

/** One consumer of a feed. */
export interface FeedCursor {
  /** The next events after a position up to which the consumer is done; null after `waitMs`, or when a signal aborts. */
  next(after: Checkpoint, signal: AbortSignal, options?: NextOptions): Promise<FeedPage | null>;
  /** Must be called in the end: readers wait for their consumers. */
  close(): void;
}
