/**
 * Calls `work` for each item, with those of different keys at the same time, and those of one key one after the other in their order.
 * After an error nothing more begins; rejects with the first one once all that had begun has ended.
 */
export async function eachByKey<T>(items: readonly T[], keyOf: (item: T) => string, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const others = byKey.get(key);
    if (others) others.push(item);
    else byKey.set(key, [item]);
  }
  const queues = byKey.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const queue of queues) for (const item of queue) if (failures.length === 0) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, byKey.size) }, worker));
  if (failures.length > 0) throw failures[0];
}
