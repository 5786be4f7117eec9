import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KeyStore } from '../../domain/kernel/ports.js';
import type { Config } from '../app/config/config.js';
import { fsyncPath, makeFolder, writeFileDurably } from './durable-files.js';

/** Files of the data folder that hold secrets. Only their owner can read them. */
export const MASTER_KEY_FILE = 'master.key';
export const OPERATOR_TOKEN_FILE = 'operator.token';
/** A keyed hash that detects a wrong master key and reveals nothing about it. */
export const MASTER_CHECK_FILE = 'master.check';

/** The master key is missing, or is not the one that the data was written with. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/**
 * The key that every other key depends on: from the configuration, or from a file in the data folder, which the first
 * start creates. Throws MasterKeyError if the folder has data but not its key, or if the key is not the one that the data
 * was written with. With a wrong key, new data would be sealed under it, existing data would read as erased, and
 * suppressions would be lost.
 */
export function loadMasterKey(config: Pick<Config, 'dataDir' | 'masterKey'>): Buffer {
  const { dataDir } = config;
  makeFolder(dataDir);
  const file = join(dataDir, MASTER_KEY_FILE);
  if (!config.masterKey && !existsSync(file) && hasData(dataDir)) {
    throw new MasterKeyError(
      `The folder ${dataDir} holds data, but its master key is missing. Set HELIOGRAPH_MASTER_KEY or put ${MASTER_KEY_FILE} back.`,
    );
  }
  const key =
    config.masterKey ??
    decodeKey(
      file,
      readOrCreate(file, () => randomBytes(32).toString('base64')),
    );
  const check = createHmac('sha256', key).update(CHECK_INPUT).digest('base64url').slice(0, 16);
  if (readOrCreate(join(dataDir, MASTER_CHECK_FILE), () => check) !== check) {
    throw new MasterKeyError(`The data in ${dataDir} was written with another master key.`);
  }
  return key;
}

const CHECK_INPUT = 'heliograph/check';
/** Id of the row among the keys that lets nodes check that they share one master key. */
export const CHECK_KEY_ID = 'master.check';

/**
 * Checks that these keys were made with this master key: nodes that share keys need the same one. The first node stores
 * the check value. Throws MasterKeyError.
 */
export async function verifySharedMasterKey(keys: KeyStore, master: Buffer): Promise<void> {
  const seed = createHmac('sha256', master).update(`${CHECK_INPUT}/keys`).digest();
  const find = async () => (await keys.byId([CHECK_KEY_ID]))[0];
  if (!(await find())) await keys.put([{ id: CHECK_KEY_ID, subject: CHECK_KEY_ID, seed }]);
  const known = await find();
  if (known && !seed.equals(known.seed)) {
    throw new MasterKeyError('The keys of this installation were made with another master key. All nodes need the same HELIOGRAPH_MASTER_KEY.');
  }
}

/** The bearer token of `/v1/system`. */
export function loadOperatorToken(config: Pick<Config, 'dataDir' | 'operatorToken'>): string {
  if (config.operatorToken) return config.operatorToken;
  makeFolder(config.dataDir);
  return readOrCreate(join(config.dataDir, OPERATOR_TOKEN_FILE), () => randomBytes(32).toString('base64url'));
}

const hasData = (dataDir: string): boolean => readdirSync(dataDir).some((name) => name.endsWith('.db') || name === MASTER_CHECK_FILE);

function decodeKey(file: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new MasterKeyError(`${file} does not hold 32 bytes in base64.`);
  return key;
}

/**
 * The text of a file, which is created if missing. When several processes start at once, one creates the file and all read
 * the same text. The file is complete and on disk before any process can read it.
 */
function readOrCreate(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    writeFileDurably(draft, `${make()}\n`);
    try {
      linkSync(draft, file);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
    } finally {
      rmSync(draft);
    }
    fsyncPath(dirname(file));
  }
  return readFileSync(file, 'utf8').trim();
}
