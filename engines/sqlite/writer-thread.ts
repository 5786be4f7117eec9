import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { announceStreams, ChangeChannel } from './change-channel.js';
import { LogWriter, streamsOf, type WriteJob, type WriterOptions } from './log-writer.js';

/**
 * The thread that owns the log file. Every appending thread has a port to it. Jobs that arrive during a commit form the
 * next group.
 */
export type ToWriter = { readonly batch: number; readonly jobs: readonly WriteJob[] };

const { dir, files } = workerData as { dir: string; files: WriterOptions };
const writer = new LogWriter(dir, files);
const channel = new ChangeChannel(dir);
let queue: { port: MessagePort; message: ToWriter }[] = [];
const ports = new Set<MessagePort>();

function commit(): void {
  const group = queue;
  queue = [];
  if (group.length === 0) return;
  const jobs = group.flatMap(({ message }) => message.jobs);
  const results = writer.run(jobs);
  let next = 0;
  for (const { port, message } of group) {
    port.postMessage({ batch: message.batch, results: results.slice(next, next + message.jobs.length) });
    next += message.jobs.length;
  }
  announceStreams(channel, streamsOf(jobs));
}

function connect(port: MessagePort): void {
  ports.add(port);
  port.on('message', (message: ToWriter) => {
    if (queue.push({ port, message }) === 1) setImmediate(commit);
  });
  port.on('close', () => ports.delete(port));
}

parentPort?.on('message', (message: { connect: MessagePort } | { close: true }) => {
  if ('connect' in message) return connect(message.connect);
  commit();
  writer.close();
  channel.close();
  for (const port of ports) port.close();
  parentPort?.postMessage('closed');
  parentPort?.close();
});
parentPort?.postMessage('ready');
