import { type Checkpoint, type Doc, lowestOf, type ViewSnapshot } from '../../domain/kernel/ports.js';
import { scanTable } from './documents.js';
import { type Database, openDatabase } from './driver.js';
import { checkpointReader } from './tables.js';

/** One generation as of now: an open read transaction in WAL mode, which does not block the writer. */
export class SqliteReadSnapshot implements ViewSnapshot {
  readonly #db: Database;
  readonly #checkpoints: readonly Checkpoint[];

  constructor(path: string) {
    this.#db = openDatabase(path, { readOnly: true });
    this.#db.exec('BEGIN');
    this.#checkpoints = checkpointReader(this.#db)();
  }

  async checkpoint(): Promise<Checkpoint> {
    return lowestOf(this.#checkpoints);
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return this.#checkpoints;
  }

  scan(collection: string): AsyncIterable<Doc> {
    return scanTable(this.#db, collection);
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
