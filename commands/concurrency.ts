/** What reads from memory, or from a file next door, never waits: after so many items others get their turn. */
const YIELD_EVERY = 50;

/** Lets everything else that this thread has to do go on. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works on all items, at most so many at a time, beginning in their order. Results are in the order of the items. */
export async function mapConcurrent<T, R>(items: readonly T[], inFlight: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) {
      if (i % YIELD_EVERY === YIELD_EVERY - 1) await yieldToEventLoop();
      results[i] = await work(items[i] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, items.length) }, worker));
  return results;
}
