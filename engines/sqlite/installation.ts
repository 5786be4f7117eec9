import { existsSync, readdirSync, statSync } from 'node:fs';
import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, transaction } from './driver.js';
import { DamagedFile, isDamage } from './failures.js';
import { CATALOG_FILE, KEYS_FILE, LOG_FILE, positionNumber, rowPositionText, SNAPSHOTS_FILE, VIEWS_FOLDER } from './files.js';

/**
 * What the files of a data folder say of the log that they belong to. The identity of a log is the id of its first event: it is unique,
 * and every copy of the log keeps it. Keys and read models carry it in a table of one row.
 */
export interface FoundLog {
  /** Null while it has no events. */
  readonly identity: string | null;
  readonly head: Checkpoint;
  /** How many keys had been made when its last events with new keys were appended. */
  readonly keys: number;
}

export interface FoundKeys {
  /** Null where it is not recorded yet. */
  readonly identity: string | null;
  /** How many keys were ever made. */
  readonly made: number;
  /** The end of the log when the last key was made. */
  readonly logHead: Checkpoint;
  /** False for a file of a release that recorded neither. */
  readonly marked: boolean;
}

export interface FoundViews {
  readonly identity: string | null;
  /** The highest checkpoint of all read models. */
  readonly highest: Checkpoint;
  /** The first of their files that cannot be read. */
  readonly damaged: string | null;
}

/**
 * `keeps_destroyed`: whether the file has a row of each key that was ever destroyed, so that a key without a row is missing. A copy does
 * not have them, and a file of an older release may be one.
 */
export const KEYS_INSTALLATION = `
  CREATE TABLE IF NOT EXISTS installation (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT, log_head INTEGER NOT NULL, keeps_destroyed INTEGER NOT NULL);
  INSERT OR IGNORE INTO installation (one, identity, log_head, keeps_destroyed) SELECT 1, NULL, 0, count(*) = 0 FROM keys`;
export const LOG_INSTALLATION = `
  CREATE TABLE IF NOT EXISTS installation (one INTEGER PRIMARY KEY CHECK (one = 1), keys INTEGER NOT NULL);
  INSERT OR IGNORE INTO installation (one, keys) VALUES (1, 0)`;
const VIEWS_INSTALLATION = 'CREATE TABLE IF NOT EXISTS installation (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL)';

export const FIRST_EVENT = 'SELECT id FROM events ORDER BY position LIMIT 1';

/** Null where there is no log. A file without its tables is none. Throws DamagedFile. */
export function findLog(dir: string): FoundLog | null {
  return reading(`${dir}/${LOG_FILE}`, (rows) => {
    if (!hasTable(rows, 'events')) return null;
    const [identity = null] = rows<string>(`SELECT take((${FIRST_EVENT}))`);
    const [head = null] = rows<number>('SELECT take(max(position)) FROM events');
    const [keys = 0] = hasTable(rows, 'installation') ? rows<number>('SELECT take(keys) FROM installation') : [];
    return { identity, head: head === null ? 'start' : rowPositionText(head), keys };
  });
}

/** Null where there are no keys. Throws DamagedFile. */
export function findKeys(dir: string): FoundKeys | null {
  return reading(`${dir}/${KEYS_FILE}`, (rows) => {
    if (!hasTable(rows, 'keys')) return null;
    const [made] = rows<number | null>('SELECT take(max(n)) FROM keys');
    const marked = hasTable(rows, 'installation');
    const [identity = null] = marked ? rows<string | null>('SELECT take(identity) FROM installation') : [];
    const [head = 0] = marked ? rows<number>('SELECT take(log_head) FROM installation') : [];
    return { identity, made: made ?? 0, logHead: head > 0 ? rowPositionText(head) : 'start', marked };
  });
}

