import type { Clock } from '../../domain/kernel/clock.js';
import { steadyTime } from './steady-time.js';

/** One for all clocks of a thread, so that they agree. */
const systemTime = steadyTime(
  () => Date.now(),
  () => performance.now(),
);

/** setTimeout counts in 32 bits and fires at once beyond them; longer sleeps are taken in several. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The computer's clock. Unless `keepAlive`, a pending sleep or timer does not keep the process alive: background work (timers
 * of processes, renewal of leases) must not hold up a program that has nothing else left to do. `serve` is kept alive by its
 * listening server; a command whose only work is to wait uses a clock with `keepAlive`.
 */
export function createClock({ keepAlive = false }: { readonly keepAlive?: boolean } = {}): Clock {
  const start = (ms: number, callback: () => void): NodeJS.Timeout => {
    const timeout = setTimeout(callback, ms);
    if (!keepAlive) timeout.unref();
    return timeout;
  };
  const nap = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timeout = start(ms, wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  return {
    now: systemTime,
    monotonic: () => performance.now(),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 && !signal?.aborted; left -= MAX_TIMER_MS) await nap(Math.min(left, MAX_TIMER_MS), signal);
    },
    timer(ms, callback) {
      if (ms > MAX_TIMER_MS) throw new RangeError(`a timer of ${ms} ms is too long: at most ${MAX_TIMER_MS}`);
      const timeout = start(ms, callback);
      return { cancel: () => clearTimeout(timeout) };
    },
    yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** The clock of everything that runs in the background. */
export const systemClock: Clock = createClock();
