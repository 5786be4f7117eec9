import type { Checkpoint, Doc, ViewSnapshot } from '../../domain/kernel/ports.js';
import { type Database, openDatabase } from './driver.js';
import { scanTable } from './tables.js';

/** One generation as of now: an open read transaction in WAL mode, which does not block the writer. */
export class SqliteSnapshot implements ViewSnapshot {
  readonly #db: Database;
  readonly #checkpoint: Checkpoint;

  constructor(path: string) {
    this.#db = openDatabase(path, { readOnly: true });
    this.#db.exec('BEGIN');
    this.#checkpoint = (this.#db.prepare('SELECT checkpoint FROM meta').get() as { checkpoint: string }).checkpoint;
  }

  async checkpoint(): Promise<Checkpoint> {
    return this.#checkpoint;
  }

  scan(collection: string): AsyncIterable<Doc> {
    return scanTable(this.#db, collection);
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
