import { setTimeout as sleep } from 'node:timers/promises';
import { type From, isAfter, StoreUnavailable } from '../domain/kernel/ports.js';
import type { EventLog, LogEvent } from '../log/event-log.js';

/** An event that is decoded when somebody wants it, once for all who do. */
export interface LazyEvent {
  readonly type: string;
  readonly position: string;
  decode(): LogEvent;
}

export interface SharedPage {
  readonly after: From;
  readonly upTo: From;
  readonly events: readonly LazyEvent[];
}

const PAGE_EVENTS = 1_000;
/** Pages kept for those who are a little behind. */
const KEPT = 32;
/**
 * Where many events have just come, many more are on their way: so many milliseconds an event they are waited for, that one
 * commit of each read model brings them all. One who waits for a single event waits for nothing.
 */
const GATHER_MS_AN_EVENT = 0.25;
const LONGEST_GATHER_MS = 100;
/** How far the shared follower reads ahead of the fastest reader. */
const AHEAD = 4;
/** Where the end of the log cannot be learned as a process starts, it is asked for again after so long. */
const ASK_AGAIN_MS = 500;

/**
 * One follower of the log for all projections of a process, so that an event is read and parsed once however many want
 * it. Who is further behind than the kept pages reads for himself until he has caught up.
 */
export class SharedPages {
  readonly #kept: SharedPage[] = [];
  #read = 0;
  #fastest = 0;
  #wake: (() => void)[] = [];
  #began: From = 'start';
  /** Where a reader waits for what is far beyond all that was read, because others have brought his read model there. */
  #beyond: From = 'start';

  constructor(
    private readonly log: EventLog,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.#notify());
  }

  /** Follows the log from its present end until the signal aborts. */
  async run(): Promise<void> {
    let after = await this.#end();
    while (!this.signal.aborted) after = await this.#follow(after);
    this.#notify();
  }

  /** Follows until the signal aborts, or readers wait for something further on. Gives where to follow from then. */
  async #follow(begin: From): Promise<From> {
    let after = begin;
    this.#began = after;
    this.#kept.length = 0;
    this.#notify();
    for await (const page of this.log.store.follow(after, this.signal, PAGE_EVENTS)) {
      this.#kept.push({ after, upTo: page.upTo, events: page.events.map((recorded) => this.#lazy(recorded)) });
      if (this.#kept.length > KEPT) this.#kept.shift();
      after = page.upTo;
      this.#read += 1;
      this.#notify();
      while (this.#read - this.#fastest > AHEAD && !this.signal.aborted) await this.#news();
      if (isAfter(this.#beyond, after)) return this.#beyond;
      if (page.caughtUp) await this.#gather(page.events.length);
    }
    return after;
  }

  async #gather(events: number): Promise<void> {
    const ms = Math.min(LONGEST_GATHER_MS, Math.floor(events * GATHER_MS_AN_EVENT));
    if (ms > 0) await sleep(ms, undefined, { signal: this.signal }).catch(() => {});
  }

  async #end(): Promise<From> {
    for (;;) {
      try {
        return await this.log.store.head();
      } catch (e) {
        if (!(e instanceof StoreUnavailable)) throw e;
        await sleep(ASK_AGAIN_MS, undefined, { signal: this.signal }).catch(() => {});
        if (this.signal.aborted) return 'start';
      }
    }
  }

  /** The next page after a position; null when the reader's signal or that of all has aborted, or when so long none has come. */
  async next(after: From, signal: AbortSignal, waitMs?: number): Promise<SharedPage | null> {
    const wake = () => this.#notify();
    const patience = waitMs === undefined ? undefined : new Patience(waitMs, wake);
    signal.addEventListener('abort', wake, { once: true });
    try {
      return await this.#next(after, signal, patience);
    } finally {
      patience?.end();
      signal.removeEventListener('abort', wake);
    }
  }

  async #next(after: From, signal: AbortSignal, patience?: Patience): Promise<SharedPage | null> {
    while (!this.signal.aborted && !signal.aborted) {
      const kept = this.#kept.findLastIndex((page) => !isAfter(page.after, after) && isAfter(page.upTo, after));
      if (kept !== -1) {
        this.#fastest = Math.max(this.#fastest, this.#read - this.#kept.length + kept + 1);
        this.#notify();
        return part(this.#kept[kept] as SharedPage, after);
      }
      const newest = this.#kept.at(-1)?.upTo ?? this.#began;
      if (isAfter(newest, after)) return part(await this.read(after), after, newest);
      if (patience?.over) return null;
      this.#wait(after);
      await this.#news();
    }
    return null;
  }

  /** A page read for one alone. */
  async read(after: From, limit = PAGE_EVENTS): Promise<SharedPage> {
    const page = await this.log.store.readAll(after, limit);
    return { after, upTo: page.upTo, events: page.events.map((recorded) => this.#lazy(recorded)) };
  }

  #lazy(recorded: Parameters<EventLog['decode']>[0]): LazyEvent {
    let decoded: LogEvent | undefined;
    return {
      type: recorded.type,
      position: recorded.position,
      decode: () => {
        decoded ??= this.log.decode(recorded);
        return decoded;
      },
    };
  }

  /**
   * Whoever waits has taken all that was read. Where nobody took anything for long, as while another node keeps all read
   * models, that was read long ago: reading on from there would only bring what he has.
   */
  #wait(after: From): void {
    const taken = this.#fastest === this.#read;
    this.#fastest = this.#read;
    if (isAfter(after, this.#beyond)) this.#beyond = after;
    if (!taken) this.#notify();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
      if (this.signal.aborted) resolve();
    });
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

/** A wait that ends. */
class Patience {
  over = false;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number, wake: () => void) {
    this.#timer = setTimeout(() => {
      this.over = true;
      wake();
    }, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The part of a page after one position and up to another, so that readers of different beginnings meet at the same ends. */
function part(page: SharedPage, after: From, upTo: From = page.upTo): SharedPage {
  if (page.after === after && !isAfter(page.upTo, upTo)) return page;
  const end = isAfter(page.upTo, upTo) ? upTo : page.upTo;
  return { after, upTo: end, events: page.events.filter(({ position }) => isAfter(position, after) && !isAfter(position, end)) };
}
