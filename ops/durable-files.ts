import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Puts a file's contents, or a folder's entries, on disk. */
export function fsyncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a new file for its owner alone; it is on disk when this returns. Throws where there already is one. */
export function writeFileDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
