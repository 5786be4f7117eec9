import type { DatabaseSyncInstance as Database, StatementSyncInstance as Statement } from '@photostructure/sqlite';
import { openingError, withTypedErrors } from './failures.js';
import { makePrivateFile } from './private-files.js';

/**
 * `node:sqlite` on Node 24 and later, a prebuilt package with the same API on Node 20 and 22. The only module that knows
 * which one is in use.
 */
const builtIn = Number.parseInt(process.versions.node, 10) >= 24;
const { DatabaseSync } = (await (builtIn
  ? quietly(() => import('node:sqlite' as string))
  : import('@photostructure/sqlite'))) as typeof import('@photostructure/sqlite');

/** Suppresses the warning of Node 24 that its SQLite is experimental. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

export type { Database, Statement };

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** FULL: a commit is on disk when it returns. NORMAL: a power cut may lose the last commits, but never tears one. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly cacheMb?: number;
}

/**
 * Opens a database file in WAL mode: readers and the writer do not block each other. A new one is readable by its owner alone. Throws
 * DamagedFile. All calls of the database and of its statements throw StoreUnavailable where the file cannot be read or written at the
 * moment, as on a full disk.
 */
export function openDatabase(path: string, { readOnly = false, synchronous = 'NORMAL', cacheMb = 8 }: OpenOptions = {}): Database {
  let db: Database | null = null;
  try {
    if (!readOnly) makePrivateFile(path);
    db = new DatabaseSync(path, { readOnly });
    db.exec(`PRAGMA busy_timeout = 10000; PRAGMA cache_size = -${cacheMb * 1024};`);
    if (!readOnly)
      db.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;`,
      );
    return withTypedErrors(db, path);
  } catch (e) {
    db?.close();
    throw openingError(path, e);
  }
}

/** Runs `work` in one transaction that takes the write lock immediately. */
export function transaction<T>(db: Database, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (e) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw e;
  }
}

/** The same over several turns of the event loop. Nothing else may use the connection meanwhile. */
export async function transactionInTurns<T>(db: Database, work: () => Promise<T>): Promise<T> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (e) {
    if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
    throw e;
  }
}

/** Runs the synchronous, read-only `work` over one consistent state of the database. */
export function reading<T>(db: Database, work: () => T): T {
  db.exec('BEGIN');
  try {
    return work();
  } finally {
    db.exec('COMMIT');
  }
}
