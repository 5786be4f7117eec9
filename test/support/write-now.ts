import { writeSync } from 'node:fs';

const RETRY_MS = 1;
const waiting = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a text to a descriptor before it returns. A pipe that is full may be non-blocking, so that the system takes a part of the
 * text, or nothing (EAGAIN): the rest is written as the reader makes room. Blocks this thread meanwhile.
 */
export function writeNow(fd: number, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'EAGAIN') throw e;
      Atomics.wait(waiting, 0, 0, RETRY_MS);
    }
  }
}
