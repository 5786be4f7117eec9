import { expect } from 'chai';
import { ManualClock } from './manual-clock.js';

describe('the manual clock', () => {
  it('changes only by advance', async () => {
    const clock = new ManualClock('2026-03-01T00:00:00Z');
    expect(clock.now()).to.equal(Date.UTC(2026, 2, 1));
    await clock.advance(250);
    expect(clock.now()).to.equal(Date.UTC(2026, 2, 1) + 250);
  });

  it('resolves sleeps in the order of their due times, each at its own time', async () => {
    const clock = new ManualClock(0);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    const all = [sleep('late', 30), sleep('first', 10), sleep('second', 10), sleep('never', 31)];
    await clock.advance(9);
    expect(woken).to.deep.equal([]);
    await clock.advance(21);
    expect(woken).to.deep.equal([
      ['first', 10],
      ['second', 10],
      ['late', 30],
    ]);
    expect(clock.sleepers).to.equal(1);
    await clock.advance(1);
    await Promise.all(all);
  });

  it('runs a sleeping loop as often as the time allows', async () => {
    const clock = new ManualClock(0);
    const rounds: number[] = [];
    const abort = new AbortController();
    const loop = (async () => {
      while (!abort.signal.aborted) {
        await clock.sleep(30, abort.signal);
        rounds.push(clock.now());
      }
    })();
    await clock.advance(100);
    expect(rounds).to.deep.equal([30, 60, 90]);
    abort.abort();
    await loop;
    expect(clock.sleepers).to.equal(0);
  });

  it('resolves a sleep of 0 ms or with an aborted signal at once', async () => {
    const clock = new ManualClock();
    await clock.sleep(0);
    await clock.sleep(1_000, AbortSignal.abort());
    expect(clock.sleepers).to.equal(0);
  });

  it('resolves waitForSleepers when sleeps are pending', async () => {
    const clock = new ManualClock();
    const sleepers = clock.waitForSleepers(2).then(() => clock.sleepers);
    const sleeping = [clock.sleep(5), clock.sleep(5)];
    expect(await sleepers).to.equal(2);
    await clock.advance(5);
    await Promise.all(sleeping);
  });

  it('rejects going back', async () => {
    const outcome = await new ManualClock().advance(-1).catch((e: unknown) => e);
    expect(outcome).to.be.instanceOf(RangeError);
  });
});
