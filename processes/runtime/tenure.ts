import { setMaxListeners } from 'node:events';

/**
 * The time for which this node has had some work, without another holder in between. It covers several epochs where the lease expired, as on
 * a disk that is full for a while, and this node was the next one to acquire it. What a process keeps of its calls is valid for a tenure.
 */
export interface Tenure {
  /** Its first epoch. */
  readonly since: number;
  readonly ended: AbortSignal;
}

/** The tenures of one lease on this node. */
export class Tenures {
  #current: (Tenure & { readonly end: AbortController; readonly last: number }) | null = null;

  /** The tenure of an acquired lease. `continued`: it has begun in an earlier epoch. */
  of(epoch: number): { readonly tenure: Tenure; readonly continued: boolean } {
    const before = this.#current;
    // Each holder raises the epoch, so nobody has had the lease in between.
    const continued = before !== null && epoch === before.last + 1;
    if (!continued) this.end();
    const end = continued ? before.end : new AbortController();
    if (!continued) setMaxListeners(0, end.signal);
    this.#current = { since: continued ? before.since : epoch, ended: end.signal, end, last: epoch };
    return { tenure: this.#current, continued };
  }

  /** Ends the current one. */
  end(): void {
    this.#current?.end.abort();
    this.#current = null;
  }
}