/** Null where there are no read models. */
export function findViews(dir: string): FoundViews | null {
  const folder = `${dir}/${VIEWS_FOLDER}`;
  const catalog = `${folder}/${CATALOG_FILE}`;
  if (!existsSync(catalog)) return null;
  let highest: Checkpoint = 'start';
  let at = catalog;
  try {
    const identity =
      reading(catalog, (rows) => (hasTable(rows, 'installation') ? rows<string>('SELECT take(identity) FROM installation')[0] : null)) ?? null;
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.db') || name === CATALOG_FILE || name === SNAPSHOTS_FILE) continue;
      at = `${folder}/${name}`;
      for (const checkpoint of reading(at, checkpointsOf) ?? []) if (isAfter(checkpoint, highest)) highest = checkpoint;
    }
    return { identity, highest, damaged: null };
  } catch (e) {
    if (e instanceof DamagedFile) return { identity: null, highest, damaged: at };
    throw e;
  }
}

function checkpointsOf(rows: Rows): readonly Checkpoint[] {
  if (!hasTable(rows, 'meta')) return [];
  return rows<Checkpoint>(`SELECT take(checkpoint) FROM ${hasTable(rows, 'partitions') ? 'partitions' : 'meta'}`);
}

/** Records in the keys which log they belong to, and where it ends. Creates the file where it is missing. */
export function markKeys(dir: string, identity: string, head: Checkpoint, { keySchema, lost = false }: { keySchema: string; lost?: boolean }): void {
  const db = openDatabase(`${dir}/${KEYS_FILE}`, { synchronous: 'FULL', cacheMb: 1 });
  try {
    transaction(db, () => {
      db.exec(`${keySchema}; ${KEYS_INSTALLATION}`);
      db.exec(`UPDATE installation SET identity = ${quoted(identity)}, log_head = ${positionNumber(head)}${lost ? ', keeps_destroyed = 1' : ''}`);
    });
  } finally {
    db.close();
  }
}

/** Records that keys of this file were copied from another store, without those destroyed before. */
export function markCopiedKeys(dir: string): void {
  const db = openDatabase(`${dir}/${KEYS_FILE}`, { synchronous: 'FULL', cacheMb: 1 });
  try {
    db.exec('UPDATE installation SET keeps_destroyed = 0');
  } finally {
    db.close();
  }
}

/** Records in the log how many keys belong to it. */
export function markLog(dir: string, keys: number): void {
  const db = openDatabase(`${dir}/${LOG_FILE}`, { synchronous: 'FULL', cacheMb: 1 });
  try {
    transaction(db, () => {
      db.exec(LOG_INSTALLATION);
      db.exec(`UPDATE installation SET keys = ${keys}`);
    });
  } finally {
    db.close();
  }
}

/** Records in the catalog of read models which log they were made from. */
export function markViews(dir: string, identity: string): void {
  const db = openDatabase(`${dir}/${VIEWS_FOLDER}/${CATALOG_FILE}`, { cacheMb: 1 });
  try {
    db.exec(VIEWS_INSTALLATION);
    db.exec(`INSERT OR REPLACE INTO installation (one, identity) VALUES (1, ${quoted(identity)})`);
  } finally {
    db.close();
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The values that a query hands to the function `take`. */
type Rows = <V>(sql: string) => readonly V[];

const hasTable = (rows: Rows, name: string): boolean =>
  rows<number>(`SELECT take(count(*)) FROM sqlite_master WHERE type = 'table' AND name = '${name}'`)[0] === 1;

/**
 * Null where the file is missing or empty. Without prepared statements: on Node 20 they keep the file open until they are collected, and
 * whether a process has it open is asked afterward.
 */
function reading<T>(path: string, read: (rows: Rows) => T): T | null {
  if (!existsSync(path) || statSync(path).size === 0) return null;
  let db: Database | null = null;
  try {
    db = openDatabase(path, { readOnly: true, cacheMb: 1 });
    const { exec } = db;
    let taken: unknown[] = [];
    db.function('take', (value: unknown) => {
      taken.push(value);
      return null;
    });
    return read((sql) => {
      taken = [];
      exec.call(db, sql);
      return taken as never;
    });
  } catch (e) {
    if (isDamage(e)) throw new DamagedFile(path, (e as Error).message);
    throw e;
  } finally {
    db?.close();
  }
}
