import { unreadable } from '../../../carriers/runtime/incoming.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import type { IncomingReport } from '../../../domain/webhooks/incoming.js';
import { ofPieces } from '../pieces.js';
import { answeringThread } from './answering-thread.js';
import { type ReadingTask, readReports } from './readers.js';

/** Bytes of a request up to which reading it takes a few milliseconds, whatever it has. */
const SHORT_REQUEST = 16_384;
/** Many times what a mail of the maximum length takes. */
const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 512;

/** Reads a request of a carrier, or a mail. Rejects with the reason of `signal`. */
export type ReadReports = (task: ReadingTask, signal: AbortSignal) => Promise<readonly IncomingReport[]>;

/**
 * Reads requests of carriers and mail. Long ones are read in a thread of their own, one at a time, so that other requests go on: a mail of
 * 25 MB takes seconds. It stops when the client is gone. What takes too long, or too much memory, is unreadable.
 */
export function createReportReader(
  clock: Pick<Clock, 'timer' | 'yieldToEventLoop'>,
  entry = new URL('./reading-thread.js', import.meta.url),
): ReadReports {
  const read = answeringThread<ReadingTask, readonly string[]>(clock, { entry, name: 'reports', timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB });
  return async (task, signal) => {
    if (task.request.body.length + task.request.target.length <= SHORT_REQUEST) return readReports(task);
    const pieces = await read(task, signal);
    if (pieces === null) return [unreadable('it takes too long, or too much memory')];
    return ofPieces<IncomingReport>(pieces, () => clock.yieldToEventLoop());
  };
}
