/** Files and folders that only their owner can read, whatever the umask is. SQLite gives the mode of a database to the files beside it. */
import { closeSync, mkdirSync, openSync } from 'node:fs';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Makes a folder and those above it. Folders that exist stay as they are: the start narrows them. */
export const makePrivateFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });

/**
 * Makes an empty file if there is none: SQLite would make it readable for all. One that exists is not opened, because to close it would
 * release the locks that this process has on it.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (e) {
    // Whatever else is wrong with the file, the database reports better.
    if (!(e instanceof Error && 'code' in e)) throw e;
  }
}
