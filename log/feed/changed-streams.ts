import { type Checkpoint, isAfter, type Position, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { LogFeed } from './log-feed.js';
import type { FeedPage } from './pages.js';

/** What a cache wants of the log, by prefixes of stream names: names only, or whole events. */
export interface StreamFilter {
  readonly streams: readonly string[];
  readonly events: readonly string[];
}

/** Streams that were appended to, one for each event, and events, after one position of the log up to another. */
export interface ChangedStreamsPage {
  readonly after: Checkpoint;
  readonly upTo: Checkpoint;
  readonly streams: readonly (readonly [stream: string, position: Position])[];
  readonly events: readonly RecordedEvent[];
}

/** Where caches learn what was appended to the log. */
export interface ChangedStreamFeed {
  /** All pages after a position, also those without any wanted name. Ends at `until`, otherwise when the signal aborts. */
  pages(wanted: StreamFilter, after: Checkpoint, signal: AbortSignal, until?: Checkpoint): AsyncIterable<ChangedStreamsPage>;
}

/** The names of a feed of the same thread. */
export const changedStreamsOf = (feed: LogFeed): ChangedStreamFeed => ({
  async *pages(wanted, after, signal, until) {
    const cursor = feed.open();
    try {
      for (let at = after; until === undefined || isAfter(until, at); ) {
        const page = await cursor.next(at, signal);
        if (!page) return;
        at = page.upTo;
        yield select(page, wanted);
      }
    } finally {
      cursor.close();
    }
  },
});

function select({ after, upTo, events }: FeedPage, wanted: StreamFilter): ChangedStreamsPage {
  const beginsWith = (stream: string) => (prefix: string) => stream.startsWith(prefix);
  return {
    after,
    upTo,
    streams: events.flatMap(({ position, recorded: { stream } }) => (wanted.streams.some(beginsWith(stream)) ? [[stream, position] as const] : [])),
    events: events.flatMap(({ recorded }) => (wanted.events.some(beginsWith(recorded.stream)) ? [recorded] : [])),
  };
}
