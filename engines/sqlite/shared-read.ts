import type { Database } from './driver.js';

/**
 * Lets reads that come together share one read transaction. Beginning and ending one takes SQLite three times as long as
 * looking up a row, and most reads come in bursts: a page of events, a hundred to-dos that were started in one go.
 *
 * All reads of a burst see the same state. By default a burst ends with the promises that are settled right now, before
 * anything can come in from outside, so nobody is shown less than he was told of. With `setImmediate` it lasts for the
 * turn of the event loop, and readers must be content with a state that is a moment old.
 */
export class SharedRead {
  #reads = 0;
  #closed = false;

  constructor(
    private readonly db: Database,
    private readonly atEnd: (end: () => void) => void = queueMicrotask,
  ) {}

  /** A read that stays alone needs no transaction of its own: the second one of a burst begins it. */
  read<T>(work: () => T): T {
    this.#reads += 1;
    if (this.#reads === 1) this.atEnd(() => this.end());
    else if (this.#reads === 2) this.db.exec('BEGIN');
    return work();
  }

  /** Ends the burst at once: the next read sees what was committed until then. */
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
