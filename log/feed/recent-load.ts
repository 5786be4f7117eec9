import type { Clock } from '../../domain/kernel/clock.js';

/** From how much recent work it pays to wait for more. */
export interface GatherTuning {
  /** What came longer ago than this hardly counts, in milliseconds. */
  readonly windowMs: number;
  /** So many items of a window are no reason to wait: those of a message or two. */
  readonly free: number;
  /** For each item beyond, and at most. */
  readonly msPerItem: number;
  readonly maxMs: number;
}

/**
 * How much work has come within the last moment, as a sum that decays. A round has a price whatever it holds, so under load it pays
 * to wait for more; at rest nothing waits.
 */
export class RecentLoad {
  #items = 0;
  #at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly tuning: GatherTuning,
  ) {}

  add(items: number): void {
    const now = this.clock.monotonic();
    this.#items = this.#left(now) + items;
    this.#at = now;
  }

  /** How long to wait for more, in whole milliseconds; 0 at rest. */
  gatherMs(): number {
    const { free, msPerItem, maxMs } = this.tuning;
    return Math.min(maxMs, Math.floor(msPerItem * Math.max(0, this.#left(this.clock.monotonic()) - free)));
  }

  #left(now: number): number {
    return this.#items * Math.exp((this.#at - now) / this.tuning.windowMs);
  }
}
