import { expect } from 'chai';
import type { Lease, Leases } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { holdPartitions, shareOf, withLease } from '../../projections/runtime/leases.js';
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

const COUNT = 16;

/** A node that works on its partitions until it stops, or until its store is away. */
class PartitionNode {
  readonly works = new Set<number>();
  readonly epochs = new Map<number, number>();
  readonly ending = new AbortController();
  readonly ended: Promise<void>;
  away = false;

  constructor(leases: Leases, clock: ManualClock, busy: Set<number>) {
    const guard = async <T>(call: () => Promise<T>): Promise<T> => (this.away ? Promise.reject(new Error('away')) : call());
    const own: Leases = {
      acquire: async (name, ttl) => {
        const lease = await guard(() => leases.acquire(name, ttl));
        return lease && { ...lease, renew: () => guard(() => lease.renew()), release: () => guard(() => lease.release()) };
      },
      join: (group, ttl) => {
        const member = leases.join(group, ttl);
        return { renew: () => guard(() => member.renew()), leave: () => guard(() => member.leave()) };
      },
    };
    this.ended = holdPartitions('projections/partition', COUNT, { leases: own, clock }, this.ending.signal, async (partition, signal, { epoch }) => {
      expect(busy.has(partition), `partition ${partition} is worked on twice`).to.equal(false);
      busy.add(partition);
      this.works.add(partition);
      this.epochs.set(partition, epoch);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      busy.delete(partition);
      this.works.delete(partition);
    });
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }
}

describe('leases of partitions', () => {
  let clock: ManualClock;
  let leases: Leases;
  let busy: Set<number>;
  let nodes: PartitionNode[];
  beforeEach(() => {
    clock = new ManualClock();
    leases = openMemoryViews({ clock }).leases;
    busy = new Set();
    nodes = [];
  });
  afterEach(async () => {
    const stopping = Promise.all(nodes.map((node) => node.stop()));
    await clock.advance(10_000);
    await stopping;
  });

  const start = (): PartitionNode => {
    const node = new PartitionNode(leases, clock, busy);
    nodes.push(node);
    return node;
  };
  /** What was begun just before settles first. */
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(0);
    await clock.advance(ms);
  };
  const sizes = () => nodes.map(({ works }) => works.size);

  it('give each member its share, and all members together every partition once', () => {
    for (let size = 1; size <= 20; size++) {
      const shares = Array.from({ length: size }, (_, rank) => shareOf(COUNT, { rank, size }));
      expect(shares.reduce((sum, share) => sum + share)).to.equal(COUNT);
      expect(Math.max(...shares) - Math.min(...shares)).to.be.at.most(1);
    }
  });

  it('are held by a node that is alone', async () => {
    const node = start();
    await pass(1_000);
    expect(node.works.size).to.equal(COUNT);
  });

  it('are shared evenly by the nodes that come, without a partition worked on twice', async () => {
    start();
    await pass(3_000);
    for (const expected of [
      [8, 8],
      [6, 5, 5],
      [4, 4, 4, 4],
    ]) {
      start();
      await pass(4_000);
      expect(sizes()).to.deep.equal(expected);
    }
    expect(busy.size).to.equal(COUNT);
  });

  it('are taken over at once where a node stops, and within ten seconds where it dies', async () => {
    for (let n = 0; n < 4; n++) start();
    await pass(5_000);
    await nodes[0]?.stop();
    nodes.shift();
    await pass(2_000);
    expect(sizes()).to.deep.equal([6, 5, 5]);
    const [dying] = nodes.splice(0, 1) as [PartitionNode];
    dying.away = true;
    dying.ending.abort();
    await pass(9_000);
    await dying.ended;
    expect(sizes()).to.deep.equal([8, 8]);
    expect(busy.size).to.equal(COUNT);
  });

  it('have a higher epoch with each holder', async () => {
    const first = start();
    await pass(1_000);
    const before = new Map(first.epochs);
    const second = start();
    await pass(4_000);
    for (const partition of second.works) expect(second.epochs.get(partition)).to.be.above(before.get(partition) ?? 0);
  });

  it('stay where they are while the store is away for less than their time', async () => {
    const [first, second] = [start(), start()];
    await pass(4_000);
    const before = [...first.works];
    first.away = true;
    await pass(3_000);
    first.away = false;
    await pass(4_000);
    expect([...first.works].sort()).to.deep.equal(before.sort());
    expect(second.works.size).to.equal(8);
  });
});
