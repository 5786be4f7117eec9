import type { MessagePorts } from '../../../commands/messages/ports.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import { textOfHtml } from '../../../formats/messages/html-text.js';
import { answeringThread } from './answering-thread.js';

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
export function createHtmlTexts(clock: Pick<Clock, 'timer'>, entry = new URL('./html-text-thread.js', import.meta.url)): MessagePorts['textOfHtml'] {
  const make = answeringThread<string, string>(clock, { entry, name: 'html-texts', timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB });
  return async (html) => (html.length <= SHORT_HTML ? textOfHtml(html) : ((await make(html)) ?? ''));
}
