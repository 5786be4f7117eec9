import { expect } from 'chai';
import { AdaptiveSemaphore } from '../../../engines/eventstoredb/adaptive-semaphore.js';

/** Longer than any test. */
const LONG_MS = 30_000;

describe('the adaptive semaphore', () => {
  /** Acquires permits until none is available at once. */
  async function taken(semaphore: AdaptiveSemaphore): Promise<number[]> {
    const moments: number[] = [];
    for (let at = await semaphore.acquire(0); at !== null; at = await semaphore.acquire(0)) moments.push(at);
    return moments;
  }

  it('limits the permits and grants freed ones in order', async () => {
    const semaphore = new AdaptiveSemaphore();
    const [first, second] = (await taken(semaphore)) as [number, number];
    const order: string[] = [];
    const waiting = ['one', 'two'].map((who) => semaphore.acquire(LONG_MS).then(() => order.push(who)));
    expect(order).to.deep.equal([]);
    semaphore.release(first, false);
    await waiting[0];
    expect(order).to.deep.equal(['one']);
    semaphore.release(second, false);
    await waiting[1];
    expect(order).to.deep.equal(['one', 'two']);
  });

  it('resolves with null after the time limit, without losing a permit', async () => {
    const semaphore = new AdaptiveSemaphore();
    const [first] = (await taken(semaphore)) as [number];
    expect(await semaphore.acquire(1)).to.equal(null);
    const waiting = semaphore.acquire(LONG_MS);
    semaphore.release(first, false);
    expect(await waiting).to.be.a('number');
  });

  it('halves the permits after timeouts, once for all appends in flight together', async () => {
    const semaphore = new AdaptiveSemaphore();
    const before = await taken(semaphore);
    for (const at of before) semaphore.release(at, true);
    const after = await taken(semaphore);
    expect(after.length).to.equal(before.length / 2);
    for (const at of after) semaphore.release(at, true);
    expect((await taken(semaphore)).length).to.equal(before.length / 4);
  });

  it('never goes below the minimum, and grows with each round of answers up to the maximum', async () => {
    const semaphore = new AdaptiveSemaphore();
    const most = (await taken(semaphore)).map((at) => semaphore.release(at, false)).length;
    for (let n = 0; n < 20; n++) for (const at of await taken(semaphore)) semaphore.release(at, true);
    let last = 0;
    for (let rounds = 0; rounds <= most; rounds++) {
      const round = await taken(semaphore);
      expect(round.length).to.be.within(Math.max(1, last), most);
      last = round.length;
      for (const at of round) semaphore.release(at, false);
    }
    expect(last).to.equal(most);
  });
});
