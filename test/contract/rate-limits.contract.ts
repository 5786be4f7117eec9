import { expect } from 'chai';
import type { LimitTable, RateLimitResult, RateLimits } from '../../domain/kernel/rate-limits.js';
import type { RateLimitsUnderTest } from './engines.js';
import { newStream, ownFolder } from './helpers.js';

const ONE_HOUR = 3_600;

const table = (send: LimitTable['send']): LimitTable => {
  const other = { limit: 10, windowSeconds: ONE_HOUR };
  return { send, bulk: other, general: other, login: other, login_user: other, reset: other, reset_user: other, public: other, inbox: other };
};

/** The contract of every implementation of the rate limits. */
export function rateLimitsContract({ open, clear }: RateLimitsUnderTest): void {
  const dir = ownFolder(clear);
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const limited = async (limit: number, windowSeconds = ONE_HOUR): Promise<{ limits: RateLimits; advance: (ms: number) => Promise<void> }> => {
    const { limits, advance, close } = await open(dir(), table({ limit, windowSeconds }));
    closers.push(close);
    return { limits, advance };
  };
  /** Consumes one request after the other. */
  const consume = async (limits: RateLimits, caller: string, count: number): Promise<RateLimitResult[]> => {
    const results: RateLimitResult[] = [];
    for (let n = 0; n < count; n++) results.push(await limits.consume('send', caller));
    return results;
  };

  it('accepts as many requests as the limit, and rejects the next', async () => {
    const { limits } = await limited(3);
    const results = await consume(limits, newStream(), 4);
    expect(results.map(({ allowed }) => allowed)).to.deep.equal([true, true, true, false]);
    expect(results.map(({ remaining }) => remaining)).to.deep.equal([2, 1, 0, 0]);
    for (const result of results) expect(result).to.include({ limit: 3, windowSeconds: ONE_HOUR });
  });

  it('returns when the next request is free, in whole seconds', async () => {
    const { limits } = await limited(1);
    const [accepted, refused] = (await consume(limits, newStream(), 2)) as [RateLimitResult, RateLimitResult];
    expect(accepted.resetSeconds).to.be.within(ONE_HOUR - 60, ONE_HOUR);
    expect(accepted.retryAfter).to.equal(0);
    expect(refused.resetSeconds).to.be.within(ONE_HOUR - 60, ONE_HOUR);
    expect(refused.retryAfter).to.equal(refused.resetSeconds);
  });

  it('accepts exactly the limit of concurrent requests, each with a different remaining number', async () => {
    const { limits } = await limited(20);
    const caller = newStream();
    const results = await Promise.all(Array.from({ length: 50 }, async () => limits.consume('send', caller)));
    const remaining = results.filter(({ allowed }) => allowed).map((result) => result.remaining);
    expect(remaining.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 20 }, (_, n) => n));
  });

  it('counts callers and groups separately', async () => {
    const { limits } = await limited(1);
    const [caller, other] = [newStream(), newStream()];
    await consume(limits, caller, 1);
    expect(await limits.consume('send', caller)).to.include({ allowed: false });
    expect(await limits.consume('send', other)).to.include({ allowed: true });
    expect(await limits.consume('general', caller)).to.include({ allowed: true, limit: 10, remaining: 9 });
  });

  it('rejects every request of a group with the limit 0', async () => {
    const { limits } = await limited(0, 60);
    expect(await limits.consume('send', newStream())).to.include({ allowed: false, remaining: 0, resetSeconds: 60, retryAfter: 60 });
  });

  it('accepts a rejected request after retryAfter seconds', async () => {
    const { limits, advance } = await limited(1, 1);
    const caller = newStream();
    const [, refused] = (await consume(limits, caller, 2)) as [RateLimitResult, RateLimitResult];
    expect(refused).to.include({ allowed: false, retryAfter: 1 });
    await advance(refused.retryAfter * 1_000);
    expect(await limits.consume('send', caller)).to.include({ allowed: true });
  });

  it('frees the latest request that is given back, and no more than were accepted', async () => {
    const { limits } = await limited(2);
    const [caller, other] = [newStream(), newStream()];
    await limits.refund('send', caller);
    await consume(limits, caller, 3);
    await limits.refund('send', other);
    expect(await limits.consume('send', caller)).to.include({ allowed: false });
    await limits.refund('send', caller);
    expect((await consume(limits, caller, 2)).map(({ allowed }) => allowed)).to.deep.equal([true, false]);
    for (let n = 0; n < 3; n++) await limits.refund('send', caller);
    expect((await consume(limits, caller, 3)).map(({ remaining }) => remaining)).to.deep.equal([1, 0, 0]);
  });

  it('does not count rejected requests', async () => {
    const { limits, advance } = await limited(2, 1);
    const caller = newStream();
    await consume(limits, caller, 2);
    await advance(500);
    await consume(limits, caller, 5);
    await advance(500);
    expect(await limits.consume('send', caller)).to.include({ allowed: true });
  });
}
