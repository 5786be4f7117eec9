import { type Checkpoint, type Clock, isAfter, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { EventLog } from '../runtime/event-log.js';
import { type FeedPage, joinPages, toFeedPage } from './page.js';
import { RecentLoad } from './recent-load.js';
import type { FeedTuning } from './tuning.js';

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
