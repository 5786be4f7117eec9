import type { Clock, Lease, Leases } from '../domain/kernel/ports.js';

/** A holder that died is followed after this long at the latest; it is renewed three times before it would run out. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** How long who does not hold it waits before asking again. */
const RETRY_MS = 500;

export interface LeaseDependencies {
  readonly leases: Leases;
  readonly clock: Clock;
}

/**
 * Works as the only one among all nodes, as often as the lease can be had, until the signal aborts. The work's own signal
 * aborts too when the lease is lost; it is renewed until the work has ended, so that nobody begins the same meanwhile.
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
  /** When it was asked for: it lasts from then at the earliest. */
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

/** Resolves when the lease is lost, or may be: whoever cannot renew it for as long as it lasts must believe it so. */
async function renewUntilLost({ lease, asked: begun, clock }: Held, done: AbortSignal): Promise<void> {
  for (let renewedAt = begun; ; ) {
    await clock.sleep(RENEW_MS, done);
    if (done.aborted) return;
    const asked = clock.now();
    const held = await Promise.race([lease.renew().catch(() => null), timeout(renewedAt + LEASE_MS - asked, clock, done)]);
    if (held === false || (held === null && clock.now() - renewedAt >= LEASE_MS)) return;
    if (held) renewedAt = asked;
  }
}

/** No answer is waited for beyond the end of the lease: who slept through it learns so from his own clock first. */
const timeout = (ms: number, clock: Clock, done: AbortSignal): Promise<null> => clock.sleep(Math.max(0, ms), done).then(() => null);
