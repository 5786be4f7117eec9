/** How leases are held: one for work that one node does at a time, and those of partitions, which nodes share evenly. */

import { setMaxListeners } from 'node:events';
import type { Clock, GroupMembership, Lease, Leases, MemberRank, ReadModels } from '../../domain/kernel/ports.js';

/** Periods in milliseconds. */
export interface LeaseTiming {
  /** The lease of a dead holder expires after this time. */
  readonly ttlMs: number;
  /** A live holder renews it so often. */
  readonly renewMs: number;
  /** Delay before the next try to acquire a lease that another node holds. */
  readonly retryMs: number;
  /** How often the living holders of partitions are counted. */
  readonly countMs: number;
}

export const LEASE_TIMING: LeaseTiming = { ttlMs: 6_000, renewMs: 2_000, retryMs: 500, countMs: 1_000 };

export interface LeaseDependencies {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly leaseTiming?: LeaseTiming;
}

/** What the work knows of its lease. */
export type HeldLease = Pick<Lease, 'epoch' | 'unclean'>;

/**
 * Runs `work` on one node at a time, each time this node acquires the lease, until the signal aborts. The signal that `work`
 * gets aborts also when the lease is lost. The lease is renewed until `work` has ended, so that no other node starts it before.
 */
export async function withLease(
  name: string,
  { leases, clock, leaseTiming: timing = LEASE_TIMING }: Omit<LeaseDependencies, 'leases'> & { readonly leases: Pick<Leases, 'acquire'> },
  signal: AbortSignal,
  work: (signal: AbortSignal, lease: HeldLease) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const asked = clock.now();
    const lease = await leases.acquire(name, timing.ttlMs).catch(() => null);
    if (lease) await holdLease({ lease, asked, clock, timing }, signal, work);
    // At multiples of the period since the start, so that a node asks for all of its leases in one go, and not all nodes at once.
    else await clock.sleep(timing.retryMs - (clock.monotonic() % timing.retryMs), signal);
  }
}

/** An acquired lease. */
interface AcquiredLease {
  readonly lease: Lease;
  /** When it was requested, in milliseconds since 1970: it is valid from then at the earliest. */
  readonly asked: number;
  readonly clock: Clock;
  readonly timing: LeaseTiming;
}

/** Runs `work` while the lease is held, and releases it afterward. */
async function holdLease(held: AcquiredLease, signal: AbortSignal, work: (signal: AbortSignal, lease: HeldLease) => Promise<void>): Promise<void> {
  const { lease } = held;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const done = new AbortController();
  const renewing = renewUntilLost(held, done.signal).then(end);
  try {
    await work(ending.signal, lease);
  } finally {
    done.abort();
    signal.removeEventListener('abort', end);
    await renewing;
    await lease.release().catch(() => {});
  }
}

/** Resolves when the lease is lost, or must be assumed lost because it could not be renewed within its time. */
async function renewUntilLost({ lease, asked, clock, timing: { ttlMs, renewMs } }: AcquiredLease, done: AbortSignal): Promise<void> {
  for (let renewedAt = asked; ; ) {
    // At multiples of the period, so that a node renews all of its leases in one go.
    await clock.sleep(renewMs - (clock.now() % renewMs), done);
    if (done.aborted) return;
    const asked = clock.now();
    const held = await answerWithin(lease.renew(), renewedAt + ttlMs - asked, clock, done);
    if (held === false || (held === null && clock.now() - renewedAt >= ttlMs)) return;
    if (held) renewedAt = asked;
  }
}

/** The answer to a renewal; null where it fails, after this time, and when `done` aborts: it is not awaited beyond the end of the lease. */
function answerWithin(renewal: Promise<boolean>, ms: number, clock: Clock, done: AbortSignal): Promise<boolean | null> {
  return new Promise((resolve) => {
    const end = (held: boolean | null) => {
      timer.cancel();
      done.removeEventListener('abort', giveUp);
      resolve(held);
    };
    const giveUp = () => end(null);
    const timer = clock.timer(Math.max(0, ms), giveUp);
    done.addEventListener('abort', giveUp, { once: true });
    renewal.then(end, giveUp);
  });
}

