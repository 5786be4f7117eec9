import type { Clock, Timer } from '../../domain/kernel/clock.js';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/**
 * A clock that only a test advances. `advance` resolves sleeps and timers in the order of their due times, each at its
 * own time, and lets promises settle in between: a loop that sleeps 30 s runs three times in 100 s. It does not wait for
 * sockets or disks; where those are involved, await `waitForSleepers()` before the next step.
 */
export class ManualClock implements Clock {
  #now: number;
  readonly #start: number;
  #sleepers: Sleeper[] = [];
  readonly #timers = new Set<Sleeper>();
  #watchers: { readonly count: number; readonly notify: () => void }[] = [];

  /** Starts at a time in milliseconds since 1970 or in RFC 3339. */
  constructor(start: number | string = '2026-01-01T00:00:00.000Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start);
    this.#start = this.#now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  yieldToEventLoop(): Promise<void> {
    return settled();
  }

  timer(ms: number, callback: () => void): Timer {
    const cancel = () => {
      this.#timers.delete(timer);
    };
    const timer = {
      due: this.#now + ms,
      wake: () => {
        cancel();
        callback();
      },
    };
    this.#timers.add(timer);
    return { cancel };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { due: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
      this.#tellWatchers();
    });
  }

  /** Number of pending sleeps. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Resolves when at least `count` sleeps are pending. */
  waitForSleepers(count = 1): Promise<void> {
    return new Promise((notify) => {
      this.#watchers.push({ count, notify });
      this.#tellWatchers();
    });
  }

  /** Moves the clock forward. Resolves when everything that was due has run. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`a clock cannot go back: ${ms} ms`);
    const target = this.#now + ms;
    for (let next = this.#next(target); next; next = this.#next(target)) {
      this.#now = next.due;
      next.wake();
      await settled();
    }
    this.#now = target;
    await settled();
  }

  /** The first sleeper or timer due at `target` or before; of several, the one that was added first. */
  #next(target: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of [...this.#sleepers, ...this.#timers]) if (sleeper.due <= target && (!first || sleeper.due < first.due)) first = sleeper;
    return first;
  }

  #tellWatchers(): void {
    const reached = this.#watchers.filter(({ count }) => count <= this.#sleepers.length);
    this.#watchers = this.#watchers.filter((watcher) => !reached.includes(watcher));
    for (const { notify } of reached) notify();
  }
}

/** One turn of the event loop: all promises that need no input have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
