import { parentPort } from 'node:worker_threads';
import { textOfHtml } from '../../../formats/messages/html-text.js';

/** The entry of a thread that answers every HTML with its text. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
port.on('message', (html: string) => port.postMessage(textOfHtml(html)));
