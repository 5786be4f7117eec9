/** Pages of the log: events that are decoded once for all consumers, and the reading ahead of them. */

import { type Checkpoint, type Clock, isAfter, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import { RecentLoad } from './recent-load.js';
import type { FeedTuning } from './tuning.js';

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
function toFeedPage(log: EventLog, after: Checkpoint, { events, upTo }: { events: readonly RecordedEvent[]; upTo: Checkpoint }): FeedPage {
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
function joinPages(pages: readonly FeedPage[], after: Checkpoint, maxEvents: number, maxBytes: number): FeedPage | null {
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

export interface ReaderParts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly tuning: FeedTuning;
  /** The positions of the consumers that take their pages from this reader. */
  readonly consumers: (reader: FeedReader) => readonly Checkpoint[];
  /** Whether another reader has what this one would read next. */
  readonly isCovered: (reader: FeedReader) => boolean;
  /** Resolves when a consumer has moved or a reader has a new page, and after `ms` milliseconds. */
  readonly change: (ms?: number) => Promise<void>;
  readonly onPage: () => void;
}

/**
 * One subscription to the log, and its latest pages. As long as it is behind it reads as fast as the slowest of its consumers
 * goes on. Once it is live it waits for none: who is slower by more than the kept bytes must go on with another reader.
 */
export class FeedReader {
  #pages: FeedPage[] = [];
  #bytes = 0;
  #end: Checkpoint;
  #isLive = false;
  readonly #ending = new AbortController();

  constructor(
    after: Checkpoint,
    private readonly parts: ReaderParts,
  ) {
    this.#end = after;
  }

  /** The position after which its kept pages begin. */
  get from(): Checkpoint {
    return this.#pages[0]?.after ?? this.#end;
  }

  /** Up to where it has read. */
  get end(): Checkpoint {
    return this.#end;
  }

  /** Whether it has reached the end of the log. */
  get isLive(): boolean {
    return this.#isLive;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The kept events after a position, as many as one page may have, or null. */
  take(after: Checkpoint): FeedPage | null {
    const { events, liveEvents, bytes } = this.parts.tuning.page;
    return joinPages(this.#pages, after, this.#isLive ? liveEvents : events, bytes);
  }

  /** Whether it has given out all that it has read up to this position. */
  isLast({ upTo }: FeedPage): boolean {
    return upTo === this.#end;
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Reads until the signal aborts or the reader is stopped. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, clock, tuning } = this.parts;
    const ended = AbortSignal.any([signal, this.#ending.signal]);
    const load = new RecentLoad(clock, tuning.linger);
    for await (const page of log.store.subscribe(this.#end, ended, tuning.page.liveEvents)) {
      if (isAfter(page.upTo, this.#end)) this.#keep(toFeedPage(log, this.#end, { ...page, events: this.#unknown(page.events) }));
      this.#isLive ||= page.caughtUp;
      this.parts.onPage();
      load.add(page.events.length);
      if (page.caughtUp) {
        const ms = load.gatherMs();
        if (ms > 0) await clock.sleep(ms, ended);
      } else await clock.yieldToEventLoop();
      await this.#waitForRoom(ended);
    }
  }

  /** Drops pages that all consumers have, beyond what is kept at rest. */
  trim(): void {
    if (!this.#isLive || this.#bytes <= this.parts.tuning.restBytes) return;
    const slowest = lowest(this.parts.consumers(this));
    while (this.#bytes > this.parts.tuning.restBytes && this.#hasPassedFirst(slowest)) this.#drop();
  }

  /** A store may give events again, for example after it has reconnected. */
  #unknown(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const [first] = events;
    return first && !isAfter(first.position, this.#end) ? events.filter(({ position }) => isAfter(position, this.#end)) : events;
  }

  #keep(page: FeedPage): void {
    this.#pages.push(page);
    this.#bytes += page.bytes;
    this.#end = page.upTo;
    while (this.#bytes > this.parts.tuning.keptBytes && this.#pages.length > 1) this.#drop();
  }

  #drop(): void {
    this.#bytes -= this.#pages.shift()?.bytes ?? 0;
  }

  async #waitForRoom(ended: AbortSignal): Promise<void> {
    const { clock, tuning } = this.parts;
    let slowest: Checkpoint | undefined;
    for (let since = clock.monotonic(); !ended.aborted; ) {
      const positions = this.parts.consumers(this);
      const before = slowest;
      slowest = lowest(positions);
      if (slowest !== before) since = clock.monotonic();
      const isWanted = positions.length > 0 && !this.parts.isCovered(this) && this.#unread(highest(positions)) <= tuning.aheadBytes;
      const isImpatient = clock.monotonic() - since >= tuning.patienceMs;
      if (isWanted && (this.#isLive || this.#bytes < tuning.keptBytes || this.#hasPassedFirst(slowest) || isImpatient)) return;
      await this.parts.change(tuning.patienceMs);
    }
  }

  #hasPassedFirst(slowest: Checkpoint | undefined): boolean {
    const [first] = this.#pages;
    return first !== undefined && slowest !== undefined && !isAfter(first.upTo, slowest);
  }

  #unread(after: Checkpoint | undefined): number {
    let bytes = 0;
    for (let i = this.#pages.length - 1; i >= 0; i--) {
      const page = this.#pages[i] as FeedPage;
      if (after === undefined || !isAfter(page.upTo, after)) break;
      bytes += page.bytes;
    }
    return bytes;
  }
}

const lowest = (positions: readonly Checkpoint[]): Checkpoint | undefined =>
  positions.reduce<Checkpoint | undefined>((low, at) => (low === undefined || isAfter(low, at) ? at : low), undefined);
const highest = (positions: readonly Checkpoint[]): Checkpoint | undefined =>
  positions.reduce<Checkpoint | undefined>((high, at) => (high === undefined || isAfter(at, high) ? at : high), undefined);
