import { Writable } from 'node:stream';
import { expect } from 'chai';
import { ProgressLine } from '../../../ops/engines/progress.js';

class Sink extends Writable {
  text = '';
  constructor(readonly isTTY: boolean) {
    super();
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** The output for progress that is reported every 100 ms. */
function outputDuring(ms: number, isTTY: boolean): string[] {
  const sink = new Sink(isTTY);
  let now = 1_000;
  const line = new ProgressLine(sink, () => now);
  for (const end = now + ms; now < end; now += 100) line.show({ phase: 'copying', done: now, fraction: now / 100_000 });
  line.end();
  return sink.text.split(isTTY ? '\r\u001b[K' : '\n').filter((text) => text !== '');
}

describe('the progress of a copy', () => {
  it('is one line on a terminal, updated at most twice a second', () => {
    expect(outputDuring(2_000, true)).to.deep.equal([
      '1000 events copied (1 %)',
      '1500 events copied (1 %)',
      '2000 events copied (2 %)',
      '2500 events copied (2 %)\n',
    ]);
  });

  it('is a line every ten seconds elsewhere, and none for a short copy', () => {
    expect(outputDuring(5_000, false)).to.deep.equal([]);
    expect(outputDuring(25_000, false)).to.deep.equal(['11000 events copied (11 %)', '21000 events copied (21 %)']);
  });

  it('has no percentage if the end is unknown', () => {
    const sink = new Sink(true);
    new ProgressLine(sink, () => 0).show({ phase: 'keys', done: 7, fraction: null });
    expect(sink.text).to.equal('\r\u001b[K7 keys copied');
  });
});
