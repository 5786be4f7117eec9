import type { Timer } from '../../domain/kernel/clock.js';
import { type Checkpoint, type Clock, isAfter } from '../../domain/kernel/ports.js';
import type { EventLog } from '../runtime/event-log.js';
import type { FeedCursor, NextOptions, SkippedPages } from './cursor.js';
import { type FeedPage, FeedReader, type ReaderParts } from './pages.js';
import { FEED_TUNING, type FeedTuning } from './tuning.js';
import { Turns } from './turns.js';

/** Pages of this size and larger are given out one after the other. */
const YIELD_EVENTS = 64;

interface Consumer {
  at: Checkpoint;
  /** Since when no reader has its position, by the monotonic clock. */
  lostSince: number | null;
  needsReader: boolean;
  /** No page before this time. */
  heldUntil: number;
}

/** One wait of a consumer for a page. */
interface Wait {
  /** The page, null at the end of the wait, and undefined as long as there is none. */
  readonly attempt: () => FeedPage | null | undefined;
  readonly settle: (page: FeedPage | null) => void;
}

/**
 * Reads the log once for all consumers of a thread: each event is read and parsed once for all of them. Consumers that are behind
 * share one reader, which begins at the lowest of their positions; those further on join it as it passes them. Once it has
 * reached the end of the log it is the reader of all.
 */
export class LogFeed {
  readonly #readers: FeedReader[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #consumers = new Set<Consumer>();
  readonly #unused = new Map<FeedReader, number>();
  readonly #waiting = new Set<Wait>();
  #readersWaiting: (() => void)[] = [];
  #expected = 0;
  /** Of those that get a large page. */
  readonly #turns: Turns;
  #startBy: number | null = null;
  #fail: (error: unknown) => void = () => {};
  #hasFailed = false;
  readonly #failed: Promise<never>;
  readonly #readerParts: ReaderParts;

