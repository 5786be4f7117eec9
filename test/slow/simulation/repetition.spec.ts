import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { simulate } from '../../simulation/simulate.js';

const SIZE = { commands: 40, hours: 1, crashes: 3 };
const main = fileURLToPath(new URL('../../simulation/main.js', import.meta.url));

async function hashInFreshProcess(seed: number): Promise<string | undefined> {
  const sizes = Object.entries(SIZE).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--seed', String(seed), ...sizes]);
  return /log ([0-9a-f]{64})/.exec(stdout)?.[1];
}

describe('the same seed', function () {
  this.timeout(120_000);

  it('gives the same log twice in one process, and in another process', async () => {
    const [first, second] = [await simulate({ ...SIZE, seed: 11 }), await simulate({ ...SIZE, seed: 11 })];
    expect(second.hash).to.equal(first.hash);
    expect(await hashInFreshProcess(11)).to.equal(first.hash);
  });

  it('gives another log than other seeds', async () => {
    expect((await simulate({ ...SIZE, seed: 12 })).hash).not.to.equal((await simulate({ ...SIZE, seed: 13 })).hash);
  });
});
