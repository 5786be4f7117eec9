import type { Recorded } from '../../domain/kernel/ports.js';

/** What the client gives for a reading: a stream of objects that can be cancelled. */
export interface ReadStream<T> {
  on(event: 'error', listener: (e: Error) => void): unknown;
  cancel(): Promise<void>;
  [Symbol.asyncIterator](): AsyncIterator<T>;
}

export interface ReadLimits {
  readonly count: number;
  readonly bytes?: number;
}

/** A part of the log. `more` where it ended at a limit: there may be more, or not. */
export interface Slice {
  readonly events: Recorded[];
  readonly more: boolean;
}

/** How many events there are between two looks at the clock. */
const EVENTS_PER_TIMEOUT = 64;

/**
 * Reads `count` events, which the server was asked for, or fewer if they are so many bytes. `within` limits the time to
 * the next events. Leaving the loop does not end the call on the server, so it is cancelled, but only if it has not
 * ended: servers take many cancelled calls for an attack and close the connection. An error that comes after that must
 * find a listener.
 */
export async function readSlice<T>(
  reading: ReadStream<T>,
  { count, bytes = Number.POSITIVE_INFINITY }: ReadLimits,
  within: <R>(next: Promise<R>) => Promise<R>,
  decode: (read: T) => Recorded | null,
): Promise<Slice> {
  reading.on('error', () => {});
  const events: Recorded[] = [];
  const iterator = reading[Symbol.asyncIterator]();
  let [read, size, ended] = [0, 0, false];
  const some = async (): Promise<boolean> => {
    for (let n = 0; n < EVENTS_PER_TIMEOUT && !ended; n++) {
      if (size >= bytes) return false;
      const next = await iterator.next();
      ended = next.done === true;
      if (next.done) break;
      read += 1;
      const event = decode(next.value);
      if (!event) continue;
      events.push(event);
      // Not the first: it may be the one after which was to be read, and then there must be another.
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
