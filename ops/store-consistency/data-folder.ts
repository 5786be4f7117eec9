import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../domain/kernel/ports.js';
import { isInUse } from '../../engines/sqlite/database-files.js';
import { CATALOG_FILE, KEYS_FILE, LOG_FILE, VIEWS_FOLDER } from '../../engines/sqlite/files.js';
import { type FoundLog, findKeys, findLog, findViews, markKeys, markLog, markViews } from '../../engines/sqlite/installation.js';
import { KEY_SCHEMA } from '../../engines/sqlite/key-file.js';
import { fsyncPath, makeFolder, writeFileDurably } from '../system/durable-files.js';
import { compareStores, type StoreInventory, type StoreLoss } from './compare.js';
import { DataRefused, LOG_OLDER, REBUILDS } from './messages.js';

/** Which stores are files of the data folder. */
export interface LocalStores {
  readonly dataDir: string;
  /** Where the log is on a server: the log, and what was in the folder before it was read. */
  readonly remote?: { readonly log: FoundLog; readonly before: Omit<StoreInventory, 'log'> };
  readonly hasViews: boolean;
}

/** A member of a cluster may not have the newest events yet: how often and when, in milliseconds, the log is read again. */
const TRIES = 5;
const RETRY_MS = 1_000;

/**
 * The stores of a data folder whose log is on a server. The folder is read first, so that a process that works meanwhile makes no
 * difference.
 */
export async function besideRemoteLog(
  { dataDir, hasViews }: LocalStores,
  readLog: () => Promise<FoundLog>,
  clock: Pick<Clock, 'sleep'>,
): Promise<LocalStores> {
  for (let tries = 1; ; tries++) {
    const before = findBefore({ dataDir, hasViews });
    const stores = { dataDir, hasViews, remote: { log: await readLog(), before } };
    const comparison = compareStores(takeInventory(stores));
    const isAhead = comparison.kind === 'together' && (comparison.rebuild === 'views_ahead' || comparison.logIsOlder);
    if (!isAhead || tries === TRIES) return stores;
    await clock.sleep(RETRY_MS);
  }
}

/** What may not be ahead of the log. */
const findBefore = ({ dataDir, hasViews }: LocalStores): Omit<StoreInventory, 'log'> => ({
  keys: findKeys(dataDir),
  views: hasViews ? findViews(dataDir) : null,
});

/**
 * What is in the data folder, also beside processes that write it: what may not be ahead of something else is read before it. Throws
 * DamagedFile.
 */
export function takeInventory(stores: LocalStores): StoreInventory {
  const { keys: before, views } = stores.remote?.before ?? findBefore(stores);
  const log = stores.remote?.log ?? findLog(stores.dataDir);
  const after = findKeys(stores.dataDir);
  return { log, keys: before && after ? { ...before, made: after.made } : after, views };
}

/**
 * Compares log, keys and read models before they are opened. Removes read models that do not belong to the log, so that they are built
 * again, and gives files of older releases their identity. Returns what an operator should know. Throws DataRefused and DamagedFile.
 */
export function checkDataFolder(stores: LocalStores): readonly string[] {
  const { dataDir } = stores;
  const remains = takeInventory(stores);
  const comparison = compareStores(remains);
  if (comparison.kind === 'refused') throw new DataRefused(comparison.loss, dataDir);
  if (comparison.kind === 'new') return [];
  const { rebuild, logIsOlder } = comparison;
  const { log, keys, views } = remains;
  const notices = [...(logIsOlder ? [LOG_OLDER] : []), ...(rebuild ? [REBUILDS[rebuild]] : [])];
  if (rebuild) removeViews(dataDir);
  const identity = log?.identity;
  if (!log || identity == null) return notices;
  if (keys?.identity !== identity || logIsOlder)
    markKeys(dataDir, identity, logIsOlder ? log.head : (keys?.logHead ?? 'start'), { keySchema: KEY_SCHEMA });
  if (views && !rebuild && views.identity === null) markViews(dataDir, identity);
  return notices;
}

/** Records in new read models which log they are made from, once it has a first event. */
export function identifyViews(stores: LocalStores): void {
  const { log, views } = takeInventory(stores);
  if (log?.identity && views?.identity === null && views.damaged === null) markViews(stores.dataDir, log.identity);
}

function removeViews(dataDir: string): void {
  const folder = join(dataDir, VIEWS_FOLDER);
  if (isOpenElsewhere(join(folder, CATALOG_FILE)))
    throw new Error(`The read models in ${folder} do not belong to the event log, and a process has them open. Stop it first.`);
  rmSync(folder, { recursive: true });
  fsyncPath(dataDir);
}

/** A damaged file is not in use: nothing can open it. */
function isOpenElsewhere(path: string): boolean {
  try {
    return isInUse(path);
  } catch {
    return false;
  }
}

/** Accepts what `checkDataFolder` refuses. Nothing is deleted: files that no longer belong here are moved into a folder beside them. */
export function acceptLoss(stores: LocalStores): { readonly loss: StoreLoss; readonly movedTo: string | null } | null {
  const { dataDir } = stores;
  const { log, keys, ...remains } = takeInventory(stores);
  const comparison = compareStores({ log, keys, ...remains });
  if (comparison.kind !== 'refused') return null;
  const { loss } = comparison;
  const busy = [LOG_FILE, KEYS_FILE, `${VIEWS_FOLDER}/${CATALOG_FILE}`].find((name) => isOpenElsewhere(join(dataDir, name)));
  if (busy) throw new Error(`${join(dataDir, busy)} is in use. Stop the server first.`);
  const aside: Readonly<Record<StoreLoss, readonly string[]>> = {
    log_gone: [LOG_FILE, KEYS_FILE, VIEWS_FOLDER],
    keys_gone: [],
    keys_foreign: [KEYS_FILE],
    keys_older: [],
  };
  const movedTo = moveAside(dataDir, aside[loss]);
  if (log?.identity && loss !== 'log_gone') {
    markKeys(dataDir, log.identity, log.head, { keySchema: KEY_SCHEMA, lost: true });
    if (!stores.remote) markLog(dataDir, loss === 'keys_older' ? (keys?.made ?? 0) : 0);
  }
  return { loss, movedTo };
}

function moveAside(dataDir: string, names: readonly string[]): string | null {
  const there = names.flatMap((name) => ['', '-wal', '-shm'].map((suffix) => `${name}${suffix}`)).filter((name) => existsSync(join(dataDir, name)));
  if (there.length === 0) return null;
  const folder = join(dataDir, `set-aside-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const name of there) renameSync(join(dataDir, name), join(folder, name));
  fsyncPath(dataDir);
  return folder;
}

/** Throws where the data folder cannot be written. */
export function requireWritable(dataDir: string): void {
  try {
    makeFolder(dataDir);
    const draft = join(dataDir, `.write-check-${randomBytes(6).toString('hex')}`);
    try {
      writeFileDurably(draft, 'x');
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (e) {
    const { code } = e as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw new Error(`The disk of the data folder ${dataDir} is full. Make room, then start again.`);
    throw new Error(
      `The data folder ${dataDir} cannot be written (${code ?? String(e)}). Correct its permissions, or choose another (--data-dir, HELIOGRAPH_DATA_DIR).`,
    );
  }
}
