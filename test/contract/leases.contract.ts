import { expect } from 'chai';
import type { Clock, Lease, Leases, ViewEngine } from '../../domain/kernel/ports.js';
import { createClock } from '../../ops/system/clock.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';
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

  const ttl = takesClock ? 300 : 300 * TIMEOUT_FACTOR;
  /** Generous with a real clock on a slow machine, exact with a manual one. */
  const timeoutMs = takesClock ? ttl : ttl * 4;
  /** Polls until the lease is acquired. */
  const awaitLease = async (leases: Leases, name: string, limitMs: number, by: Clock = clock): Promise<Lease> => {
    const startedAt = by.now();
    for (;;) {
      const lease = await leases.acquire(name, ttl);
      if (lease) return lease;
      if (by.now() - startedAt > limitMs) return expect.fail(`${name} was not acquired within ${limitMs} ms`);
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

  it('says whether the previous holder released it', async () => {
    const name = newStream();
    const first = await acquired(name);
    await first.release();
    const second = await acquired(name);
    const third = await awaitLease(engine.leases, name, timeoutMs);
    await third.release();
    const fourth = await acquired(name);
    expect([first, second, third, fourth].map(({ unclean }) => unclean)).to.deep.equal([false, false, true, false]);
  });

  it('is free when it expires, not before, and the old holder cannot renew it', async () => {
    const name = newStream();
    // From before the first request: on a busy machine its answer is late.
    const asked = clock.now();
    const first = await acquired(name);
    const second = await awaitLease(engine.leases, name, timeoutMs);
    expect(clock.now() - asked).to.be.at.least(ttl - RETRY_MS);
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

  describe('members of a group', () => {
    it('are in a fixed order from their first renewal until they leave', async () => {
      const group = newStream();
      const members = [1, 2, 3].map(() => engine.leases.join(group, 60_000));
      expect(await members[0]?.renew()).to.deep.equal({ rank: 0, size: 1 });
      expect(await engine.leases.join(newStream(), 60_000).renew(), 'another group').to.deep.equal({ rank: 0, size: 1 });
      for (const member of members) await member.renew();
      const standings = await Promise.all(members.map((member) => member.renew()));
      expect(standings.map(({ rank }) => rank).sort()).to.deep.equal([0, 1, 2]);
      expect(standings.map(({ size }) => size)).to.deep.equal([3, 3, 3]);
      expect(await Promise.all(members.map((member) => member.renew())), 'the same order').to.deep.equal(standings);
      await members[1]?.leave();
      const left = await Promise.all([members[0]?.renew(), members[2]?.renew()]);
      expect(left.map((standing) => standing?.rank).sort()).to.deep.equal([0, 1]);
      expect(await members[1]?.renew(), 'it comes back').to.include({ size: 3 });
    });

    it('count until they have not renewed for their time', async () => {
      const group = newStream();
      const [lasting, ending] = [engine.leases.join(group, 60_000), engine.leases.join(group, ttl)];
      await ending.renew();
      expect(await lasting.renew()).to.include({ size: 2 });
      await (manual ? manual.advance(ttl) : clock.sleep(ttl * 2));
      expect(await lasting.renew()).to.deep.equal({ rank: 0, size: 1 });
      expect(await ending.renew()).to.include({ size: 2 });
    });

    if (durable) {
      it('are those of all processes with the same store', async () => {
        const group = newStream();
        const beside = await open(dir(), clock);
        await beside.leases.join(group, 60_000).renew();
        expect(await engine.leases.join(group, 60_000).renew()).to.include({ size: 2 });
        await beside.views.close();
      });
    }
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
      const lease = await awaitLease(here.leases, name, 3_500, real);
      expect(lease.unclean).to.equal(true);
      expect(lease.epoch).to.be.above(child.reports[0] ?? Number.NaN);
      await here.views.close();
    });
  }
}
