import type { Clock, GroupMembership, Lease, Leases } from '../../domain/kernel/ports.js';

interface HeldLease {
  readonly epoch: number;
  /** Milliseconds since 1970; 0 once released. */
  until: number;
}

/** Leases in memory: the last epoch and expiry of each name. */
export class MemoryLeases implements Leases {
  readonly #held = new Map<string, HeldLease>();
  /** By group and member: until when it counts, in milliseconds since 1970. */
  readonly #groups = new Map<string, Map<number, number>>();
  #joined = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const last = this.#held.get(name);
    if (last && last.until > this.clock.now()) return null;
    const unclean = last !== undefined && last.until !== 0;
    const mine: HeldLease = { epoch: (last?.epoch ?? 0) + 1, until: this.clock.now() + ttlMs };
    this.#held.set(name, mine);
    return {
      epoch: mine.epoch,
      unclean,
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

  join(group: string, ttlMs: number): GroupMembership {
    const members = this.#groups.get(group) ?? new Map<number, number>();
    this.#groups.set(group, members);
    const id = this.#joined++;
    return {
      renew: async () => {
        const now = this.clock.now();
        members.set(id, now + ttlMs);
        for (const [member, until] of members) if (until <= now) members.delete(member);
        return { rank: [...members.keys()].filter((member) => member < id).length, size: members.size };
      },
      leave: async () => void members.delete(id),
    };
  }
}
