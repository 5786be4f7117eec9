import { expect } from 'chai';
import type { Leases } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { holdPartitions, shareOf } from '../../projections/runtime/partition-leases.js';
import { ManualClock } from '../support/manual-clock.js';

const COUNT = 16;

/** A node that works on its partitions until it stops, or until its store is away. */
class Node {
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
  let nodes: Node[];
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

  const start = (): Node => {
    const node = new Node(leases, clock, busy);
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
    const [dying] = nodes.splice(0, 1) as [Node];
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
