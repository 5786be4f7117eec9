import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { checkDatabaseFile, copyDatabase, describeLog, isInUse } from '../../engines/sqlite/database-files.js';
import { CATALOG_FILE, KEYS_FILE, LOG_FILE, VIEWS_FOLDER } from '../../engines/sqlite/files.js';
import { narrowDataFolder } from '../engines/narrow-folder.js';
import { acceptLoss } from '../store-consistency/data-folder.js';
import { fsyncPath, writeFileDurably } from '../system/durable-files.js';
import { MASTER_CHECK_FILE, MASTER_KEY_FILE, OPERATOR_TOKEN_FILE } from '../system/secrets.js';
import { noEventLog } from './terminal/no-event-log.js';

/** A backup is a folder with `manifest.json`, `log/` and `keys/`. The manifest is written last: a backup without it is incomplete. */
export interface Manifest {
  readonly format: 1;
  /** RFC 3339. */
  readonly made_at: string;
  readonly engine: 'sqlite';
  readonly events: number;
  readonly head: string;
  /** By path in the backup. */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

/** A backup or a restore is not possible. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const MANIFEST = 'manifest.json';
const LOG = `log/${LOG_FILE}`;
const CHECK = `log/${MASTER_CHECK_FILE}`;
const KEYS = `keys/${KEYS_FILE}`;

/**
 * Copies the log and, into a separate folder, the keys; also beside a running server. The keys are copied after the log, so
 * that the copy has the key of every event in it. The master key is not copied: with all three, everything can be read.
 * Read models are not copied: they are rebuilt from the log. Throws BackupError.
 */
export async function backup({ dataDir, target, now }: { dataDir: string; target: string; now: () => number }): Promise<Manifest> {
  if (!existsSync(join(dataDir, LOG_FILE))) throw new BackupError(noEventLog(dataDir).message);
  if (existsSync(target) && readdirSync(target).length > 0) throw new BackupError(`${target} is not empty.`);
  for (const folder of ['log', 'keys']) mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
  copyDatabase(join(dataDir, LOG_FILE), join(target, LOG));
  copyDatabase(join(dataDir, KEYS_FILE), join(target, KEYS));
  const check = join(dataDir, MASTER_CHECK_FILE);
  if (existsSync(check)) copyFileSync(check, join(target, CHECK));
  const files: Record<string, { bytes: number; sha256: string }> = {};
  for (const path of [LOG, CHECK, KEYS]) {
    const file = join(target, path);
    if (!existsSync(file)) continue;
    chmodSync(file, 0o600);
    fsyncPath(file);
    setOwnField(files, path, { bytes: statSync(file).size, sha256: await sha256(file) });
  }
  const manifest: Manifest = {
    format: 1,
    made_at: new Date(now()).toISOString(),
    engine: 'sqlite',
    ...describeLog(join(target, 'log')),
    files,
  };
  writeFileDurably(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const folder of ['log', 'keys', '.']) fsyncPath(join(target, folder));
  return manifest;
}

export interface RestoreOptions {
  readonly source: string;
  readonly dataDir: string;
  /** The folder that holds `keys.db`, if the keys were stored elsewhere. */
  readonly keys?: string | undefined;
  /** Restores the log alone: all personal fields read `<key_missing>`. */
  readonly withoutKeys?: boolean | undefined;
  /** Replaces existing data. */
  readonly force?: boolean | undefined;
}

/**
 * Restores a backup into a data folder. The next start rebuilds the read models. Everything is checked before anything is
 * changed, and an interrupted restore can be repeated. Throws BackupError.
 */
export async function restore({ source, dataDir, keys, withoutKeys = false, force = false }: RestoreOptions): Promise<Manifest> {
  const manifest = readManifest(source);
  const wanted: Record<string, string> = { [LOG]: join(source, LOG), ...(manifest.files[CHECK] && { [CHECK]: join(source, CHECK) }) };
  if (!withoutKeys) wanted[KEYS] = keys === undefined ? join(source, KEYS) : join(keys, KEYS_FILE);
  await checkFiles(manifest, wanted);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  narrowDataFolder(dataDir);
  assertReplaceable(dataDir, force);
  const drafts = Object.entries(wanted).map(([path, file]) => stageFile(file, join(dataDir, path.slice(path.indexOf('/') + 1))));
  for (const file of drafts) if (file.endsWith('.db.restoring')) checkDatabaseFile(file);
  removeData(dataDir);
  for (const file of drafts) renameSync(file, file.slice(0, -STAGED_SUFFIX.length));
  fsyncPath(dataDir);
  if (withoutKeys) acceptLoss({ dataDir, hasViews: false });
  return manifest;
}

function readManifest(source: string): Manifest {
  const file = join(source, MANIFEST);
  if (!existsSync(file)) throw new BackupError(`${source} is not a backup, or is incomplete: it has no ${MANIFEST}.`);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  if (manifest.format !== 1) throw new BackupError(`${file} has an unknown format: ${manifest.format}.`);
  return manifest;
}

async function checkFiles(manifest: Manifest, wanted: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, file] of Object.entries(wanted)) {
    if (!existsSync(file)) {
      const hint =
        path === KEYS ? ' Name the folder of the keys with --keys, or use --without-keys: all personal fields then read <key_missing>.' : '';
      throw new BackupError(`${file} is missing.${hint}`);
    }
    if ((await sha256(file)) !== ownField(manifest.files, path)?.sha256)
      throw new BackupError(`${file} is not the file of this backup: its SHA-256 differs.`);
  }
}

/** These may exist before a restore: the master key comes from elsewhere. */
const NOT_DATA = new Set([MASTER_KEY_FILE, OPERATOR_TOKEN_FILE]);

function assertReplaceable(dataDir: string, force: boolean): void {
  const there = readdirSync(dataDir).filter((name) => !NOT_DATA.has(name) && !name.endsWith(STAGED_SUFFIX));
  if (there.length > 0 && !force)
    throw new BackupError(`${dataDir} is not empty; it holds ${there.slice(0, 5).join(', ')}. Use --force to replace it.`);
  const databases = [LOG_FILE, KEYS_FILE, `${VIEWS_FOLDER}/${CATALOG_FILE}`];
  const busy = databases.find((name) => isInUse(join(dataDir, name)));
  if (busy) throw new BackupError(`${join(dataDir, busy)} is in use. Stop the server first.`);
}

const STAGED_SUFFIX = '.restoring';

function stageFile(from: string, to: string): string {
  const file = `${to}${STAGED_SUFFIX}`;
  rmSync(file, { force: true });
  copyFileSync(from, file, constants.COPYFILE_FICLONE);
  chmodSync(file, 0o600);
  fsyncPath(file);
  return file;
}

function removeData(dataDir: string): void {
  rmSync(join(dataDir, VIEWS_FOLDER), { recursive: true, force: true });
  for (const name of [LOG_FILE, KEYS_FILE]) for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `${name}${suffix}`), { force: true });
  rmSync(join(dataDir, MASTER_CHECK_FILE), { force: true });
  fsyncPath(dataDir);
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
