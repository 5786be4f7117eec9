import { existsSync } from 'node:fs';
import { openDatabase } from './driver.js';
import { LOG_FILE, rowPositionText } from './files.js';
import { makePrivateFile } from './private-files.js';

/** Size of a copied log. */
export interface CopiedLog {
  readonly events: number;
  /** Position of the last event, or 'start'. */
  readonly head: string;
}

/**
 * Copies a database as of one moment, while it is being written. Remains of deleted rows are left out. The target must
 * not exist. It is not synced to disk.
 */
export function copyDatabase(from: string, to: string): void {
  const db = openDatabase(from, { readOnly: true });
  try {
    makePrivateFile(to);
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/** Throws when a database file is damaged. */
export function checkDatabaseFile(path: string): void {
  const db = openDatabase(path, { readOnly: true });
  try {
    const { quick_check: result } = db.prepare('PRAGMA quick_check').get() as { quick_check: string };
    if (result !== 'ok') throw new Error(`${path} is damaged: ${result}`);
  } finally {
    db.close();
  }
}

export function describeLog(dir: string): CopiedLog {
  const db = openDatabase(`${dir}/${LOG_FILE}`, { readOnly: true });
  try {
    const { n, head } = db.prepare('SELECT count(*) AS n, max(position) AS head FROM events').get() as { n: number; head: number | null };
    return { events: n, head: head === null ? 'start' : rowPositionText(head) };
  } finally {
    db.close();
  }
}

const WAIT_MS = 200;

/** Whether any process has a database open. SQLite leaves WAL mode only for the single connection to a file. */
export function isInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = openDatabase(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA journal_mode = DELETE;`);
    return false;
  } catch (e) {
    if (/locked|busy/i.test(String(e))) return true;
    throw e;
  } finally {
    db.close();
  }
}
