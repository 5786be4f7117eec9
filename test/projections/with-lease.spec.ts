import { expect } from 'chai';
import type { Lease, Leases } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { withLease } from '../../projections/runtime/with-lease.js';
import { ManualClock } from '../support/manual-clock.js';

/** Work that records when it starts and ends, and runs until its signal aborts. */
class Node {
  readonly epochs: number[] = [];
  works = false;
  readonly ending = new AbortController();
  readonly ended: Promise<void>;

  constructor(leases: Pick<Leases, 'acquire'>, clock: ManualClock) {
    this.ended = withLease('work', { leases, clock }, this.ending.signal, async (signal, { epoch }) => {
      this.epochs.push(epoch);
      this.works = true;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      this.works = false;
    });
  }

  stop(): Promise<void> {
    this.ending.abort();
    return this.ended;
  }
}

describe('work under a lease', () => {
  let clock: ManualClock;
  let leases: Leases;
  const nodes: Node[] = [];
  const node = (its: Pick<Leases, 'acquire'> = leases): Node => {
    const started = new Node(its, clock);
    nodes.push(started);
    return started;
  };
  beforeEach(() => {
    clock = new ManualClock();
    leases = openMemoryViews({ clock }).leases;
  });
  afterEach(() => Promise.all(nodes.splice(0).map((started) => started.stop())));

  it('runs on one node at a time, which keeps the lease while it lives', async () => {
    const [first, second] = [node(), node()];
    await clock.advance(60_000);
    expect([first.works, second.works]).to.deep.equal([true, false]);
    expect(first.epochs).to.deep.equal([1]);
  });

  it('continues on another node at once when its node stops, with a higher epoch', async () => {
    const [first, second] = [node(), node()];
    await clock.advance(1_000);
    await first.stop();
    await clock.advance(500);
    expect([second.works, second.epochs]).to.deep.equal([true, [2]]);
  });

  it('continues on another node within seven seconds when its node dies without releasing the lease', async () => {
    await leases.acquire('work', 6_000);
    const second = node();
    await clock.advance(5_900);
    expect(second.works).to.equal(false);
    await clock.advance(600);
    expect(second.works).to.equal(true);
  });

  it('ends when another node acquired the lease while this one slept, and starts again only with a new lease', async () => {
    let stolen = false;
    const first = node(changed(leases, (lease) => ({ ...lease, renew: async () => !stolen && lease.renew() })));
    await clock.advance(1_000);
    expect(first.epochs).to.deep.equal([1]);
    stolen = true;
    await clock.advance(2_000);
    expect(first.epochs).to.deep.equal([1, 2]);
  });

  it('ends when the lease could not be renewed within its time, not at the first failure', async () => {
    let away = false;
    const unsure = changed(leases, (lease) => ({ ...lease, renew: () => (away ? Promise.reject(new Error('away')) : lease.renew()) }));
    const first = node(unsure);
    await clock.waitForSleepers();
    await clock.advance(2_500);
    away = true;
    await clock.advance(4_000);
    expect(first.epochs).to.deep.equal([1]);
    await clock.advance(2_000);
    expect(first.epochs).to.deep.equal([1, 2]);
  });

  it('ends when the lease has expired although the renewal never answers', async () => {
    let silent = false;
    const first = node(changed(leases, (lease) => ({ ...lease, renew: () => (silent ? new Promise(() => {}) : lease.renew()) })));
    await clock.waitForSleepers();
    await clock.advance(2_500);
    silent = true;
    await clock.advance(5_000);
    expect(first.epochs).to.deep.equal([1]);
    await clock.advance(1_500);
    expect(first.epochs).to.deep.equal([1, 2]);
  });

  it('waits while the lease store is unavailable', async () => {
    let away = true;
    const first = node({ acquire: (name, ttl) => (away ? Promise.reject(new Error('away')) : leases.acquire(name, ttl)) });
    await clock.advance(5_000);
    expect(first.works).to.equal(false);
    away = false;
    await clock.advance(500);
    expect(first.works).to.equal(true);
  });
});

const changed = (leases: Leases, change: (lease: Lease) => Lease): Pick<Leases, 'acquire'> => ({
  async acquire(name, ttlMs) {
    const lease = await leases.acquire(name, ttlMs);
    return lease && change(lease);
  },
});
