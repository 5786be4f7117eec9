import { expect } from 'chai';
import { type Heap, IDLE_MEMORY, releaseMemoryWhenIdle } from '../../../ops/app/serve/idle-memory.js';
import { ManualClock } from '../../support/manual-clock.js';

const MB = 2 ** 20;
const { periodMs, quietPeriods, collections } = IDLE_MEMORY;
const REST = periodMs * quietPeriods;

describe('the memory of an idle thread', () => {
  let clock: ManualClock;
  let heap: { busy: number; total: number; used: number; collected: number[] };
  let stop: AbortController;
  let running: Promise<void>;

  beforeEach(() => {
    clock = new ManualClock();
    heap = { busy: 0, total: 400 * MB, used: 300 * MB, collected: [] };
    stop = new AbortController();
    const observed: Heap = {
      busyShare: () => heap.busy,
      bytes: () => heap,
      collect: () => {
        heap.collected.push(clock.monotonic());
        heap.total /= 2;
        heap.used = 50 * MB;
      },
    };
    running = releaseMemoryWhenIdle({ clock, heap: observed }, stop.signal);
  });
  afterEach(async () => {
    stop.abort();
    await running;
  });

  it('is collected after some quiet periods, and not again while nothing is allocated', async () => {
    await clock.advance(REST - 1);
    expect(heap.collected).to.deep.equal([]);
    await clock.advance(100 * REST);
    expect(heap.collected).to.have.length(collections);
    expect(heap.collected[0]).to.equal(REST);
  });

  it('is not collected while the thread is busy', async () => {
    heap.busy = 0.5;
    await clock.advance(10 * REST);
    expect(heap.collected).to.deep.equal([]);
  });

  it('is collected again after the next load', async () => {
    await clock.advance(10 * REST);
    heap.busy = 1;
    heap.total = 500 * MB;
    await clock.advance(periodMs);
    heap.busy = 0;
    await clock.advance(10 * REST);
    expect(heap.collected).to.have.length(2 * collections);
  });

  it('is not collected for the little that periodic work allocates', async () => {
    await clock.advance(10 * REST);
    heap.total += 10 * MB;
    await clock.advance(10 * REST);
    expect(heap.collected).to.have.length(collections);
  });

  it('is given back by a real collection', async () => {
    stop.abort();
    await running;
    stop = new AbortController();
    let garbage: unknown[] = Array.from({ length: 50 }, () => Array.from({ length: 100_000 }, (_, i) => ({ i })));
    const before = process.memoryUsage().heapUsed;
    expect(garbage).to.have.length(50);
    garbage = [];
    // The thread of the tests is busy.
    running = releaseMemoryWhenIdle({ clock, tuning: { ...IDLE_MEMORY, quietShare: 1 } }, stop.signal);
    await clock.advance(2 * REST);
    expect(process.memoryUsage().heapUsed).to.be.below(before - 100 * MB);
  });
});
