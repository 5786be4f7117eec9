import { Writable } from 'node:stream';
import { expect } from 'chai';
import { ProgressBar } from '../../ops/cli/terminal/progress-bar.js';

class Sink extends Writable {
  text = '';
  readonly columns = 120;
  constructor(readonly isTTY: boolean) {
    super();
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
  /** Lines as they were drawn one after the other, without what moves the cursor. */
  get drawn(): string[] {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of a terminal begin with one
    return this.text.split(/(?:\u001b(?:\[[\d;?]*[A-Za-z]|[78])|\n)+/).filter((line) => line !== '');
  }
}

/** The output of a bar for work that is shown every 100 ms. */
function outputDuring(ms: number, isTTY: boolean): Sink {
  const sink = new Sink(isTTY);
  let now = 1_000;
  const bar = new ProgressBar(sink, () => now);
  for (const end = now + ms; now < end; now += 100) bar.show({ text: 'events copied', done: now, fraction: now / 100_000 });
  bar.end();
  return sink;
}

describe('the progress of long work', () => {
  it('is a bar on a terminal, which ends with its last state', () => {
    const { drawn, text } = outputDuring(50_000, true);
    expect(drawn[0]).to.match(/^░{30} 1 % {2}1000 events copied$/);
    expect(drawn.at(-1)).to.match(/^█{15}░{15} 50 % {2}50900 events copied/);
    expect(text).to.match(/\n$/);
  });

  it('has a bar for each part of the work', () => {
    const sink = new Sink(true);
    const bar = new ProgressBar(sink, () => 0);
    bar.show({ text: 'events copied', done: 10, fraction: 1 });
    bar.show({ text: 'of the log counted', fraction: 0.5 });
    bar.end();
    expect(sink.text.trim().split('\n')).to.have.length(2);
    expect(sink.drawn.at(-1)).to.match(/ 50 % {2}of the log counted$/);
  });

  it('is a line every ten seconds elsewhere, and none for short work', () => {
    expect(outputDuring(5_000, false).text).to.equal('');
    expect(outputDuring(25_000, false).text).to.equal('11000 events copied (11 %)\n21000 events copied (21 %)\n');
  });

  it('has no bar if the end is unknown', () => {
    const sink = new Sink(true);
    const bar = new ProgressBar(sink, () => 0);
    bar.show({ text: 'keys copied', done: 7, fraction: null });
    bar.end();
    expect(new Set(sink.drawn)).to.deep.equal(new Set(['7 keys copied']));
  });
});
