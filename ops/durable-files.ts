import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

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
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
