import { rmSync } from 'node:fs';
import { openDatabase, transaction } from '../engines/sqlite/driver.js';

/** A SQLite table for plain rows. */
interface RawTable {
  readonly create: string;
  readonly insert: string;
  readonly values: (row: Row) => (string | number)[];
}
export interface Row {
  readonly id: string;
  readonly data: string;
}

export const TABLE: RawTable = {
  create: 'CREATE TABLE rows (id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID',
  insert: 'INSERT INTO rows VALUES (?, ?)',
  values: ({ id, data }) => [id, data],
};
export const LOG: RawTable = {
  create: `CREATE TABLE rows (position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, UNIQUE (stream, revision))`,
  insert: 'INSERT INTO rows (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)',
  values: ({ id, data }) => [`message-${id}`, 0, id, 'MessageQueued', data, '{}'],
};

/** Milliseconds for all rows, with this number of rows in each durable transaction. The texts are created before. */
export function insertRows(path: string, { create, insert, values }: RawTable, rows: readonly Row[], together = rows.length): number {
  const db = openDatabase(path, { synchronous: 'FULL' });
  db.exec(create);
  const statement = db.prepare(insert);
  const bound = rows.map(values);
  const began = performance.now();
  for (let done = 0; done < bound.length; done += together) {
    transaction(db, () => {
      for (const row of bound.slice(done, done + together)) statement.run(...row);
    });
  }
  const ms = performance.now() - began;
  db.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return ms;
}
