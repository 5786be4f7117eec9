import { parentPort } from 'node:worker_threads';

/** The entry of a thread that answers every MJML with what the compiler says of it, or null where the compiler fails. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
// Loaded by its first use: the service may never need it.
const { Engine } = await import('mrml');
port.on('message', (mjml: string) => {
  try {
    port.postMessage(new Engine().toHtml(mjml));
  } catch {
    // Its memory is in an unknown state: the next one gets another thread.
    port.postMessage(null);
    port.close();
  }
});