/** How many of `count` partitions the member with this standing holds: all members together hold each of them once. */
export const shareOf = (count: number, { rank, size }: MemberRank): number => Math.floor(count / size) + (rank < count % size ? 1 : 0);

/**
 * Runs `work` for each partition while this node holds its lease, until the signal aborts. The living nodes of a group share the
 * partitions evenly: each counts the others, takes free ones up to its share, and gives those away that it has beyond it. A
 * partition is given away, or taken over, when the `work` on it has ended.
 */
export async function holdPartitions(
  group: string,
  count: number,
  parts: LeaseDependencies,
  signal: AbortSignal,
  work: (partition: number, signal: AbortSignal, lease: HeldLease) => Promise<void>,
): Promise<void> {
  await new PartitionHolder(group, count, parts, work).run(signal);
}

class PartitionHolder {
  readonly #timing: LeaseTiming;
  readonly #member: GroupMembership;
  readonly #held = new Map<number, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #standing: MemberRank = { rank: 0, size: Number.POSITIVE_INFINITY };
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly group: string,
    private readonly count: number,
    private readonly parts: LeaseDependencies,
    private readonly work: (partition: number, signal: AbortSignal, lease: HeldLease) => Promise<void>,
  ) {
    this.#timing = parts.leaseTiming ?? LEASE_TIMING;
    this.#member = parts.leases.join(group, this.#timing.ttlMs);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.parts;
    while (!signal.aborted) {
      await this.#countMembers();
      const share = Number.isFinite(this.#standing.size) ? shareOf(this.count, this.#standing) : 0;
      this.#giveAway(share);
      if (!signal.aborted && this.#working() < share) await this.#take(share, signal);
      await clock.sleep(this.#working() < share ? this.#timing.retryMs : this.#timing.countMs, signal);
    }
    this.#giveAway(0);
    await Promise.all([...this.#held.values()].map(({ ended }) => ended));
    await this.#member.leave().catch(() => {});
  }

  /** While the store is unavailable, the last count stays. */
  async #countMembers(): Promise<void> {
    const now = this.parts.clock.monotonic();
    if (now - this.#countedAt < this.#timing.countMs) return;
    const standing = await this.#member.renew().catch(() => null);
    if (!standing) return;
    this.#standing = standing;
    this.#countedAt = now;
  }

  #working(): number {
    return [...this.#held.values()].filter(({ stop }) => !stop.signal.aborted).length;
  }

  #giveAway(share: number): void {
    const working = [...this.#held.values()].filter(({ stop }) => !stop.signal.aborted);
    for (const { stop } of working.slice(share)) stop.abort();
  }

  /** Begins where the shares of the members before this one end, so that nodes that start together ask for different ones. */
  async #take(share: number, signal: AbortSignal): Promise<void> {
    const { leases, clock } = this.parts;
    const first = Math.floor((this.count * this.#standing.rank) / this.#standing.size);
    const order = Array.from({ length: this.count }, (_, i) => (first + i) % this.count).filter((partition) => !this.#held.has(partition));
    while (order.length > 0 && this.#working() < share && !signal.aborted) {
      const some = order.splice(0, share - this.#working());
      await Promise.all(
        some.map(async (partition) => {
          const asked = clock.now();
          const lease = await leases.acquire(`${this.group}/${partition}`, this.#timing.ttlMs).catch(() => null);
          if (lease) this.#hold(partition, { lease, asked, clock, timing: this.#timing });
        }),
      );
    }
  }

  #hold(partition: number, held: Parameters<typeof holdLease>[0]): void {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const ended = holdLease(held, stop.signal, (signal, lease) => this.work(partition, signal, lease)).finally(() => this.#held.delete(partition));
    this.#held.set(partition, { stop, ended });
  }
}

/** The number of partitions of the store. Waits while it is unavailable; 1 when the signal aborts. */
export async function partitionCount(
  { views, clock, leaseTiming = LEASE_TIMING }: Omit<LeaseDependencies, 'leases'> & { readonly views: ReadModels },
  signal: AbortSignal,
): Promise<number> {
  while (!signal.aborted) {
    const count = await views.partitions().catch(() => null);
    if (count !== null) return count;
    await clock.sleep(leaseTiming.retryMs, signal);
  }
  return 1;
}
