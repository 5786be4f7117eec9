import { type Checkpoint, isAfter, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';

/** An event that is decoded on first use, once for all consumers. */
export interface LazyEvent {
  readonly type: string;
  readonly position: string;
  readonly recorded: RecordedEvent;
  decode(): LogEvent;
}

/** The events of the log after one position, up to another one. */
export interface FeedPage {
  readonly after: Checkpoint;
  readonly upTo: Checkpoint;
  readonly events: readonly LazyEvent[];
  /** What its events take in memory, by estimate. */
  readonly bytes: number;
}

/** The ids, names and metadata of an event, and the objects that it is decoded to, by measurement; they are most of a small event. */
const BYTES_BESIDE_DATA = 900;

/** Of one event in memory: its data is held as text and decoded. */
export const bytesInMemory = ({ data }: Pick<RecordedEvent, 'data'>): number => 2 * data.length + BYTES_BESIDE_DATA;

const PAGE_EVENTS = 1_000;

/** A page read for one consumer alone. */
export async function readPage(log: EventLog, after: Checkpoint, limit = PAGE_EVENTS): Promise<FeedPage> {
  const page = await log.store.readAll(after, limit);
  return toFeedPage(log, after, page);
}

/** Throws UnknownEventType where a newer release wrote one of the events. */
export function toFeedPage(log: EventLog, after: Checkpoint, { events, upTo }: { events: readonly RecordedEvent[]; upTo: Checkpoint }): FeedPage {
  for (const recorded of events) log.requireKnown(recorded);
  return {
    after,
    upTo,
    events: events.map((recorded) => lazyEvent(log, recorded)),
    bytes: events.reduce((sum, event) => sum + bytesInMemory(event), 0),
  };
}

function lazyEvent(log: EventLog, recorded: RecordedEvent): LazyEvent {
  let decoded: LogEvent | undefined;
  return {
    type: recorded.type,
    position: recorded.position,
    recorded,
    decode: () => {
      decoded ??= log.decode(recorded);
      return decoded;
    },
  };
}

/**
 * The events after a position, of consecutive pages: of the one that contains the position, and of those after it while together
 * they have at most this many events and bytes.
 */
export function joinPages(pages: readonly FeedPage[], after: Checkpoint, maxEvents: number, maxBytes: number): FeedPage | null {
  const first = firstBeyond(pages, after);
  const head = pages[first];
  if (!head) return null;
  let [end, count, bytes] = [first + 1, head.events.length, head.bytes];
  for (; end < pages.length; end++) {
    const next = pages[end] as FeedPage;
    if (count + next.events.length > maxEvents || bytes + next.bytes > maxBytes) break;
    count += next.events.length;
    bytes += next.bytes;
  }
  if (end === first + 1) return cutBefore(head, after);
  const rest = pages.slice(first + 1, end);
  const events = [...cutBefore(head, after).events, ...rest.flatMap((page) => page.events)];
  return { after, upTo: (rest.at(-1) as FeedPage).upTo, events, bytes };
}

/** The index of the first page with events after the position, found by bisection; the number of pages where none has any. */
function firstBeyond(pages: readonly FeedPage[], after: Checkpoint): number {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter((pages[middle] as FeedPage).upTo, after)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The part of a page after a position. */
function cutBefore(page: FeedPage, after: Checkpoint): FeedPage {
  if (!isAfter(after, page.after)) return page;
  return { ...page, after, events: page.events.filter(({ position }) => isAfter(position, after)) };
}

/** The part of a page up to a position. */
export function cutAfter(page: FeedPage, until: Checkpoint): FeedPage {
  if (!isAfter(page.upTo, until)) return page;
  const events = page.events.filter(({ position }) => !isAfter(position, until));
  return { ...page, events, upTo: events.at(-1)?.position ?? page.after };
}
