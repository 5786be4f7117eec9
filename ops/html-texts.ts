import { Worker } from 'node:worker_threads';
import type { HtmlTexts } from '../commands/messages/dependencies.js';
import type { Clock } from '../domain/kernel/clock.js';
import { textOfHtml } from '../formats/messages/html-text.js';

/** UTF-16 units up to which making a text takes about a millisecond. */
const SHORT_HTML = 8_192;
/** Many times what an HTML of the maximum length takes. */
const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 256;

/**
 * Makes texts of HTML. Long ones are made in a thread of their own, one at a time, so that other requests go on: a megabyte takes some
 * 100 ms. The thread starts with the first of them and does not keep the process alive. An HTML that takes too long, or too much
 * memory, has an empty text.
 */
export function createHtmlTexts(clock: Pick<Clock, 'timer'>, entry = new URL('./html-text-thread.js', import.meta.url)): HtmlTexts {
  let worker: Worker | null = null;
  let before: Promise<unknown> = Promise.resolve();

  function running(): Worker {
    if (worker) return worker;
    const started = new Worker(entry, { name: 'html-texts', resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
    const forget = () => {
      if (worker === started) worker = null;
    };
    started.on('error', forget);
    started.on('exit', forget);
    worker = started;
    return started;
  }

  async function make(html: string): Promise<string> {
    const thread = running();
    const timer = clock.timer(TIMEOUT_MS, () => void thread.terminate());
    let ended = () => {};
    // Only a text that somebody waits for keeps the process alive.
    thread.ref();
    try {
      return await new Promise<string>((resolve) => {
        ended = () => resolve('');
        thread.once('message', resolve);
        thread.once('exit', ended);
        thread.postMessage(html);
      });
    } finally {
      timer.cancel();
      thread.off('exit', ended);
      thread.unref();
    }
  }

  return (html) => {
    if (html.length <= SHORT_HTML) return Promise.resolve(textOfHtml(html));
    const text = before.then(() => make(html));
    before = text.catch(() => {});
    return text;
  };
}
