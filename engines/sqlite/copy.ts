import { existsSync } from 'node:fs';
import { openDatabase, transaction } from './driver.js';
import { LOG_FILE, positionText } from './files.js';

/** What a copied log holds. */
export interface CopiedLog {
  readonly events: number;
  /** Position of the last event, or 'start'. */
  readonly head: string;
}

/**
 * Copies a database whole and as it is at one moment, while others go on writing it. What deleted rows have left behind
 * is not in the copy. The target must not exist, and is not sure to be on disk when this returns.
 */
export function copyDatabase(from: string, to: string): void {
  const db = openDatabase(from, { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/** Throws where a database file is damaged. */
export function checkDatabase(path: string): void {
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
    return { events: n, head: head === null ? 'start' : positionText(head) };
  } finally {
    db.close();
  }
}

const WAIT_MS = 200;

/** Whether any process has a database open. SQLite leaves WAL mode only for whoever has the file alone. */
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

/** The data of all events of one type in streams of a kind (`erasure-`), from a log file that nobody writes. */
export function eventsIn(path: string, streams: string, type: string): string[] {
  const db = openDatabase(path, { readOnly: true });
  try {
    const beyond = `${streams.slice(0, -1)}${String.fromCharCode(streams.charCodeAt(streams.length - 1) + 1)}`;
    const rows = db.prepare('SELECT data FROM events WHERE stream >= ? AND stream < ? AND type = ?').all(streams, beyond, type);
    return (rows as { data: string }[]).map(({ data }) => data);
  } finally {
    db.close();
  }
}

/** Destroys keys in a file that nobody has open: of each subject those whose id passes. Gives how many. */
export function destroyKeys(path: string, subjects: readonly string[], goes: (subject: string, keyId: string) => boolean): number {
  const db = openDatabase(path, { synchronous: 'FULL' });
  try {
    db.exec('PRAGMA secure_delete = ON');
    const find = db.prepare('SELECT n, id FROM keys WHERE subject = ? AND live = 1');
    const destroy = db.prepare('UPDATE keys SET live = 0, seed = zeroblob(length(seed)) WHERE n = ?');
    let destroyed = 0;
    transaction(db, () => {
      for (const subject of subjects) {
        for (const { n, id } of find.all(subject) as { n: number; id: string }[]) {
          if (!goes(subject, id)) continue;
          destroy.run(n);
          destroyed += 1;
        }
      }
    });
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    return destroyed;
  } finally {
    db.close();
  }
}
