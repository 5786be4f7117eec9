import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 50;

/** The largest resident memory of a process, sampled. */
export class PeakMemory {
  /** In bytes. */
  peak = 0;

  /** Samples the process that has the id at that time, until the signal aborts. */
  async watch(pid: () => number | undefined, ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const id = pid();
      if (id !== undefined) this.peak = Math.max(this.peak, residentBytes(id));
      await sleep(SAMPLE_MS);
    }
  }
}

/** Of a process that has ended: 0. */
function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
