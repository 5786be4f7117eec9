import { expect } from 'chai';
import { ManualClock } from './manual-clock.js';

describe('the clock of tests', () => {
  it('stands still until it is moved', async () => {
    const clock = new ManualClock('2026-03-01T00:00:00Z');
    expect(clock.now()).to.equal(Date.UTC(2026, 2, 1));
    await clock.advance(250);
    expect(clock.now()).to.equal(Date.UTC(2026, 2, 1) + 250);
  });

  it('wakes sleepers in the order in which they are due, each at its own time', async () => {
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

  it('takes a loop that sleeps round as often as the time allows', async () => {
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

  it('does not put anybody to sleep for no time, or whose signal has aborted', async () => {
    const clock = new ManualClock();
    await clock.sleep(0);
    await clock.sleep(1_000, AbortSignal.abort());
    expect(clock.sleepers).to.equal(0);
  });

  it('tells when somebody has gone to sleep', async () => {
    const clock = new ManualClock();
    const told = clock.waitForSleepers(2).then(() => clock.sleepers);
    const sleeping = [clock.sleep(5), clock.sleep(5)];
    expect(await told).to.equal(2);
    await clock.advance(5);
    await Promise.all(sleeping);
  });

  it('does not go back', async () => {
    const outcome = await new ManualClock().advance(-1).catch((e: unknown) => e);
    expect(outcome).to.be.instanceOf(RangeError);
  });
});
