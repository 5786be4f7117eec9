import { Worker } from 'node:worker_threads';
import type { Clock } from '../domain/kernel/clock.js';
import { type FitInput, fitAccount, MIN_BUYERS } from '../domain/scores/fit-account.js';
import type { FittedModel } from '../domain/scores/score-model.js';

/** Many times what 100,000 buyers take. */
const TIMEOUT_MS = 600_000;
const MAX_MEMORY_MB = 1_024;

/** Fits models in a thread of its own, one at a time, so that all other work goes on. Throws if it takes too long or too much memory. */
export function createFit(clock: Pick<Clock, 'timer'>, entry = new URL('./fit-thread.js', import.meta.url)) {
  let before: Promise<unknown> = Promise.resolve();

  async function fitInThread(input: FitInput): Promise<FittedModel> {
    const thread = new Worker(entry, { name: 'score-fit', resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
    const timer = clock.timer(TIMEOUT_MS, () => void thread.terminate());
    try {
      return await new Promise<FittedModel>((resolve, reject) => {
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
  return (input: FitInput): Promise<FittedModel> => {
    if (input.buyers.length < MIN_BUYERS) return Promise.resolve(fitAccount(input));
    const fitted = before.then(() => fitInThread(input));
    before = fitted.catch(() => {});
    return fitted;
  };
}