  constructor(
    readonly log: EventLog,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
    private readonly tuning: FeedTuning = FEED_TUNING,
  ) {
    this.#turns = new Turns(clock);
    this.#failed = new Promise((_, reject) => {
      this.#fail = (error) => {
        this.#hasFailed = true;
        reject(error);
      };
    });
    this.#failed.catch(() => {});
    this.#readerParts = {
      log,
      clock,
      tuning,
      consumers: (reader) => [...this.#consumers].filter(({ at }) => this.#readerOf(at) === reader).map(({ at }) => at),
      isCovered: (reader) => this.#readerOf(reader.end) !== reader,
      change: (ms) => this.#readerChange(ms),
      onPage: () => this.#notifyAll(),
    };
    signal.addEventListener('abort', () => this.#notifyAll(), { once: true });
  }

  /** Resolves when the signal has aborted and all reading has ended. Throws what a subscription throws: the log is closed, or malformed. */
  async run(): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (this.signal.aborted) resolve();
      else this.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([aborted, this.#failed]);
    await Promise.all(this.#running);
  }

  /** Announces consumers that will soon ask for their first page: the first reader begins at the lowest position of all. */
  expect(count: number): void {
    this.#expected += count;
  }

  open(): FeedCursor {
    const consumer: Consumer = { at: 'start', lostSince: null, needsReader: false, heldUntil: 0 };
    return {
      next: async (after, signal, options = {}) => {
        if (!this.#consumers.has(consumer)) {
          this.#consumers.add(consumer);
          this.#expected = Math.max(0, this.#expected - 1);
        }
        consumer.at = after;
        this.#notifyReaders();
        return this.#withDeadline(consumer, signal, options);
      },
      close: () => {
        this.#consumers.delete(consumer);
        this.#notifyReaders();
        this.#stopUnused();
      },
    };
  }

  async #withDeadline(
    consumer: Consumer,
    signal: AbortSignal,
    { waitMs, gather = false, skip, isUrgent = false }: NextOptions,
  ): Promise<FeedPage | null> {
    const heldMs = gather ? consumer.heldUntil - this.clock.monotonic() : 0;
    if (heldMs > 0) await this.clock.sleep(heldMs, signal);
    // Wakes this consumer alone: while a signal aborts, others that depend on it may not have aborted yet.
    const wake = () => this.#try(wait);
    let hasPassed = false;
    let timer: Timer | null = null;
    const startTimer = (ms: number) => {
      timer ??= this.clock.timer(ms, () => {
        hasPassed = true;
        wake();
      });
    };
    if (waitMs !== undefined) startTimer(waitMs);
    signal.addEventListener('abort', wake, { once: true });
    let settle: Wait['settle'] = () => {};
    const found = new Promise<FeedPage | null>((resolve) => (settle = resolve));
    const attempt = () => {
      if (this.signal.aborted || signal.aborted) return null;
      const page = this.#find(consumer, skip && { pass: skip.pass, passed: () => startTimer(skip.ms) });
      return page === undefined && hasPassed ? null : page;
    };
    const wait: Wait = { attempt, settle };
    this.#waiting.add(wait);
    this.#try(wait);
    try {
      const page = await found;
      if (page && page.events.length >= YIELD_EVENTS) await this.#turns.take(isUrgent);
      return page;
    } finally {
      (timer as Timer | null)?.cancel();
      signal.removeEventListener('abort', wake);
    }
  }

  /** Not again while the attempt lasts, which may notify others. */
  #try(wait: Wait): void {
    if (!this.#waiting.delete(wait)) return;
    const page = wait.attempt();
    if (page === undefined) this.#waiting.add(wait);
    else wait.settle(page);
  }

  /** The next page that the consumer does not pass over; undefined where there is none yet. Begins a reader where none will come. */
  #find(consumer: Consumer, skip: { readonly pass: SkippedPages['pass']; readonly passed: () => void } | undefined): FeedPage | undefined {
    for (;;) {
      const reader = this.#readerOf(consumer.at);
      const page = reader?.take(consumer.at);
      if (!reader || !page) {
        if (!this.#hasReader(consumer, reader)) this.#openReader();
        return undefined;
      }
      this.#note(consumer, reader, page);
      if (!skip?.pass(page)) return page;
      consumer.at = page.upTo;
      skip.passed();
      this.#notifyReaders();
    }
  }

  #note(consumer: Consumer, reader: FeedReader, page: FeedPage): void {
    consumer.lostSince = null;
    consumer.needsReader = false;
    const { msPerEvent, maxMs } = this.tuning.gather;
    const isLast = reader.isLive && reader.isLast(page);
    consumer.heldUntil = isLast ? this.clock.monotonic() + Math.min(maxMs, Math.floor(page.events.length * msPerEvent)) : 0;
    reader.trim();
    this.#stopUnused();
  }

  /** Whether a reader has the consumer's position or will soon. Otherwise notes that it needs one. */
  #hasReader(consumer: Consumer, reader: FeedReader | undefined): boolean {
    if (reader && (reader.isLive || !isAfter(consumer.at, reader.end))) {
      consumer.lostSince = null;
      return true;
    }
    const now = this.clock.monotonic();
    if (reader && consumer.lostSince === null) this.clock.timer(this.tuning.joinMs, () => this.#notify());
    consumer.lostSince ??= now;
    consumer.needsReader = !reader || now - consumer.lostSince >= this.tuning.joinMs;
    return !consumer.needsReader;
  }

  /** Begins a reader at the lowest position of those that need one, once all expected consumers are there. */
  #openReader(): void {
    if (this.#hasFailed) return;
    const now = this.clock.monotonic();
    if (this.#expected > 0) {
      if (this.#startBy === null) {
        this.#startBy = now + this.tuning.startMs;
        this.clock.timer(this.tuning.startMs, () => this.#notify());
      }
      if (now < this.#startBy) return;
    }
    this.#expected = 0;
    const needing = [...this.#consumers].filter(({ needsReader }) => needsReader);
    const lowest = needing.reduce<Checkpoint | null>((low, { at }) => (low === null || isAfter(low, at) ? at : low), null);
    if (lowest === null) return;
    for (const consumer of needing) {
      consumer.needsReader = false;
      consumer.lostSince = null;
    }
    const reader = new FeedReader(lowest, this.#readerParts);
    this.#readers.push(reader);
    const running: Promise<void> = reader
      .run(this.signal)
      .catch(this.#fail)
      .finally(() => {
        this.#running.delete(running);
        this.#remove(reader);
      });
    this.#running.add(running);
    this.#notify();
  }

  /** The reader that has read furthest, of those whose kept pages begin at the position or before. */
  #readerOf(at: Checkpoint): FeedReader | undefined {
    let best: FeedReader | undefined;
    for (const reader of this.#readers) {
      if (isAfter(reader.from, at)) continue;
      if (!best || isAfter(reader.end, best.end) || (reader.end === best.end && reader.isLive && !best.isLive)) best = reader;
    }
    return best;
  }

  /** Stops readers that have had no consumer for a while, and at once those that another reader has overtaken. */
  #stopUnused(): void {
    if (this.#readers.length < 2 && this.#consumers.size > 0) return;
    const now = this.clock.monotonic();
    for (const reader of [...this.#readers]) {
      if (this.#readerParts.consumers(reader).length > 0) {
        this.#unused.delete(reader);
        continue;
      }
      const since = this.#unused.get(reader) ?? now;
      if (!this.#unused.has(reader)) {
        this.#unused.set(reader, now);
        this.clock.timer(this.tuning.unusedMs, () => this.#stopUnused());
      }
      if (now - since >= this.tuning.unusedMs || this.#readerParts.isCovered(reader)) this.#remove(reader);
    }
  }

  #remove(reader: FeedReader): void {
    const index = this.#readers.indexOf(reader);
    if (index === -1) return;
    this.#readers.splice(index, 1);
    this.#unused.delete(reader);
    reader.stop();
    this.#notifyAll();
  }

  #readerChange(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? null : this.clock.timer(ms, () => this.#notifyReaders());
      this.#readersWaiting.push(() => {
        timer?.cancel();
        resolve();
      });
      if (this.signal.aborted) this.#notifyReaders();
    });
  }

  #notifyAll(): void {
    this.#notify();
    this.#notifyReaders();
  }

  #notify(): void {
    for (const wait of [...this.#waiting]) this.#try(wait);
  }

  #notifyReaders(): void {
    for (const wake of this.#readersWaiting.splice(0)) wake();
  }
}
