import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes a file's contents, or a folder's entries, to disk. */
export function fsyncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a new file that only its owner can read. It is on disk when this returns. Throws if the file exists. */
export function writeFileDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    // All of it: `writeSync` leaves out what a full disk does not take, without an error.
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes a folder that only its owner can read, and those above it. Step by step: Node's `recursive` never returns where the system
 * answers ENOENT in a folder that exists, as in `/proc`.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
  }
}
