import { expect } from 'chai';
import { writeCheck } from '../../../ops/app/serve/write-check.js';
import { ManualClock } from '../../support/manual-clock.js';

describe('the check whether stores take writes', () => {
  it('is made once a second for all who ask, and logs the first failure and the recovery', async () => {
    const clock = new ManualClock();
    let [tries, full] = [0, false];
    const lines: string[] = [];
    const tryWrite = async () => {
      tries += 1;
      if (full) throw new Error('full');
    };
    const check = writeCheck({ tryWrite }, clock, { info: (message) => lines.push(message), error: (message) => lines.push(message) });
    await Promise.all([check(), check()]);
    await check();
    expect(tries).to.equal(1);

    full = true;
    for (let i = 0; i < 3; i++) {
      await clock.advance(1_000);
      expect(await check().catch((e: Error) => e.message)).to.equal('full');
    }
    full = false;
    await clock.advance(1_000);
    await check();
    expect([tries, lines]).to.deep.equal([5, ['a store takes no writes', 'the stores take writes again']]);
  });
});
