import { expect } from 'chai';
import type { Clock, Lease, Leases, ViewEngine } from '../../domain/kernel/ports.js';
import { createClock } from '../../ops/clock.js';
import { ManualClock } from '../support/manual-clock.js';
import { Child } from './child.js';
import type { ViewsUnderTest } from './engines.js';
import { newStream, ownFolder } from './helpers.js';

/** Pause between attempts to acquire a lease. */
const RETRY_MS = 10;

/** The contract of every implementation of leases. */
export function leasesContract({ name: engineName, durable, takesClock, open, clear }: ViewsUnderTest): void {
  const dir = ownFolder(clear);
  const manual = takesClock ? new ManualClock() : null;
  const clock: Clock = manual ?? createClock({ keepAlive: true });
  let engine: ViewEngine;
  before(async () => {
    engine = await open(dir(), clock);
  });
  // Undefined when the engine is skipped.
  after(() => engine?.views.close());

  const ttl = 300;
  /** Generous with a real clock on a slow machine, exact with a manual one. */
  const timeoutMs = takesClock ? ttl : ttl * 4;
  /** Polls until the lease is acquired; resolves with it and the waiting time. */
  const awaitLease = async (leases: Leases, name: string, limitMs: number, by: Clock = clock): Promise<{ lease: Lease; waited: number }> => {
    const startedAt = by.now();
    for (;;) {
      const lease = await leases.acquire(name, ttl);
      const waited = by.now() - startedAt;
      if (lease) return { lease, waited };
      if (waited > limitMs) return expect.fail(`${name} was not acquired within ${limitMs} ms`);
      await (by === manual ? manual.advance(RETRY_MS) : by.sleep(RETRY_MS));
    }
  };
  const acquired = async (name: string): Promise<Lease> => (await engine.leases.acquire(name, ttl)) ?? expect.fail(`${name} is taken`);

  it('has one holder at a time', async () => {
    const name = newStream();
    expect(await engine.leases.acquire(name, ttl)).not.to.equal(null);
    expect(await engine.leases.acquire(name, ttl)).to.equal(null);
    expect(await engine.leases.acquire(newStream(), ttl), 'another lease is independent').not.to.equal(null);
  });

  it('is acquired by exactly one of many concurrent callers', async () => {
    const name = newStream();
    // Longer than all attempts together, so that the first lease does not expire meanwhile.
    const answers = await Promise.all(Array.from({ length: 20 }, () => engine.leases.acquire(name, 60_000)));
    expect(answers.filter((lease) => lease !== null)).to.have.length(1);
  });

  it('is free at once after a release, and the old holder cannot renew it', async () => {
    const name = newStream();
    const first = await acquired(name);
    await first.release();
    const second = await acquired(name);
    expect(second.epoch).to.be.above(first.epoch);
    expect(await first.renew()).to.equal(false);
    await first.release();
    expect(await second.renew(), 'the second release does not affect the new lease').to.equal(true);
    expect(await engine.leases.acquire(name, ttl)).to.equal(null);
    await second.release();
    expect(await second.renew()).to.equal(false);
  });

  it('gives each holder a higher epoch', async () => {
    const name = newStream();
    const epochs: number[] = [];
    for (let n = 0; n < 5; n++) {
      const lease = await acquired(name);
      epochs.push(lease.epoch);
      await lease.release();
    }
    expect(epochs).to.deep.equal([...new Set(epochs)].sort((a, b) => a - b));
  });

  it('is free when it expires, not before, and the old holder cannot renew it', async () => {
    const name = newStream();
    const first = await acquired(name);
    const { lease: second, waited } = await awaitLease(engine.leases, name, timeoutMs);
    expect(waited).to.be.at.least(ttl - RETRY_MS);
    expect(second.epoch).to.be.above(first.epoch);
    expect(await first.renew()).to.equal(false);
    await first.release();
    expect(await engine.leases.acquire(name, ttl), 'an expired lease cannot be released').to.equal(null);
  });

  it('lasts as long as it is renewed', async () => {
    const name = newStream();
    const lease = await acquired(name);
    const startedAt = clock.now();
    let renewed = startedAt;
    while (clock.now() - startedAt < ttl * 2.5) {
      renewed = clock.now();
      expect(await lease.renew()).to.equal(true);
      expect(await engine.leases.acquire(name, ttl)).to.equal(null);
      await (manual ? manual.advance(ttl / 5) : clock.sleep(ttl / 5));
    }
    await awaitLease(engine.leases, name, timeoutMs);
    expect(clock.now() - renewed).to.be.at.least(ttl - RETRY_MS);
  });

  it('can be renewed late unless another holder has acquired it', async () => {
    const name = newStream();
    const lease = await acquired(name);
    await (manual ? manual.advance(ttl * 2) : clock.sleep(ttl * 2));
    expect(await lease.renew()).to.equal(true);
    expect(await engine.leases.acquire(name, ttl)).to.equal(null);
  });

  if (durable) {
    it('is shared by all processes with the same store', async () => {
      const name = newStream();
      const beside = await open(dir(), clock);
      const lease = await acquired(name);
      expect(await beside.leases.acquire(name, ttl)).to.equal(null);
      await lease.release();
      const taken = await beside.leases.acquire(name, ttl);
      expect(taken?.epoch).to.be.above(lease.epoch);
      expect(await engine.leases.acquire(name, ttl)).to.equal(null);
      await beside.views.close();
    });

    it('is free within its lifetime after its holder was killed', async () => {
      const name = newStream();
      const real = createClock({ keepAlive: true });
      const here = await open(dir(), real);
      const child = new Child<number>('hold', engineName, dir(), name, '3000');
      await child.has(1);
      expect(await here.leases.acquire(name, ttl), 'the child is alive').to.equal(null);
      await child.kill();
      const { lease } = await awaitLease(here.leases, name, 3_500, real);
      expect(lease.epoch).to.be.above(child.reports[0] ?? Number.NaN);
      await here.views.close();
    });
  }
}
