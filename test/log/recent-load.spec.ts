import { expect } from 'chai';
import { RecentLoad } from '../../log/feed/recent-load.js';
import { FEED_TUNING } from '../../log/feed/tuning.js';
import { ManualClock } from '../support/manual-clock.js';

describe('the recent load', () => {
  let clock: ManualClock;
  let load: RecentLoad;
  beforeEach(() => {
    clock = new ManualClock();
    load = new RecentLoad(clock, FEED_TUNING.linger);
  });

  /** Adds items at a steady rate for a second and returns how long to gather then. */
  async function gatherAt(itemsPerRound: number, everyMs: number): Promise<number> {
    for (let at = 0; at < 1_000; at += everyMs) {
      load.add(itemsPerRound);
      await clock.advance(everyMs);
    }
    return load.gatherMs();
  }

  it('is no reason to wait before anything has come', () => expect(load.gatherMs()).to.equal(0));

  it('is no reason to wait for the four events of one message, nor of one every 100 ms', async () => {
    for (let event = 0; event < 4; event++) {
      load.add(1);
      expect(load.gatherMs()).to.equal(0);
      await clock.advance(2);
    }
    expect(await gatherAt(4, 100)).to.equal(0);
  });

  it('is a reason to wait under load, for the more the more has come, but never beyond the limit', async () => {
    const [some, many, most] = [await gatherAt(2, 10), await gatherAt(4, 10), await gatherAt(2_000, 10)];
    expect(some).to.be.within(1, 19);
    expect(many).to.be.within(some + 1, 20);
    expect(most).to.equal(20);
  });

  it('does not depend on how the same load comes in rounds', async () => {
    const small = await gatherAt(3, 10);
    expect(Math.abs((await gatherAt(6, 20)) - small)).to.be.at.most(2);
  });

  it('is over soon after the last item', async () => {
    expect(await gatherAt(2_000, 10)).to.equal(20);
    await clock.advance(1_000);
    expect(load.gatherMs()).to.equal(0);
  });
});
