import { expect } from 'chai';
import { Places } from '../../../engines/eventstoredb/adaptive-semaphore.js';

/** Longer than a test takes. */
const LONG_MS = 30_000;

describe('The places of appends under way', () => {
  /** Takes places until none is free at once. */
  async function taken(places: Places): Promise<number[]> {
    const moments: number[] = [];
    for (let at = await places.take(0); at !== null; at = await places.take(0)) moments.push(at);
    return moments;
  }

  it('are bounded, and who finds none free is let in when one is, in order', async () => {
    const places = new Places();
    const [first, second] = (await taken(places)) as [number, number];
    const order: string[] = [];
    const waiting = ['one', 'two'].map((who) => places.take(LONG_MS).then(() => order.push(who)));
    expect(order).to.deep.equal([]);
    places.leave(first, false);
    await waiting[0];
    expect(order).to.deep.equal(['one']);
    places.leave(second, false);
    await waiting[1];
    expect(order).to.deep.equal(['one', 'two']);
  });

  it('are refused to who would wait longer than he may, and no later one is lost by that', async () => {
    const places = new Places();
    const [first] = (await taken(places)) as [number];
    expect(await places.take(1)).to.equal(null);
    const waiting = places.take(LONG_MS);
    places.leave(first, false);
    expect(await waiting).to.be.a('number');
  });

  it('become half as many when answers come too late, once for all that were under way together', async () => {
    const places = new Places();
    const before = await taken(places);
    for (const at of before) places.leave(at, true);
    const after = await taken(places);
    expect(after.length).to.equal(before.length / 2);
    for (const at of after) places.leave(at, true);
    expect((await taken(places)).length).to.equal(before.length / 4);
  });

  it('never become none, and become more again with every round of answers, up to what they were', async () => {
    const places = new Places();
    const most = (await taken(places)).map((at) => places.leave(at, false)).length;
    for (let n = 0; n < 20; n++) for (const at of await taken(places)) places.leave(at, true);
    let last = 0;
    for (let rounds = 0; rounds <= most; rounds++) {
      const round = await taken(places);
      expect(round.length).to.be.within(Math.max(1, last), most);
      last = round.length;
      for (const at of round) places.leave(at, false);
    }
    expect(last).to.equal(most);
  });
});
