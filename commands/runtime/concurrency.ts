/** How much of a command runs at a time: parts of it together, and work on the same keys one after the other. */

import type { Clock } from '../../domain/kernel/ports.js';

/** Reads from memory or a local file never wait, so the event loop is yielded to after this many items. */
const YIELD_EVERY = 50;

/** Works on all items, at most `maxInFlight` at a time, started in order. Results are in the order of the items. */
export async function mapConcurrent<T, R>(
  { yieldToEventLoop }: Pick<Clock, 'yieldToEventLoop'>,
  items: readonly T[],
  maxInFlight: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      if (i % YIELD_EVERY === YIELD_EVERY - 1) await yieldToEventLoop();
      results[i] = await work(items[i] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, worker));
  return results;
}

/**
 * Runs work on the same keys one after the other within this process. It saves retries and is not needed for correctness:
 * conflicts are detected by the expected revision of each append.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work on any of these keys has ended. */
  async runExclusive<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const earlier = keys.map((key) => this.#last.get(key));
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const key of keys) this.#last.set(key, mine);
    try {
      await Promise.all(earlier);
      return await work();
    } finally {
      end();
      for (const key of keys) if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
