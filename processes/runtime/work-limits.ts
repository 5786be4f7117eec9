/** How much a process may start now: fewer at a time after failures of a store, and the rate of each account. */

import type { Clock } from '../../domain/kernel/ports.js';
import type { Priority, Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';

/** Pauses after failures of a store, in milliseconds; the last one is repeated. */
const PAUSES_MS = [200, 1_000];

/**
 * Limits how many to-dos of a process run at a time, by additive increase and multiplicative decrease: half as many after each
 * failure of a store, down to one; one more after each success. Without it, hundreds of to-dos would retry against a store
 * that is unavailable.
 */
export class ConcurrencyLimit {
  #limit: number;
  #failures = 0;
  #pauses = 0;
  #pausedUntil = 0;

  constructor(private readonly most: number) {
    this.#limit = most;
  }

  /** How many may run at the same time now; 0 during a pause. `now` in milliseconds since 1970. */
  at(now: number): number {
    return now < this.#pausedUntil ? 0 : Math.floor(this.#limit);
  }

  /** End of the pause after a failure, in milliseconds since 1970; in the past where nothing failed. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Number of failures so far. A to-do that starts passes it to `failed` later: to-dos with the same number ran together. */
  get round(): number {
    return this.#failures;
  }

  succeeded(): void {
    this.#limit = Math.min(this.most, this.#limit + 1);
    this.#pauses = 0;
    this.#pausedUntil = 0;
  }

  /** A store failed for a to-do that started in this round. Only the first failure of a round counts; true for that one. */
  failed(round: number, now: number): boolean {
    if (round < this.#failures) return false;
    this.#failures += 1;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#pausedUntil = now + (PAUSES_MS[Math.min(this.#pauses++, PAUSES_MS.length - 1)] as number);
    return true;
  }
}

interface Bucket {
  tokens: number;
  /** By the monotonic clock. */
  at: number;
}

/** Buckets of accounts that have not started anything for long are forgotten beyond this number. */
const MAX_BUCKETS = 10_000;

/** A token bucket for each account and priority that has a rate: at most one second of it starts at once. */
export class RateAllowances {
  readonly #buckets = new Map<string, Bucket>();

  /** `rateOf` is in to-dos a second; null for no limit. `weightOf` is the number of to-dos that one counts for. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly rateOf: (priority: Priority) => number | null,
    private readonly weightOf: (todo: Todo) => number = () => 1,
  ) {}

  /** How many to-dos of an account may start now. */
  of(priority: Priority, account: string): number {
    const rate = this.rateOf(priority);
    return rate === null ? Number.POSITIVE_INFINITY : Math.floor(this.#bucket(priority, account, rate).tokens);
  }

  started(todos: readonly Todo[]): void {
    for (const todo of todos) {
      const { priority, account } = todo;
      const rate = this.rateOf(priority);
      if (rate !== null) this.#bucket(priority, account, rate).tokens -= this.weightOf(todo);
    }
  }

  /** Milliseconds until some account that was limited may start again. */
  nextMs(): number {
    let next = Number.POSITIVE_INFINITY;
    const now = this.clock.monotonic();
    for (const [group, { tokens: last, at }] of this.#buckets) {
      const rate = this.rateOf(Number(group[0]) as Priority);
      const tokens = last + ((now - at) / 1_000) * (rate ?? 0);
      if (rate !== null && tokens < 1) next = Math.min(next, Math.ceil(((1 - tokens) / rate) * 1_000));
    }
    return next;
  }

  #bucket(priority: Priority, account: string, rate: number): Bucket {
    const key = groupKey(priority, account);
    const now = this.clock.monotonic();
    const most = Math.max(1, rate);
    const bucket = this.#buckets.get(key) ?? { tokens: most, at: now };
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}
