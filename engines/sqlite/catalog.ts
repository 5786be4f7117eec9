import { mkdirSync } from 'node:fs';
import type { ViewSpec } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { CATALOG_FILE, VIEWS_FOLDER } from './files.js';

export interface CatalogRow {
  readonly name: string;
  /** Of the active generation. */
  readonly version: number;
  readonly generation: number;
  /** The highest generation ever created: no number is used twice. */
  readonly newest: number;
  readonly halted: string | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS projections (name TEXT PRIMARY KEY, version INTEGER NOT NULL, generation INTEGER NOT NULL, newest INTEGER NOT NULL, halted TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, instance TEXT NOT NULL, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`;

/** Which generation of each projection is active: one row, so that switching is one write. */
export class Catalog {
  readonly folder: string;
  readonly db: Database;
  readonly #row: Statement;

  constructor(dir: string) {
    this.folder = `${dir}/${VIEWS_FOLDER}`;
    mkdirSync(this.folder, { recursive: true });
    this.db = openDatabase(`${this.folder}/${CATALOG_FILE}`, { cacheMb: 1 });
    this.db.exec(SCHEMA);
    this.#row = this.db.prepare('SELECT name, version, generation, newest, halted FROM projections WHERE name = ?');
  }

  row(name: string): CatalogRow | undefined {
    return this.#row.get(name) as CatalogRow | undefined;
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

  /** Throws where a later generation is active already: the file of this one may be deleted. */
  promote(spec: ViewSpec, generation: number, stillAhead: () => boolean): boolean {
    return transaction(this.db, () => {
      const active = this.row(spec.name)?.generation ?? 0;
      if (active > generation) throw new Error(`generation ${generation} of ${spec.name} cannot be promoted: generation ${active} is active`);
      if (!stillAhead()) return false;
      this.db.prepare('UPDATE projections SET version = ?, generation = ?, halted = NULL WHERE name = ?').run(spec.version, generation, spec.name);
      return true;
    });
  }

  halt(name: string, reason: string | null): void {
    this.db.prepare('UPDATE projections SET halted = ? WHERE name = ?').run(reason, name);
  }

  path(name: string, generation: number): string {
    return `${this.folder}/${name.replaceAll('/', '.')}.${generation}.db`;
  }

  close(): void {
    this.db.close();
  }
}
