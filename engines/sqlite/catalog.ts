import type { ViewSpec } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { CATALOG_FILE, VIEWS_FOLDER } from './files.js';
import { makePrivateFolder } from './private-files.js';
import { markReplacement, unmarkReplacement } from './replacement-mark.js';

export interface CatalogRow {
  readonly name: string;
  /** Of the active generation. */
  readonly version: number;
  readonly generation: number;
  /** The highest generation ever created: no number is used twice. */
  readonly newest: number;
  /** Why it stopped, in any of its partitions. */
  readonly halted: string | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS projections (name TEXT PRIMARY KEY, version INTEGER NOT NULL, generation INTEGER NOT NULL, newest INTEGER NOT NULL, halted TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS halts (name TEXT NOT NULL, partition INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (name, partition)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS members (team TEXT NOT NULL, id TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, instance TEXT NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (team, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, instance TEXT NOT NULL, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`;

const SELECT_ROW = `SELECT name, version, generation, newest,
  COALESCE(halted, (SELECT reason FROM halts WHERE halts.name = projections.name ORDER BY partition LIMIT 1)) AS halted FROM projections WHERE name = ?`;

/** Asking the file costs more than most reads of documents, and a generation is in force for days. */
const TRUST_MS = 100;

/** Which generation of each projection is active: one row, so that switching is one write. */
export class SqliteCatalog {
  readonly folder: string;
  readonly db: Database;
  readonly #row: Statement;
  /** Active generations by projection, read or announced since the last time that all were forgotten. */
  readonly #recent = new Map<string, number>();
  #forgetAt = 0;
  #partitions: number | null = null;

  /**
   * `defaultPartitions` is the number of partitions of a store that has none fixed. For `trustMs` milliseconds a generation counts as
   * active without a look at the file.
   */
  constructor(
    dir: string,
    private readonly defaultPartitions = 1,
    private readonly trustMs = TRUST_MS,
  ) {
    this.folder = `${dir}/${VIEWS_FOLDER}`;
    makePrivateFolder(this.folder);
    this.db = openDatabase(`${this.folder}/${CATALOG_FILE}`, { cacheMb: 1 });
    this.db.exec(SCHEMA);
    this.#row = this.db.prepare(SELECT_ROW);
  }

  /** The number of partitions of divided read models. */
  partitions(): number {
    this.#partitions ??= this.fixPartitions(this.defaultPartitions);
    return this.#partitions;
  }

  /** Returns the number in force. */
  fixPartitions(count: number): number {
    this.db.prepare(`INSERT OR IGNORE INTO settings (name, value) VALUES ('partitions', ?)`).run(count);
    return (this.db.prepare(`SELECT value FROM settings WHERE name = 'partitions'`).get() as { value: number }).value;
  }

  row(name: string): CatalogRow | undefined {
    const row = this.#row.get(name) as CatalogRow | undefined;
    if (row) this.noteActive(name, row.generation);
    return row;
  }

  /**
   * The number of the active generation, 0 without one. Another process may have promoted a later one within the last 100 ms; a
   * promotion of this process is known once `noteActive` was called.
   */
  recentGeneration(name: string): number {
    const now = performance.now();
    if (now >= this.#forgetAt) {
      this.forget();
      this.#forgetAt = now + this.trustMs;
    }
    return this.#recent.get(name) ?? this.row(name)?.generation ?? 0;
  }

  /** A generation was active a moment ago. A later one may be known already. */
  noteActive(name: string, generation: number): void {
    if (generation > (this.#recent.get(name) ?? 0)) this.#recent.set(name, generation);
  }

  /** Another process may have promoted a generation. */
  forget(): void {
    this.#recent.clear();
  }

  /** The active generation, created if there is none. */
  active(spec: ViewSpec): CatalogRow {
    const row = this.row(spec.name);
    if (row) return row;
    this.db.prepare('INSERT OR IGNORE INTO projections (name, version, generation, newest) VALUES (?, ?, 1, 1)').run(spec.name, spec.version);
    return this.row(spec.name) as CatalogRow;
  }

  /** An unused generation number. */
  nextGeneration(spec: ViewSpec): number {
    this.active(spec);
    return transaction(this.db, () => {
      this.db.prepare('UPDATE projections SET newest = newest + 1 WHERE name = ?').run(spec.name);
      return (this.row(spec.name) as CatalogRow).newest;
    });
  }

  /**
   * Returns false where the generation is not ahead of the active one, or that one is being written for long. Throws where a later
   * generation is active already: the file of this one may be deleted.
   */
  promote(spec: ViewSpec, generation: number, isAhead: () => boolean): boolean {
    const { name, version } = spec;
    const done = transaction(this.db, () => {
      const active = this.row(name)?.generation ?? 0;
      if (active > generation) throw new Error(`generation ${generation} of ${name} cannot be promoted: generation ${active} is active`);
      // Asked twice: once the active one is marked, its writers no longer commit before this transaction has ended.
      if (!isAhead() || (active < generation && !markReplacement(this.path(name, active)))) return false;
      if (!isAhead()) {
        unmarkReplacement(this.path(name, active));
        return false;
      }
      this.db.prepare('UPDATE projections SET version = ?, generation = ?, halted = NULL WHERE name = ?').run(version, generation, name);
      this.db.prepare('DELETE FROM halts WHERE name = ?').run(name);
      return true;
    });
    if (done) this.noteActive(name, generation);
    return done;
  }

  /**
   * Whether a later generation is active, for a writer that finds its file marked. Waits for the end of a promotion. Removes the mark
   * of one that did not take place.
   */
  isReplaced(name: string, generation: number): boolean {
    return transaction(this.db, () => {
      if ((this.row(name)?.generation ?? 0) > generation) return true;
      unmarkReplacement(this.path(name, generation));
      return false;
    });
  }

  /** Of these partitions, or of all. */
  halt(name: string, reason: string | null, partitions?: readonly number[]): void {
    if (!partitions) {
      this.db.prepare('UPDATE projections SET halted = ? WHERE name = ?').run(reason, name);
      this.db.prepare('DELETE FROM halts WHERE name = ?').run(name);
    }
    for (const partition of partitions ?? []) {
      if (reason === null) this.db.prepare('DELETE FROM halts WHERE name = ? AND partition = ?').run(name, partition);
      else this.db.prepare('INSERT OR REPLACE INTO halts (name, partition, reason) VALUES (?, ?, ?)').run(name, partition, reason);
    }
  }

  /** Throws where the file cannot be written. */
  tryWrite(): void {
    this.db.prepare(`INSERT OR REPLACE INTO settings (name, value) VALUES ('written', 1)`).run();
  }

  path(name: string, generation: number): string {
    return `${this.folder}/${name.replaceAll('/', '.')}.${generation}.db`;
  }

  close(): void {
    this.db.close();
  }
}
