import type { Limit, LimitTable, RateGroup, RateLimitResult, RateLimits } from '../../domain/kernel/rate-limits.js';

export type LimitOverrides = Readonly<Partial<Record<RateGroup, Partial<Limit>>>>;

/** Counted by account, or by client address where a route needs no credential: sign-in and the public routes. */
export const rateLimits: LimitTable = {
  send: { limit: 1000, windowSeconds: 60 },
  bulk: { limit: 100, windowSeconds: 60 },
  general: { limit: 500, windowSeconds: 60 },
  login: { limit: 20, windowSeconds: 900 },
  public: { limit: 120, windowSeconds: 60 },
};

export const withOverrides = (overrides: LimitOverrides): LimitTable => ({
  send: { ...rateLimits.send, ...overrides.send },
  bulk: { ...rateLimits.bulk, ...overrides.bulk },
  general: { ...rateLimits.general, ...overrides.general },
  login: { ...rateLimits.login, ...overrides.login },
  public: { ...rateLimits.public, ...overrides.public },
});

/**
 * Rolling windows in this process's memory. Exact: in no stretch of a window's length are more than `limit` requests
 * accepted, and a request is free again the moment its place is a full window old. Refused requests do not count, so a
 * client that keeps trying is not punished for it.
 *
 * Not built on rate-limiter-flexible: its windows are fixed, they start with the first hit, and a burst that straddles
 * the edge gets up to twice the limit through.
 */
export class RollingWindows implements RateLimits {
  readonly #groups: Readonly<Record<RateGroup, GroupWindows>>;

  /** `now` in milliseconds; it must never run backwards, hence not the time of day. */
  constructor(table: LimitTable = rateLimits, now: () => number) {
    this.#groups = {
      send: new GroupWindows(table.send, now),
      bulk: new GroupWindows(table.bulk, now),
      general: new GroupWindows(table.general, now),
      login: new GroupWindows(table.login, now),
      public: new GroupWindows(table.public, now),
    };
  }

  consume(group: RateGroup, who: string): RateLimitResult {
    return this.#groups[group].consume(who);
  }

  /** How many callers of a group are remembered. */
  trackedCallers(group: RateGroup): number {
    return this.#groups[group].size;
  }
}

/** With each hit so many other callers are looked at and forgotten if idle: memory follows traffic without a timer or a pause. */
const SWEPT_PER_REQUEST = 2;

class GroupWindows {
  readonly #windows = new Map<string, RingBuffer>();
  readonly #windowMs: number;
  #sweep: Iterator<[string, RingBuffer]> = this.#windows.entries();

  constructor(
    private readonly policy: Limit,
    private readonly now: () => number,
  ) {
    this.#windowMs = policy.windowSeconds * 1000;
  }

  get size(): number {
    return this.#windows.size;
  }

  consume(who: string): RateLimitResult {
    const { limit, windowSeconds } = this.policy;
    const now = this.now();
    this.#evictIdle(now);
    let ring = this.#windows.get(who);
    if (!ring) {
      ring = new RingBuffer();
      this.#windows.set(who, ring);
    }
    ring.removeUntil(now - this.#windowMs);
    const allowed = ring.count < limit;
    if (allowed) ring.push(now, limit);
    // A limit of 0 closes a group: nothing is ever used, and yet nothing is ever free.
    const wait = ring.count === 0 ? windowSeconds : Math.max(1, Math.ceil((ring.oldest + this.#windowMs - now) / 1000));
    return { allowed, limit, windowSeconds, remaining: limit - ring.count, resetSeconds: wait, retryAfter: allowed ? 0 : wait };
  }

  #evictIdle(now: number): void {
    for (let i = 0; i < SWEPT_PER_REQUEST; i++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#windows.entries();
        return;
      }
      const [who, ring] = next.value;
      ring.removeUntil(now - this.#windowMs);
      if (ring.count === 0) this.#windows.delete(who);
    }
  }
}

const INITIAL_CAPACITY = 4;

/** Times of accepted requests, oldest first, in a ring that grows up to the limit only as it is used. */
class RingBuffer {
  count = 0;
  #times = new Float64Array(INITIAL_CAPACITY);
  #head = 0;

  get oldest(): number {
    return this.#times[this.#head] as number;
  }

  removeUntil(time: number): void {
    const capacity = this.#times.length;
    while (this.count > 0 && this.oldest <= time) {
      this.#head = (this.#head + 1) % capacity;
      this.count--;
    }
  }

  push(time: number, limit: number): void {
    if (this.count === this.#times.length) this.#grow(Math.min(limit, this.count * 2));
    this.#times[(this.#head + this.count) % this.#times.length] = time;
    this.count++;
  }

  #grow(capacity: number): void {
    const larger = new Float64Array(capacity);
    const tail = this.#times.subarray(this.#head);
    larger.set(tail);
    larger.set(this.#times.subarray(0, this.#head), tail.length);
    this.#times = larger;
    this.#head = 0;
  }
}

const units = [
  { seconds: 3600, name: 'hour' },
  { seconds: 60, name: 'minute' },
  { seconds: 1, name: 'second' },
] as const;

/** `1 minute`, `15 minutes`, `90 seconds`. */
export function windowText(seconds: number): string {
  const unit = units.find((u) => seconds % u.seconds === 0) ?? units[2];
  const number = seconds / unit.seconds;
  return `${number} ${unit.name}${number === 1 ? '' : 's'}`;
}

/**
 * `RateLimit-*` as in draft-ietf-httpapi-ratelimit-headers-06, the last draft with one field for each number; the policy
 * field in the same draft's form.
 */
export function rateLimitHeaders(hit: RateLimitResult): readonly string[] {
  return [
    'RateLimit-Limit',
    String(hit.limit),
    'RateLimit-Remaining',
    String(hit.remaining),
    'RateLimit-Reset',
    String(hit.resetSeconds),
    'RateLimit-Policy',
    `${hit.limit};w=${hit.windowSeconds}`,
  ];
}
