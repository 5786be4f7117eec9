import type { Database } from './driver.js';

/**
 * Lets a burst of reads share one read transaction. Beginning and ending one takes SQLite three times as long as reading
 * a row, and most reads come in bursts: a page of events, a hundred to-dos started together.
 *
 * All reads of a burst see the same state. By default a burst ends with the microtask queue, before any input arrives,
 * so that callers read their own writes. With `setImmediate` it lasts until the end of the event loop's turn, and reads
 * may be slightly stale.
 */
export class SharedReadTransaction {
  #reads = 0;
  #closed = false;

  constructor(
    private readonly db: Database,
    private readonly atEnd: (end: () => void) => void = queueMicrotask,
  ) {}

  /** The second read of a burst begins the transaction: a single read needs none. */
  read<T>(work: () => T): T {
    this.#reads += 1;
    if (this.#reads === 1) this.atEnd(() => this.end());
    else if (this.#reads === 2) this.db.exec('BEGIN');
    return work();
  }

  /** Ends the burst: the next read sees everything committed so far. */
  end(): void {
    if (this.#reads > 1 && !this.#closed) this.db.exec('COMMIT');
    this.#reads = 0;
  }

  /** Ends the burst and closes the database. */
  close(): void {
    this.end();
    this.#closed = true;
    this.db.close();
  }
}
