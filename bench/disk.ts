import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../engines/sqlite/driver.js';
import type { DataFolder } from './folders.js';

/** Bytes of the databases of a data folder whose service has ended. */
export function bytesOnDisk({ dir }: DataFolder): number {
  const files = (readdirSync(dir, { recursive: true }) as string[]).filter((file) => file.endsWith('.db')).map((file) => join(dir, file));
  for (const file of files) emptyWriteAhead(file);
  return files.reduce((bytes, file) => bytes + statSync(file).size, 0);
}

/** A write-ahead file has a size of its own, whatever is in it. */
function emptyWriteAhead(file: string): void {
  const db = openDatabase(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
