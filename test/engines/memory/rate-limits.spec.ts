import { expect } from 'chai';
import fc from 'fast-check';
import { withOverrides } from '../../../api/http/access/rate-limits.js';
import { MemoryRateLimits } from '../../../engines/memory/index.js';

describe('rate limits in memory', () => {
  let now = 0;
  const limiter = (limit: number, windowSeconds = 1) =>
    new MemoryRateLimits(withOverrides({ general: { limit, windowSeconds } }), { monotonic: () => now, now: () => now });
  beforeEach(() => {
    now = 0;
  });

  it('limits a burst across the edge of a fixed window', () => {
    const limits = limiter(10);
    const accepted: number[] = [];
    for (const [at, hits] of [
      [1, 1],
      [933, 9],
      [1034, 10],
    ] as const) {
      now = at;
      for (let i = 0; i < hits; i++) if (limits.consume('general', 'a').allowed) accepted.push(at);
    }
    for (const start of accepted) expect(accepted.filter((t) => t >= start && t < start + 1000)).to.have.length.at.most(10);
    // Only the slot of the request at 1 ms is free again.
    expect(accepted).to.have.length(11);
  });

  it('accepts a request again exactly one window after an accepted one', () => {
    const limits = limiter(1);
    limits.consume('general', 'a');
    now = 999.9;
    expect(limits.consume('general', 'a').allowed).to.equal(false);
    now = 1000;
    expect(limits.consume('general', 'a').allowed).to.equal(true);
  });

  it('returns the remaining requests and the seconds until the next is free', () => {
    const limits = limiter(2, 60);
    expect(limits.consume('general', 'a')).to.include({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60, retryAfter: 0, windowSeconds: 60 });
    now = 10_500;
    expect(limits.consume('general', 'a')).to.include({ allowed: true, remaining: 0, resetSeconds: 50 });
    const refused = limits.consume('general', 'a');
    expect(refused).to.include({ allowed: false, remaining: 0, resetSeconds: 50, retryAfter: 50 });
    now += refused.retryAfter * 1000;
    expect(limits.consume('general', 'a').allowed).to.equal(true);
  });

  it('accepts up to the limit in any window, for any schedule', () => {
    const schedule = fc.array(fc.nat({ max: 400 }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), schedule, (limit, gaps) => {
        now = 0;
        const limits = limiter(limit);
        const accepted: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const inWindow = accepted.filter((t) => t > now - 1000).length;
          const { allowed, remaining } = limits.consume('general', 'a');
          if (allowed !== inWindow < limit || remaining !== limit - inWindow - (allowed ? 1 : 0)) return false;
          if (allowed) accepted.push(now);
        }
        return true;
      }),
      { numRuns: 300 },
    );
  });

  it('evicts callers that were idle for one window', () => {
    const limits = limiter(5);
    for (let i = 0; i < 1000; i++) limits.consume('general', `caller ${i}`);
    expect(limits.trackedCallers('general')).to.equal(1000);
    now = 1000;
    for (let i = 0; i < 1100; i++) limits.consume('general', 'active caller');
    expect(limits.trackedCallers('general')).to.equal(1);
  });
});
