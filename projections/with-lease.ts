import type { Clock, Lease, Leases } from '../domain/kernel/ports.js';

/** The lease of a dead holder expires after this time; a live holder renews it three times within it. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Delay before the next try to acquire a lease that another node holds. */
const RETRY_MS = 500;

export interface LeaseDependencies {
  readonly leases: Leases;
  readonly clock: Clock;
}

/**
 * Runs `work` on one node at a time, each time this node acquires the lease, until the signal aborts. The signal that `work`
 * gets aborts also when the lease is lost. The lease is renewed until `work` has ended, so that no other node starts it before.
 */
export async function withLease(
  name: string,
  { leases, clock }: LeaseDependencies,
  signal: AbortSignal,
  work: (signal: AbortSignal, epoch: number) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const asked = clock.now();
    const lease = await leases.acquire(name, LEASE_MS).catch(() => null);
    if (lease) await hold({ lease, asked, clock }, signal, work);
    else await clock.sleep(RETRY_MS, signal);
  }
}

interface Held {
  readonly lease: Lease;
  /** When it was requested, in milliseconds since 1970: it is valid from then at the earliest. */
  readonly asked: number;
  readonly clock: Clock;
}

async function hold(held: Held, signal: AbortSignal, work: (signal: AbortSignal, epoch: number) => Promise<void>): Promise<void> {
  const { lease } = held;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const done = new AbortController();
  const renewing = renewUntilLost(held, done.signal).then(end);
  try {
    await work(ending.signal, lease.epoch);
  } finally {
    done.abort();
    signal.removeEventListener('abort', end);
    await renewing;
    await lease.release().catch(() => {});
  }
}

/** Resolves when the lease is lost, or must be assumed lost because it could not be renewed within its time. */
async function renewUntilLost({ lease, asked, clock }: Held, done: AbortSignal): Promise<void> {
  for (let renewedAt = asked; ; ) {
    // At multiples of the period, so that a node renews all of its leases in one go.
    await clock.sleep(RENEW_MS - (clock.now() % RENEW_MS), done);
    if (done.aborted) return;
    const asked = clock.now();
    const held = await Promise.race([lease.renew().catch(() => null), timeout(renewedAt + LEASE_MS - asked, clock, done)]);
    if (held === false || (held === null && clock.now() - renewedAt >= LEASE_MS)) return;
    if (held) renewedAt = asked;
  }
}

/** Resolves with null after this time or when `done` aborts: no renewal is awaited beyond the end of the lease. */
const timeout = (ms: number, clock: Clock, done: AbortSignal): Promise<null> => clock.sleep(Math.max(0, ms), done).then(() => null);
