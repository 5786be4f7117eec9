import { type Checkpoint, type Clock, isAfter, type Recorded, StoreUnavailable, type Timer } from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { LogEvent } from '../log/log-event.js';

/** An event that is decoded on first use, once for all readers. */
export interface LazyEvent {
  readonly type: string;
  readonly position: string;
  decode(): LogEvent;
}

export interface SharedPage {
  readonly after: Checkpoint;
  readonly upTo: Checkpoint;
  readonly events: readonly LazyEvent[];
}

const PAGE_EVENTS = 1_000;
/** Buffered pages, for readers that are a little behind. */
const MAX_BUFFERED_PAGES = 32;
/**
 * After a page of many events the subscription waits for more, in proportion to their number, so that one commit of each read
 * model covers them all. A single event causes no wait.
 */
const BATCH_MS_PER_EVENT = 0.25;
const MAX_BATCH_MS = 100;
/** How many pages the subscription reads ahead of the fastest reader. */
const MAX_READ_AHEAD = 4;
/** Delay before the head of the log is read again, where the store is unavailable at the start. */
const RETRY_MS = 500;

/**
 * One subscription to the log for all projections of a node: each event is read and parsed once for all of them. A reader that
 * is behind the buffered pages reads its own pages until it has caught up.
 */
export class SharedSubscription {
  readonly #buffered: SharedPage[] = [];
  #pagesRead = 0;
  #pagesTaken = 0;
  #waiting: (() => void)[] = [];
  #subscribedAt: Checkpoint = 'start';
  /** The furthest position after which a reader waits. It lies beyond all buffered pages where another node has moved that reader's checkpoint. */
  #furthestReader: Checkpoint = 'start';

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.#notify());
  }

  /** Subscribes from the present head of the log until the signal aborts. */
  async run(): Promise<void> {
    let after = await this.#head();
    while (!this.signal.aborted) after = await this.#subscribe(after);
    this.#notify();
  }

  /** Buffers pages until the signal aborts, or until a reader waits further on. Returns the position to subscribe from next. */
  async #subscribe(begin: Checkpoint): Promise<Checkpoint> {
    let after = begin;
    this.#subscribedAt = after;
    this.#buffered.length = 0;
    this.#notify();
    for await (const page of this.log.store.subscribe(after, this.signal, PAGE_EVENTS)) {
      this.#buffered.push({ after, upTo: page.upTo, events: page.events.map((recorded) => lazyEvent(this.log, recorded)) });
      if (this.#buffered.length > MAX_BUFFERED_PAGES) this.#buffered.shift();
      after = page.upTo;
      this.#pagesRead += 1;
      this.#notify();
      while (this.#pagesRead - this.#pagesTaken > MAX_READ_AHEAD && !this.signal.aborted) await this.#change();
      if (isAfter(this.#furthestReader, after)) return this.#furthestReader;
      if (page.caughtUp) await this.#waitForBatch(page.events.length);
    }
    return after;
  }

  async #waitForBatch(events: number): Promise<void> {
    const ms = Math.min(MAX_BATCH_MS, Math.floor(events * BATCH_MS_PER_EVENT));
    if (ms > 0) await this.clock.sleep(ms, this.signal);
  }

  async #head(): Promise<Checkpoint> {
    for (;;) {
      try {
        return await this.log.store.head();
      } catch (e) {
        if (!(e instanceof StoreUnavailable)) throw e;
        await this.clock.sleep(RETRY_MS, this.signal);
        if (this.signal.aborted) return 'start';
      }
    }
  }

  /** The next page after a position; null after `waitMs` without one, or when either signal aborts. */
  async next(after: Checkpoint, signal: AbortSignal, waitMs?: number): Promise<SharedPage | null> {
    const wake = () => this.#notify();
    const deadline = waitMs === undefined ? undefined : new Deadline(waitMs, this.clock, wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      return await this.#next(after, signal, deadline);
    } finally {
      deadline?.cancel();
      signal.removeEventListener('abort', wake);
    }
  }

  async #next(after: Checkpoint, signal: AbortSignal, deadline?: Deadline): Promise<SharedPage | null> {
    while (!this.signal.aborted && !signal.aborted) {
      const index = this.#buffered.findLastIndex((page) => !isAfter(page.after, after) && isAfter(page.upTo, after));
      if (index !== -1) {
        this.#pagesTaken = Math.max(this.#pagesTaken, this.#pagesRead - this.#buffered.length + index + 1);
        this.#notify();
        return slicePage(this.#buffered[index] as SharedPage, after);
      }
      const newest = this.#buffered.at(-1)?.upTo ?? this.#subscribedAt;
      if (isAfter(newest, after)) return slicePage(await readPage(this.log, after), after, newest);
      if (deadline?.passed) return null;
      this.#noteWaiting(after);
      await this.#change();
    }
    return null;
  }

  /**
   * A reader that waits has taken all buffered pages. Where no reader took a page for long (another node ran all projections),
   * the subscription lags behind this reader: it continues from the reader's position.
   */
  #noteWaiting(after: Checkpoint): void {
    const taken = this.#pagesTaken === this.#pagesRead;
    this.#pagesTaken = this.#pagesRead;
    if (isAfter(after, this.#furthestReader)) this.#furthestReader = after;
    if (!taken) this.#notify();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.signal.aborted) resolve();
    });
  }

  #notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** A page read for one reader alone. */
export async function readPage(log: EventLog, after: Checkpoint, limit = PAGE_EVENTS): Promise<SharedPage> {
  const page = await log.store.readAll(after, limit);
  return { after, upTo: page.upTo, events: page.events.map((recorded) => lazyEvent(log, recorded)) };
}

function lazyEvent(log: EventLog, recorded: Recorded): LazyEvent {
  let decoded: LogEvent | undefined;
  return {
    type: recorded.type,
    position: recorded.position,
    decode: () => {
      decoded ??= log.decode(recorded);
      return decoded;
    },
  };
}

/** A timeout that can be checked and cancelled. */
class Deadline {
  passed = false;
  readonly #timer: Timer;

  constructor(ms: number, clock: Clock, onPassed: () => void) {
    this.#timer = clock.timer(ms, () => {
      this.passed = true;
      onPassed();
    });
  }

  cancel(): void {
    this.#timer.cancel();
  }
}

/** The part of a page after one position and up to another, so that readers with different checkpoints share the same page ends. */
function slicePage(page: SharedPage, after: Checkpoint, upTo: Checkpoint = page.upTo): SharedPage {
  if (page.after === after && !isAfter(page.upTo, upTo)) return page;
  const end = isAfter(page.upTo, upTo) ? upTo : page.upTo;
  return { after, upTo: end, events: page.events.filter(({ position }) => isAfter(position, after) && !isAfter(position, end)) };
}
