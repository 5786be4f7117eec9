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
