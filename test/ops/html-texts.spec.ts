import { expect } from 'chai';
import { textOfHtml } from '../../formats/messages/html-text.js';
import { createHtmlTexts } from '../../ops/app/threads/html-texts.js';
import { createClock } from '../../ops/system/clock.js';

const long = (name: string) => `<p>${name}</p>${'<p>See <a href="https://example.com/">it</a></p>'.repeat(500)}`;

describe('texts of long HTML', () => {
  it('are those of their own HTML, however many are made at once', async () => {
    const make = createHtmlTexts(createClock());
    const htmls = ['a', 'b', 'c', 'd'].map(long);
    expect(await Promise.all(htmls.map(make))).to.deep.equal(htmls.map(textOfHtml));
  });

  it('are made while this thread does other work', async () => {
    const make = createHtmlTexts(createClock());
    let done = false;
    const text = make(long('a')).finally(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).to.equal(false);
    expect(await text).to.contain('a\n\nSee it [https://example.com/]');
  });

  it('are empty where none can be made, and the next ones are made again', async () => {
    const dying = new URL(
      `data:text/javascript,${encodeURIComponent('import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1));')}`,
    );
    const make = createHtmlTexts(createClock(), dying);
    expect(await Promise.all([make(long('a')), make(long('b'))])).to.deep.equal(['', '']);
  });
});
