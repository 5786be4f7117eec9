import { DomainError } from '../../../domain/kernel/errors.js';
import type { Limit, LimitTable, RateGroup, RateLimitResult } from '../../../domain/kernel/rate-limits.js';

export type LimitOverrides = Readonly<Partial<Record<RateGroup, Partial<Limit>>>>;

/**
 * Counted by account, or by client address on routes without a credential: sign-in and the public routes; `inbox` by contact, `login_user`
 * by the email of a sign-in, `reset_user` by that of a forgotten password.
 */
export const rateLimits: LimitTable = {
  send: { limit: 1000, windowSeconds: 60 },
  bulk: { limit: 100, windowSeconds: 60 },
  general: { limit: 500, windowSeconds: 60 },
  login: { limit: 20, windowSeconds: 900 },
  login_user: { limit: 20, windowSeconds: 900 },
  reset: { limit: 20, windowSeconds: 3600 },
  reset_user: { limit: 3, windowSeconds: 3600 },
  public: { limit: 120, windowSeconds: 60 },
  inbox: { limit: 120, windowSeconds: 60 },
};

export const withOverrides = (overrides: LimitOverrides): LimitTable => ({
  send: { ...rateLimits.send, ...overrides.send },
  bulk: { ...rateLimits.bulk, ...overrides.bulk },
  general: { ...rateLimits.general, ...overrides.general },
  login: { ...rateLimits.login, ...overrides.login },
  login_user: { ...rateLimits.login_user, ...overrides.login_user },
  reset: { ...rateLimits.reset, ...overrides.reset },
  reset_user: { ...rateLimits.reset_user, ...overrides.reset_user },
  public: { ...rateLimits.public, ...overrides.public },
  inbox: { ...rateLimits.inbox, ...overrides.inbox },
});

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

export function rateLimitExceeded({ limit, windowSeconds, retryAfter }: RateLimitResult): DomainError {
  const window = windowText(windowSeconds);
  const message = `Limit of ${limit} requests per ${window} reached. Wait ${retryAfter} s before the next one.`;
  return new DomainError('rate_limit_exceeded', message, { limit, window, retry_after: retryAfter });
}

/**
 * `RateLimit-*` headers of draft-ietf-httpapi-ratelimit-headers-06, the last draft with one field for each number; the policy
 * field in the format of the same draft.
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
