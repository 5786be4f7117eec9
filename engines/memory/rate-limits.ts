import type { Clock } from '../../domain/kernel/clock.js';
import type { Limit, LimitTable, RateGroup, RateLimitResult, RateLimits } from '../../domain/kernel/rate-limits.js';

/**
 * Rolling windows in memory. Exact: at most `limit` requests are accepted in any period of a window's length, and an
 * accepted request is free again after exactly one window. Refused requests do not count.
 *
 * rate-limiter-flexible is not used because its windows are fixed: a burst across the edge of two windows gets up to twice
 * the limit.
 */
export class MemoryRateLimits implements RateLimits {
  readonly #groups: Readonly<Record<RateGroup, GroupWindows>>;

  /** `hits`: where the attempts to sign in are kept, so that a restart does not free them. */
  constructor(table: LimitTable, clock: Pick<Clock, 'monotonic' | 'now'>, hits: KeptHits | null = null) {
    const kept = (group: RateGroup): Keep | null => hits && { group, hits, now: () => clock.now() };
    this.#groups = {
      send: new GroupWindows(table.send, clock),
      bulk: new GroupWindows(table.bulk, clock),
      general: new GroupWindows(table.general, clock),
      login: new GroupWindows(table.login, clock, kept('login')),
      login_user: new GroupWindows(table.login_user, clock, kept('login_user')),
      reset: new GroupWindows(table.reset, clock, kept('reset')),
      reset_user: new GroupWindows(table.reset_user, clock, kept('reset_user')),
      public: new GroupWindows(table.public, clock),
      inbox: new GroupWindows(table.inbox, clock),
    };
  }

  consume(group: RateGroup, caller: string): RateLimitResult {
    return this.#groups[group].consume(caller);
  }

  refund(group: RateGroup, caller: string): void {
    this.#groups[group].refund(caller);
  }

  /** Number of callers of a group that are in memory. */
  trackedCallers(group: RateGroup): number {
    return this.#groups[group].size;
  }
}

/** Each request checks so many other callers and evicts idle ones, so that memory follows traffic without a timer. */
const SWEPT_PER_REQUEST = 2;

/** Accepted requests on disk. */
export interface KeptHits {
  /** Those after a time, oldest first; older ones may be deleted. `at`: milliseconds since 1970. */
  since(group: RateGroup, at: number): readonly { readonly caller: string; readonly at: number }[];
  add(group: RateGroup, caller: string, at: number): void;
  /** The latest one. */
  remove(group: RateGroup, caller: string): void;
}

interface Keep {
  readonly group: RateGroup;
  readonly hits: KeptHits;
  readonly now: () => number;
}

class GroupWindows {
  readonly #windows = new Map<string, RingBuffer>();
  readonly #windowMs: number;
  #sweep: Iterator<[string, RingBuffer]> = this.#windows.entries();

  constructor(
    private readonly limit: Limit,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly keep: Keep | null = null,
  ) {
    this.#windowMs = limit.windowSeconds * 1000;
    if (keep) this.#restore(keep);
  }

  #restore({ group, hits, now }: Keep): void {
    const [wall, monotonic] = [now(), this.clock.monotonic()];
    // One that seems to be in the future was counted before the clock was set back.
    for (const { caller, at } of hits.since(group, wall - this.#windowMs)) {
      const ring = this.#windowOf(caller);
      if (ring.count < this.limit.limit) ring.push(monotonic - Math.max(0, wall - at), this.limit.limit);
    }
  }

  #windowOf(caller: string): RingBuffer {
    let ring = this.#windows.get(caller);
    if (!ring) {
      ring = new RingBuffer();
      this.#windows.set(caller, ring);
    }
    return ring;
  }

  get size(): number {
    return this.#windows.size;
  }

  consume(caller: string): RateLimitResult {
    const { limit, windowSeconds } = this.limit;
    const now = this.clock.monotonic();
    this.#evictIdle(now);
    const ring = this.#windowOf(caller);
    ring.removeUntil(now - this.#windowMs);
    const allowed = ring.count < limit;
    if (allowed) {
      // At first on disk: where that fails, the request is refused and does not count.
      this.keep?.hits.add(this.keep.group, caller, this.keep.now());
      ring.push(now, limit);
    }
    // With a limit of 0 the window stays empty, and no request is ever accepted.
    const wait = ring.count === 0 ? windowSeconds : Math.max(1, Math.ceil((ring.oldest + this.#windowMs - now) / 1000));
    return { allowed, limit, windowSeconds, remaining: limit - ring.count, resetSeconds: wait, retryAfter: allowed ? 0 : wait };
  }

  refund(caller: string): void {
    if (!this.#windows.get(caller)?.pop()) return;
    this.keep?.hits.remove(this.keep.group, caller);
  }

  #evictIdle(now: number): void {
    for (let i = 0; i < SWEPT_PER_REQUEST; i++) {
      const next = this.#sweep.next();
      if (next.done) {
        this.#sweep = this.#windows.entries();
        return;
      }
      const [caller, ring] = next.value;
      ring.removeUntil(now - this.#windowMs);
      if (ring.count === 0) this.#windows.delete(caller);
    }
  }
}

const INITIAL_CAPACITY = 4;

/** Times of accepted requests, oldest first, in a ring buffer that grows with use up to the limit. */
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

  /** Removes the latest time. Returns whether there was one. */
  pop(): boolean {
    if (this.count === 0) return false;
    this.count--;
    return true;
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
