import type { RecordedEvent } from '../../domain/kernel/ports.js';

/** The client's stream of a read. */
export interface ReadStream<T> {
  on(event: 'error', listener: (e: Error) => void): unknown;
  cancel(): Promise<void>;
  [Symbol.asyncIterator](): AsyncIterator<T>;
}

export interface ReadLimits {
  readonly count: number;
  readonly bytes?: number;
}

/** A part of the log. `more`: it ended at a limit, so there may be more. */
export interface Slice {
  readonly events: RecordedEvent[];
  readonly more: boolean;
}

/** Events that share one time limit, and bytes of their data after which the next ones have their own. */
const EVENTS_PER_TIMEOUT = 64;
const BYTES_PER_TIMEOUT = 262_144;

/**
 * Reads up to `count` events or `bytes` bytes. `within` limits the time to the next events. Leaving the loop does not
 * end the call on the server, so it is canceled, unless it has ended: servers close connections with many canceled
 * calls. The error listener catches errors after that.
 */
export async function readSlice<T>(
  reading: ReadStream<T>,
  { count, bytes = Number.POSITIVE_INFINITY }: ReadLimits,
  within: <R>(next: Promise<R>) => Promise<R>,
  decode: (read: T) => RecordedEvent | null,
): Promise<Slice> {
  reading.on('error', () => {});
  const events: RecordedEvent[] = [];
  const iterator = reading[Symbol.asyncIterator]();
  let [read, size, ended] = [0, 0, false];
  const some = async (): Promise<boolean> => {
    for (let [n, received] = [0, 0]; n < EVENTS_PER_TIMEOUT && received < BYTES_PER_TIMEOUT && !ended; n++) {
      if (size >= bytes) return false;
      const next = await iterator.next();
      ended = next.done === true;
      if (next.done) break;
      read += 1;
      const event = decode(next.value);
      if (!event) continue;
      events.push(event);
      received += event.data.length;
      // Without the first event: it may be the one at the excluded position, and then there must be another.
      if (read > 1) size += event.data.length;
    }
    return !ended;
  };
  try {
    while (await within(some()));
    return { events, more: !ended || read >= count };
  } finally {
    if (!ended) reading.cancel().catch(() => {});
  }
}
