import type { Snapshot, Snapshots } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement } from './driver.js';
import { SNAPSHOTS_FILE, VIEWS_FOLDER } from './files.js';

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS snapshots (stream TEXT, fold TEXT, revision INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (stream, fold))';

interface OpenStatements {
  readonly db: Database;
  readonly find: Statement;
  readonly put: Statement;
}

/** Snapshots in a file beside the read models. It can be deleted. Opened when it is first needed. */
export class SqliteAggregateSnapshots implements Snapshots {
  #opened: OpenStatements | undefined;

  constructor(private readonly dir: string) {}

  async find(stream: string, fold: string): Promise<Snapshot | undefined> {
    const row = this.#open().find.get(stream, fold) as Snapshot | undefined;
    return row && { revision: row.revision, content: row.content };
  }

  async put(stream: string, fold: string, { revision, content }: Snapshot): Promise<void> {
    this.#open().put.run(stream, fold, revision, content);
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  #open(): OpenStatements {
    if (this.#opened) return this.#opened;
    const db = openDatabase(`${this.dir}/${VIEWS_FOLDER}/${SNAPSHOTS_FILE}`, { cacheMb: 1 });
    db.exec(SCHEMA);
    this.#opened = {
      db,
      find: db.prepare('SELECT revision, content FROM snapshots WHERE stream = ? AND fold = ?'),
      put: db.prepare('INSERT OR REPLACE INTO snapshots (stream, fold, revision, content) VALUES (?, ?, ?, ?)'),
    };
    return this.#opened;
  }
}
