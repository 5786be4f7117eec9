import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../../../domain/kernel/ports.js';

/** Times are in milliseconds, sizes in bytes. */
export interface IdleMemoryTuning {
  /** The thread is looked at on multiples of this period, together with other periodic work. */
  readonly periodMs: number;
  /** A period is quiet if the thread was busy for at most this share of it. */
  readonly quietShare: number;
  /** So many quiet periods precede a collection. */
  readonly quietPeriods: number;
  /** Collections of one rest: V8 gives most of the memory back by the second. */
  readonly collections: number;
  /** A collection is worth its time where the heap is this much larger than what was in use after the last one. */
  readonly slack: { readonly share: number; readonly bytes: number };
}

/** The quiet periods are longer than the five seconds of allocations by which V8 decides to shrink its young generation. */
export const IDLE_MEMORY: IdleMemoryTuning = {
  periodMs: 2_000,
  quietShare: 0.05,
  quietPeriods: 3,
  collections: 2,
  slack: { share: 0.25, bytes: 16_777_216 },
};

/** The heap of this thread. */
export interface Heap {
  /** Share of the time since the last call in which the thread was busy: 0 to 1. */
  readonly busyShare: () => number;
  readonly bytes: () => { readonly total: number; readonly used: number };
  /** Collects all garbage. Blocks the thread: 50 ms for 100 MB. */
  readonly collect: () => void;
}

/**
 * Gives memory back to the system while this thread rests, until the signal aborts. Left alone, V8 keeps what a load has left
 * behind for as long as nothing else is allocated.
 */
export async function releaseMemoryWhenIdle(
  { clock, heap = threadHeap(), tuning = IDLE_MEMORY }: IdleMemoryParts,
  signal: AbortSignal,
): Promise<void> {
  const { periodMs, quietShare, quietPeriods, collections, slack } = tuning;
  let quiet = 0;
  let collected = 0;
  let used = 0;
  let total = 0;
  heap.busyShare();
  for (;;) {
    await clock.sleep(periodMs - (clock.now() % periodMs), signal);
    if (signal.aborted) return;
    quiet = heap.busyShare() <= quietShare ? quiet + 1 : 0;
    if (quiet < quietPeriods) continue;
    quiet = 0;
    const now = heap.bytes().total;
    if (now > (1 + slack.share) * total) collected = 0;
    if (collected === collections || now <= (1 + slack.share) * used + slack.bytes) continue;
    heap.collect();
    collected += 1;
    ({ used, total } = heap.bytes());
  }
}

export interface IdleMemoryParts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly heap?: Heap;
  readonly tuning?: IdleMemoryTuning;
}

function threadHeap(): Heap {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let last = performance.eventLoopUtilization();
  return {
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    bytes: () => {
      const { total_heap_size: total, used_heap_size: used } = getHeapStatistics();
      return { total, used };
    },
    collect,
  };
}
