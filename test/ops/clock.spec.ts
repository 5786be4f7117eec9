import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createClock, systemClock } from '../../ops/system/clock.js';

const execute = promisify(execFile);

describe('the system clock', () => {
  it('returns the time of the computer', () => {
    const before = Date.now();
    expect(systemClock.now()).to.be.within(before, Date.now());
  });

  it('sleeps for the given time', async () => {
    const clock = createClock({ keepAlive: true });
    const began = performance.now();
    await clock.sleep(25);
    expect(performance.now() - began).to.be.at.least(24);
    await clock.sleep(0);
    await clock.sleep(-5);
  });

  it('resolves at once when the signal aborts or is already aborted', async () => {
    const abort = new AbortController();
    const sleeping = systemClock.sleep(60_000, abort.signal);
    abort.abort();
    await sleeping;
    await systemClock.sleep(60_000, abort.signal);
  });

  it('sleeps longer than the longest timer', async () => {
    const abort = new AbortController();
    let awake = false;
    const sleeping = systemClock.sleep(2 ** 31 + 5_000, abort.signal).then(() => {
      awake = true;
    });
    await createClock({ keepAlive: true }).sleep(20);
    expect(awake).to.equal(false);
    abort.abort();
    await sleeping;
  });

  it('keeps the process alive only with `keepAlive`', async () => {
    const program = (options: string) =>
      `import { createClock } from ${JSON.stringify(new URL('../../ops/system/clock.js', import.meta.url))};
       void createClock(${options}).sleep(50).then(() => console.log('slept'));`;
    const run = async (options: string) => (await execute(process.execPath, ['--input-type=module', '-e', program(options)])).stdout;
    expect(await run('{}')).to.equal('');
    expect(await run('{ keepAlive: true }')).to.equal('slept\n');
  });
});
