import { closeSync, constants, type FSWatcher, openSync, watch, writeSync } from 'node:fs';
import { PRIVATE_FILE } from './private-files.js';

/** A file is touched at most this often. */
const TOUCH_INTERVAL_MS = 200;
const MARK = '\n';

/**
 * Notifies other processes of changes in a folder: the process that makes a change writes one byte into a file there, which the
 * others watch. Watchers in the process that writes are notified, too.
 */
export class ChangeFile {
  #file: number | null = null;
  #watcher: FSWatcher | null = null;
  #last = Number.NEGATIVE_INFINITY;
  #later: NodeJS.Timeout | null = null;

  constructor(private readonly path: string) {}

  /** Touches the file now, or a moment later if it was touched just now. */
  touch(): void {
    const wait = this.#last + TOUCH_INTERVAL_MS - performance.now();
    // Also while a timer is pending: a loop of promises holds up timers.
    if (wait <= 0) this.#touch();
    else this.#later ??= setTimeout(() => this.#touch(), wait).unref();
  }

  /** Calls `onChange` after each touch of any process, until `close`. Returns false where the system cannot watch files. */
  watch(onChange: () => void): boolean {
    try {
      this.#open();
      this.#watcher = watch(this.path, { persistent: false }, onChange);
      this.#watcher.on('error', () => this.#watcher?.close());
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#later) this.#touch();
    this.#watcher?.close();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #touch(): void {
    if (this.#later) clearTimeout(this.#later);
    this.#later = null;
    this.#last = performance.now();
    try {
      writeSync(this.#open(), MARK, 0);
    } catch {
      // Whoever watches polls too.
    }
  }

  #open(): number {
    this.#file ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
    return this.#file;
  }
}
