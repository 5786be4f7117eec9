import { expect } from 'chai';
import { steadyTime } from '../../ops/system/steady-time.js';

describe('the time over a clock that is set', () => {
  let [wall, monotonic] = [0, 0];
  let now: () => number;
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
    return now();
  };
  beforeEach(() => {
    [wall, monotonic] = [1_000_000_000, 50];
    now = steadyTime(
      () => wall,
      () => monotonic,
    );
  });

  it('is that of the clock, also after it was set forward', () => {
    expect(pass(1_000)).to.equal(wall);
    wall += 3_600_000;
    expect(now()).to.equal(wall);
    expect(pass(5)).to.equal(wall);
  });

  it('goes on a tenth slower after the clock was set back, until both agree', () => {
    const before = pass(1_000);
    wall -= 3_600_000;
    expect(now()).to.equal(before);
    expect(pass(10_000)).to.equal(before + 9_000);
    for (let seconds = 0; seconds < 36_000; seconds += 10) {
      const last = now();
      expect(pass(10_000) - last).to.be.within(8_999, 10_001);
    }
    expect(now()).to.equal(wall);
  });

  it('is that of the clock where the program is stopped between two readings', () => {
    let readings = 0;
    /** The reading after which the program is stopped, for half a second. */
    const stopAfter = (reading: number, read: () => number) => () => {
      const value = read();
      readings += 1;
      if (readings === reading) [wall, monotonic] = [wall + 500, monotonic + 500];
      return value;
    };
    for (let reading = 1; reading <= 20; reading++) {
      readings = 0;
      const time = steadyTime(
        stopAfter(reading, () => wall),
        stopAfter(reading, () => monotonic),
      );
      for (let n = 0; n < 8; n++) {
        const before = wall;
        expect(time(), `stopped after reading ${reading}`).to.be.within(before, wall);
        wall += 1;
        monotonic += 1;
      }
    }
  });

  it('never goes back, however small the steps are', () => {
    let last = now();
    for (let n = 0; n < 1_000; n++) {
      wall += n % 3 === 0 ? -2 : 2;
      monotonic += 1;
      expect(now()).to.be.at.least(last);
      last = now();
    }
  });
});
