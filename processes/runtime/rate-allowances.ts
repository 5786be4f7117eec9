import type { Clock } from '../../domain/kernel/ports.js';
import type { Priority, Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';

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
