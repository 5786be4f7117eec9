/** Groups of routes. Each group has its own limit. */
export type RateGroup = 'send' | 'bulk' | 'login' | 'login_user' | 'reset' | 'reset_user' | 'general' | 'public' | 'inbox';

export interface Limit {
  /** Requests in any period of `windowSeconds`. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export type LimitTable = Readonly<Record<RateGroup, Limit>>;

/** The state of a caller's limit after one request. */
export interface RateLimitResult extends Limit {
  readonly allowed: boolean;
  /** Requests that are free at this moment, after this one. */
  readonly remaining: number;
  /** Whole seconds until one more request is free; 0 when nothing is used. */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, after which a refused request passes if no other request is made before; 0 when allowed. */
  readonly retryAfter: number;
}

/** Counts requests of each caller. Returns a promise if several nodes share the store; the engine in memory returns the result itself. */
export interface RateLimits {
  consume(group: RateGroup, caller: string): RateLimitResult | Promise<RateLimitResult>;
  /** Frees the caller's latest accepted request at once, as if it had not been made. */
  refund(group: RateGroup, caller: string): void | Promise<void>;
}
