/** Loaded into the server: measures for how long its thread of requests does nothing else, and tells the parent. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  process.on('message', () => {
    process.send({ longestMs: Math.max(0, delay.max / 1e6 - resolution) });
    delay.reset();
  });
  process.channel?.unref();
}
