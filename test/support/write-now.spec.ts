import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeNow } from './write-now.js';

describe('writing to a pipe at once', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-pipe-'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('writes every line where the pipe is full and does not block', async () => {
    const [pipe, received] = [join(dir, 'pipe'), join(dir, 'received')];
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    // It starts more slowly than the pipe is full: that has 64 kB.
    const reader = spawn('sh', ['-c', 'cat "$0" >"$1"', pipe, received], { stdio: 'inherit' });
    const lines = Array.from({ length: 50 }, (_, n) => `${n} ${'é'.repeat(5_000)}\n`);
    for (const line of lines) writeNow(fd, line);
    closeSync(fd);
    await once(reader, 'close');
    expect(readFileSync(received, 'utf8') === lines.join('')).to.equal(true);
  });

  it('fails where the pipe has no reader any more, as any other write', () => {
    const fd = openSync(join(dir, 'received'), 'r');
    expect(() => writeNow(fd, 'text')).to.throw('EBADF');
    closeSync(fd);
  });
});
