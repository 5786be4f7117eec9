import { Worker } from 'node:worker_threads';
import type { FitTask, FittedModels } from '../commands/scores/dependencies.js';
import type { Clock } from '../domain/kernel/clock.js';
import { MIN_BUYERS } from '../domain/scores/fit-account.js';
import { fitAll } from './fit-all.js';

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
        thread.postMessage(input);
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
