import { expect } from 'chai';
import { Pace } from '../../processes/runtime/pace.js';

describe('the pace of long work', () => {
  const position = (n: number): string => String(n).padStart(20, '0');
  let now: number;
  let slept: number[];
  let pace: Pace;
  const pause = async () => {
    await pace.pause(new AbortController().signal);
    return slept.at(-1);
  };
  beforeEach(() => {
    [now, slept] = [0, []];
    const clock = {
      monotonic: () => now,
      sleep: async (ms: number) => {
        slept.push(ms);
      },
    };
    pace = new Pace(clock, { slowMs: 50, stopMs: 250, pauseMs: 100 });
  });

  it('has no pause while the list has what was recorded', async () => {
    pace.recorded(position(1));
    pace.reached(position(1));
    now = 1_000;
    expect(pace.lagMs()).to.equal(0);
    expect(await pause()).to.equal(undefined);
  });

  it('pauses the longer the further the list is behind, up to a limit', async () => {
    pace.recorded(position(1));
    const pauses: (number | undefined)[] = [];
    for (now of [50, 150, 250, 1_000]) pauses.push(await pause());
    expect(pauses).to.deep.equal([undefined, 25, 100, 100]);
  });

  it('counts from the oldest record that the list does not have', () => {
    pace.recorded(position(1));
    now = 100;
    pace.recorded(position(2));
    now = 150;
    expect(pace.lagMs()).to.equal(150);
    pace.reached(position(1));
    expect(pace.lagMs()).to.equal(50);
  });
});
