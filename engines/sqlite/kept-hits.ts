import type { RateGroup } from '../../domain/kernel/rate-limits.js';
import type { SqliteCatalog } from './catalog.js';
import type { Statement } from './driver.js';

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS hits (kind TEXT NOT NULL, at INTEGER NOT NULL, caller TEXT NOT NULL); CREATE INDEX IF NOT EXISTS hits_by_time ON hits (kind, at)';

/** Accepted requests of a few limits, beside the read models. */
export class SqliteKeptHits {
  readonly #since: Statement;
  readonly #delete: Statement;
  readonly #add: Statement;
  readonly #remove: Statement;

  constructor(catalog: SqliteCatalog) {
    catalog.db.exec(SCHEMA);
    this.#since = catalog.db.prepare('SELECT caller, at FROM hits WHERE kind = ? ORDER BY at');
    this.#delete = catalog.db.prepare('DELETE FROM hits WHERE kind = ? AND at <= ?');
    this.#add = catalog.db.prepare('INSERT INTO hits (kind, at, caller) VALUES (?, ?, ?)');
    this.#remove = catalog.db.prepare(
      'DELETE FROM hits WHERE rowid = (SELECT rowid FROM hits WHERE kind = ? AND caller = ? ORDER BY at DESC, rowid DESC LIMIT 1)',
    );
  }

  since(group: RateGroup, at: number): readonly { readonly caller: string; readonly at: number }[] {
    this.#delete.run(group, at);
    return this.#since.all(group) as unknown as { caller: string; at: number }[];
  }

  add(group: RateGroup, caller: string, at: number): void {
    this.#add.run(group, at, caller);
  }

  remove(group: RateGroup, caller: string): void {
    this.#remove.run(group, caller);
  }
}
