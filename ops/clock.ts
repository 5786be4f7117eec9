import type { Clock } from '../domain/kernel/ports.js';

/** setTimeout counts in 32 bits and fires at once beyond them; longer sleeps are taken in several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The computer's clock. Unless `keepAlive`, a sleeper does not keep the process alive: what runs in the background
 * (timers of processes, renewing of leases) must not hold up a program that has nothing else left to do. `serve` lives
 * by its listening server; a command whose only work is to wait takes a clock that keeps it alive.
 */
export function createClock({ keepAlive = false }: { readonly keepAlive?: boolean } = {}): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 && !signal?.aborted; left -= LONGEST_TIMER_MS)
        await sleepOnce(Math.min(left, LONGEST_TIMER_MS), keepAlive, signal);
    },
  };
}

/** The clock of everything that runs in the background. */
export const systemClock: Clock = createClock();

function sleepOnce(ms: number, keepAlive: boolean, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (!keepAlive) timer.unref();
    signal?.addEventListener('abort', wake, { once: true });
  });
}
