import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Lease, Leases, ViewSpec } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { CATALOG_FILE, VIEWS_FOLDER } from './files.js';

export interface CatalogRow {
  readonly name: string;
  /** Of the generation in force. */
  readonly version: number;
  readonly generation: number;
  /** The highest generation ever begun: a shadow never takes the number of another. */
  readonly newest: number;
  readonly halted: string | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS projections (name TEXT PRIMARY KEY, version INTEGER NOT NULL, generation INTEGER NOT NULL, newest INTEGER NOT NULL, halted TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, instance TEXT NOT NULL, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`;

/** Which generation of each projection answers queries: one row, so that changing over is one write. */
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

  /** The generation in force, made if there is none. */
  inForce(spec: ViewSpec): CatalogRow {
    const row = this.row(spec.name);
    if (row) return row;
    this.db.prepare('INSERT OR IGNORE INTO projections (name, version, generation, newest) VALUES (?, ?, 1, 1)').run(spec.name, spec.version);
    return this.row(spec.name) as CatalogRow;
  }

  /** A number that no generation has had. */
  nextGeneration(spec: ViewSpec): number {
    this.inForce(spec);
    return transaction(this.db, () => {
      this.db.prepare('UPDATE projections SET newest = newest + 1 WHERE name = ?').run(spec.name);
      return (this.row(spec.name) as CatalogRow).newest;
    });
  }

  /** A generation whose turn is over cannot come back: its file may be gone already. */
  promote(spec: ViewSpec, generation: number, stillAhead: () => boolean): boolean {
    return transaction(this.db, () => {
      const inForce = this.row(spec.name)?.generation ?? 0;
      if (inForce > generation) throw new Error(`generation ${inForce} of ${spec.name} came in force before generation ${generation}`);
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

interface LeaseRow {
  host: string;
  pid: number;
  instance: string;
  epoch: number;
  expires_at: number;
}

/**
 * Leases of one machine. A holder that was killed is followed at once, because its process can be seen to be gone; one
 * that hangs is followed when its time is over.
 */
export class SqliteLeases implements Leases {
  readonly #host = hostname();

  /** `instance` names this process among all that ever had its process id. */
  constructor(
    private readonly catalog: Catalog,
    private readonly instance: string,
    private readonly now: () => number = Date.now,
  ) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const epoch = transaction(this.catalog.db, () => {
      const row = this.#row(name);
      if (row && this.#alive(row)) return null;
      const next = (row?.epoch ?? 0) + 1;
      this.catalog.db
        .prepare('INSERT OR REPLACE INTO leases (name, host, pid, instance, epoch, expires_at) VALUES (?, ?, ?, ?, ?, ?)')
        .run(name, this.#host, process.pid, this.instance, next, this.now() + ttlMs);
      return next;
    });
    if (epoch === null) return null;
    const change = (sql: string, ...values: (string | number)[]) => Number(this.catalog.db.prepare(sql).run(...values).changes) === 1;
    return {
      epoch,
      renew: async () => change('UPDATE leases SET expires_at = ? WHERE name = ? AND epoch = ? AND expires_at > 0', this.now() + ttlMs, name, epoch),
      release: async () => void change('UPDATE leases SET expires_at = 0 WHERE name = ? AND epoch = ?', name, epoch),
    };
  }

  #row(name: string): LeaseRow | undefined {
    return this.catalog.db.prepare('SELECT host, pid, instance, epoch, expires_at FROM leases WHERE name = ?').get(name) as LeaseRow | undefined;
  }

  #alive({ host, pid, instance, expires_at }: LeaseRow): boolean {
    if (expires_at <= this.now()) return false;
    if (host !== this.#host || instance === this.instance) return true;
    // The same process id under another name: a process that is gone, whose number came to us (always so in a container).
    return pid !== process.pid && processExists(pid);
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}
