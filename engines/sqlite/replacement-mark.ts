import { type Database, openDatabase } from './driver.js';
import { isBusy } from './failures.js';

/**
 * The mark of a generation that is about to be replaced, in the header of its file: its writers must ask the catalog before they
 * commit. They see it in the transaction of the commit, at no cost, whatever process has set it.
 */
export const READ_MARK = 'PRAGMA user_version';

/** A commit may take a second, and whoever needs the catalog waits for the mark too. */
const WAIT_MS = 100;

/** Marks the file. Returns false where a commit is being written for longer than a moment. */
export function markReplacement(path: string): boolean {
  return withFile(path, (db) => {
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    try {
      db.exec('PRAGMA user_version = 1');
      return true;
    } catch (e) {
      if (isBusy(e)) return false;
      throw e;
    }
  });
}

export function unmarkReplacement(path: string): void {
  withFile(path, (db) => db.exec('PRAGMA user_version = 0'));
}

function withFile<T>(path: string, work: (db: Database) => T): T {
  const db = openDatabase(path, { cacheMb: 1 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
