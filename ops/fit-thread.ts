import { parentPort } from 'node:worker_threads';
import { type FitInput, fitAccount } from '../domain/scores/fit-account.js';

/** The entry of a thread that answers the purchases of an account with a fitted model, and ends. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
port.once('message', (input: FitInput) => {
  port.postMessage(fitAccount(input));
  port.close();
});
