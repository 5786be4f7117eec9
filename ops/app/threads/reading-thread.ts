import { parentPort } from 'node:worker_threads';
import { unreadable } from '../../../carriers/runtime/incoming.js';
import { inPieces } from '../pieces.js';
import { type ReadingTask, readReports } from './readers.js';

/** The entry of a thread that answers every request of a carrier with what it reports, as JSON in pieces. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
port.on('message', async ({ request, ...task }: ReadingTask) => {
  const { buffer, byteOffset, byteLength } = request.body;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  const found = await readReports({ ...task, request: { ...request, body } }).catch((error: unknown) => [
    unreadable(error instanceof Error ? error.name : 'unknown'),
  ]);
  port.postMessage([...inPieces(found)]);
});
