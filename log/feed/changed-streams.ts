import { type Checkpoint, isAfter, type Position, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { LogFeed } from './log-feed.js';
import type { FeedPage, LazyEvent } from './pages.js';

/** What a cache wants of the log, by prefixes of stream names: names only, or whole events. */
export interface StreamFilter {
  readonly streams: readonly string[];
  readonly events: readonly string[];
  /** The accounts whose changes of resources are wanted. */
  readonly accounts?: readonly string[];
}

/** What an event of the log means for something that callers name by an id. */
export interface ResourceChange {
  readonly account: string;
  readonly resource: string;
  /** Null for many of them. */
  readonly id: string | null;
  readonly change: 'created' | 'updated' | 'deleted' | 'many';
  readonly position: Position;
}

/** The changes that an event means, where it is of one of these accounts. Must not throw. */
export type ChangesOfEvent = (event: LazyEvent, accounts: ReadonlySet<string>) => readonly ResourceChange[];

/** Streams that were appended to, one for each event, and events, after one position of the log up to another. */
export interface ChangedStreamsPage {
  readonly after: Checkpoint;
  readonly upTo: Checkpoint;
  readonly streams: readonly (readonly [stream: string, position: Position])[];
  readonly events: readonly RecordedEvent[];
  readonly changes: readonly ResourceChange[];
  /** How many events the log has there. */
  readonly size: number;
}

/** Where caches learn what was appended to the log. */
export interface ChangedStreamFeed {
  /** All pages after a position, also those without any wanted name. Ends at `until`, otherwise when the signal aborts. */
  pages(wanted: StreamFilter, after: Checkpoint, signal: AbortSignal, until?: Checkpoint): AsyncIterable<ChangedStreamsPage>;
}

/** The names of a feed of the same thread; and the changes, where `changesOf` finds them. */
export const changedStreamsOf = (feed: LogFeed, changesOf: ChangesOfEvent = () => []): ChangedStreamFeed => ({
  async *pages(wanted, after, signal, until) {
    const cursor = feed.open();
    try {
      for (let at = after; until === undefined || isAfter(until, at); ) {
        const page = await cursor.next(at, signal);
        if (!page) return;
        at = page.upTo;
        yield select(page, wanted, changesOf);
      }
    } finally {
      cursor.close();
    }
  },
});

function select({ after, upTo, events }: FeedPage, wanted: StreamFilter, changesOf: ChangesOfEvent): ChangedStreamsPage {
  const accounts = new Set(wanted.accounts);
  const beginsWith = (stream: string) => (prefix: string) => stream.startsWith(prefix);
  return {
    after,
    upTo,
    streams: events.flatMap(({ position, recorded: { stream } }) => (wanted.streams.some(beginsWith(stream)) ? [[stream, position] as const] : [])),
    events: events.flatMap(({ recorded }) => (wanted.events.some(beginsWith(recorded.stream)) ? [recorded] : [])),
    changes: accounts.size === 0 ? [] : events.flatMap((event) => changesOf(event, accounts)),
    size: events.length,
  };
}
