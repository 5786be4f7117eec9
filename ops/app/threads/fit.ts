import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FitTask, FittedModels } from '../../../commands/scores/ports.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import { MIN_BUYERS } from '../../../domain/scores/fit-account.js';
import { fitAll } from './fit-all.js';
import type { FitPart } from './fit-thread.js';

/** Many times what 100,000 buyers take. */
const TIMEOUT_MS = 600_000;
const MAX_MEMORY_MB = 1_024;

/** Fits models in a thread of its own, one at a time, so that all other work goes on. Throws if it takes too long or too much memory. */
export function createFit(clock: Pick<Clock, 'timer'>, entry = new URL('./fit-thread.js', import.meta.url)) {
  let before: Promise<unknown> = Promise.resolve();

  async function fitInThread(input: FitTask): Promise<FittedModels> {
    const thread = new Worker(entry, { name: 'score-fit', resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
    const timer = clock.timer(TIMEOUT_MS, () => void thread.terminate());
    try {
      return await new Promise<FittedModels>((resolve, reject) => {
        thread.once('message', resolve);
        thread.once('error', reject);
        thread.once('exit', (code) => reject(new Error(`the fit ended with the code ${code}`)));
        void send(thread, input).catch(reject);
      });
    } finally {
      timer.cancel();
      await thread.terminate();
    }
  }

  // With fewer there is nothing to fit.
  const isSmall = ({ purchases, messages }: FitTask): boolean =>
    purchases.buyers.length < MIN_BUYERS && messages.channels.every(({ contacts }) => contacts.length < MIN_BUYERS);

  return (task: FitTask): Promise<FittedModels> => {
    if (isSmall(task)) return Promise.resolve(fitAll(task));
    const fitted = before.then(() => fitInThread(task));
    before = fitted.catch(() => {});
    return fitted;
  };
}

/** Buyers or contacts of one message. */
const AT_ONCE = 1_000;

/** Hands over what is to be fitted in parts: the copy of a whole account would hold up everything else for a tenth of a second. */
async function send(thread: Worker, { purchases: { buyers, ...purchases }, messages: { now, channels } }: FitTask): Promise<void> {
  const post = async (part: FitPart): Promise<void> => {
    thread.postMessage(part);
    await nextTurn();
  };
  for (let from = 0; from < buyers.length; from += AT_ONCE) await post({ buyers: buyers.slice(from, from + AT_ONCE) });
  for (const { channel, contacts, hours } of channels)
    for (let from = 0; from < Math.max(contacts.length, hours.length); from += AT_ONCE)
      await post({ channel, contacts: contacts.slice(from, from + AT_ONCE), hours: hours.slice(from, from + AT_ONCE) });
  thread.postMessage({ purchases, now } satisfies FitPart);
}
