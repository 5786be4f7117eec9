import type { Clock, Lease, Leases } from '../../domain/kernel/ports.js';

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
export interface AcquiredLease {
  readonly lease: Lease;
  /** When it was requested, in milliseconds since 1970: it is valid from then at the earliest. */
  readonly asked: number;
  readonly clock: Clock;
  readonly timing: LeaseTiming;
}

/** Runs `work` while the lease is held, and releases it afterward. */
export async function holdLease(
  held: AcquiredLease,
  signal: AbortSignal,
  work: (signal: AbortSignal, lease: HeldLease) => Promise<void>,
): Promise<void> {
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
