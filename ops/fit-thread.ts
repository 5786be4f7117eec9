import { parentPort } from 'node:worker_threads';
import type { FitTask } from '../commands/scores/dependencies.js';
import { fitAll } from './fit-all.js';

/** The entry of a thread that answers what an account has recorded with fitted models, and ends. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
port.once('message', (task: FitTask) => {
  port.postMessage(fitAll(task));
  port.close();
});
