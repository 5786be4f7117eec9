import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGES_FILE, KEYS_FILE, LOG_FILE, VIEWS_FOLDER } from '../../engines/sqlite/files.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../engines/sqlite/private-files.js';
import { MASTER_CHECK_FILE, MASTER_KEY_FILE, OPERATOR_TOKEN_FILE } from '../system/secrets.js';

/** What others may do with a file. */
const OTHERS = 0o077;
/** The service's own files, with what stands beside them (`-wal`, drafts). Nothing else in the folder is touched. */
const OWN = [LOG_FILE, KEYS_FILE, CHANGES_FILE, VIEWS_FOLDER, MASTER_KEY_FILE, MASTER_CHECK_FILE, OPERATOR_TOKEN_FILE, 'set-aside-', '.write-check-'];
/** So many paths are named in a warning. */
const NAMED = 5;

/**
 * Makes a data folder and the service's files in it readable by their owner alone, as it makes new ones. A folder of an earlier release,
 * or one that was made by hand, may be wider. Returns a warning for what cannot be narrowed. Windows has no such modes: there the
 * rights of the folder are for its owner to set.
 */
export function narrowDataFolder(dataDir: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  if (platform === 'win32' || !existsSync(dataDir)) return [];
  const own = readdirSync(dataDir).filter((name) => OWN.some((known) => name.startsWith(known)));
  const wide = [...narrow(dataDir), ...own.flatMap((name) => narrowTree(join(dataDir, name)))];
  if (wide.length === 0) return [];
  const more = wide.length > NAMED ? ` and ${wide.length - NAMED} more` : '';
  return [
    `Other users of this machine can read the data: the mode of ${wide.slice(0, NAMED).join(', ')}${more} cannot be narrowed. ` +
      `Make the user of the service their owner, then run: chmod -R go= ${dataDir}`,
  ];
}

/** Returns what stays wider than it should be. Symbolic links are not followed: what they lead to belongs to somebody else. */
function narrowTree(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return [];
  return [...narrow(path), ...(found.isDirectory() ? readdirSync(path).flatMap((name) => narrowTree(join(path, name))) : [])];
}

/** A file that is gone by now, as temporary ones of another process, is none. */
function narrow(path: string): string[] {
  const before = statSync(path, { throwIfNoEntry: false });
  if (!before || (before.mode & OTHERS) === 0) return [];
  try {
    chmodSync(path, before.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE);
  } catch {
    // The mode itself says whether it worked: some file systems ignore it without an error.
  }
  const after = statSync(path, { throwIfNoEntry: false });
  return after && (after.mode & OTHERS) !== 0 ? [path] : [];
}
