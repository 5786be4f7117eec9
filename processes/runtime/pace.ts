import { type Checkpoint, type Clock, isAfter } from '../../domain/kernel/ports.js';

/** Records this close together, in milliseconds, are one for the lag. */
const TOGETHER_MS = 10;

/**
 * How far a list is behind what its process records in the middle of long work, and the pauses of that work. Without pauses the
 * work of a chunk would let the list fall behind, and with it what is more urgent.
 */
export class Pace {
  /** In the order in which they were recorded. */
  #records: { readonly position: Checkpoint; readonly at: number }[] = [];

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
    /** In milliseconds: no pause where the list is less than `slowMs` behind, and `pauseMs` where it is `stopMs` behind or more. */
    private readonly tuning: { readonly slowMs: number; readonly stopMs: number; readonly pauseMs: number },
  ) {}

  /** Work that goes on has recorded something at this position. */
  recorded(position: Checkpoint): void {
    const at = this.clock.monotonic();
    const last = this.#records.at(-1);
    if (last === undefined || at - last.at >= TOGETHER_MS) this.#records.push({ position, at });
  }

  /** The list has reached a position. */
  reached(position: Checkpoint): void {
    const first = this.#records.findIndex((record) => isAfter(record.position, position));
    this.#records = first === -1 ? [] : this.#records.slice(first);
  }

  /** How long the list has not contained the oldest record, by the monotonic clock. */
  lagMs(): number {
    const [oldest] = this.#records;
    return oldest ? this.clock.monotonic() - oldest.at : 0;
  }

  /** Resolves at once unless the list is behind; then after a pause, or when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    const { slowMs, stopMs, pauseMs } = this.tuning;
    const share = Math.min(1, (this.lagMs() - slowMs) / (stopMs - slowMs));
    if (share > 0) await this.clock.sleep(Math.ceil(pauseMs * share * share), signal);
  }
}
