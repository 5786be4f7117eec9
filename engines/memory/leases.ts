import type { Clock, Lease, Leases } from '../../domain/kernel/ports.js';

interface Held {
  readonly epoch: number;
  /** Milliseconds since 1970; 0 once released. */
  until: number;
}

/** Leases in memory: the last epoch and expiry of each name. */
export class MemoryLeases implements Leases {
  readonly #held = new Map<string, Held>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const last = this.#held.get(name);
    if (last && last.until > this.clock.now()) return null;
    const mine: Held = { epoch: (last?.epoch ?? 0) + 1, until: this.clock.now() + ttlMs };
    this.#held.set(name, mine);
    return {
      epoch: mine.epoch,
      // A late renewal succeeds as long as the lease was not acquired again.
      renew: async () => {
        if (this.#held.get(name) !== mine || mine.until === 0) return false;
        mine.until = this.clock.now() + ttlMs;
        return true;
      },
      release: async () => {
        mine.until = 0;
      },
    };
  }
}
