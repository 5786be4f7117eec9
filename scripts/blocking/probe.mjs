/**
 * Loaded into the server: measures for how long its thread of requests does nothing else, and tells the parent. On Linux in CPU time of
 * that thread, so that other work of the machine does not count.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
  delay.enable();
  const buffer = Buffer.alloc(100);
  const cpuMs = () => {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, 100, 0));
    closeSync(file);
    return Number(text.split(' ')[0]) / 1e6;
  };
  let longestCpuMs = 0;
  if (process.platform === 'linux') {
    let before = cpuMs();
    setInterval(() => {
      const now = cpuMs();
      longestCpuMs = Math.max(longestCpuMs, now - before);
      before = now;
    }, EVERY_MS).unref();
  }
  process.on('message', () => {
    process.send({ cpuMs: longestCpuMs, longestMs: Math.max(0, delay.max / 1e6 - EVERY_MS) });
    delay.reset();
    longestCpuMs = 0;
  });
  process.channel?.unref();
}
