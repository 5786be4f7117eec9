import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KeyStore } from '../domain/kernel/ports.js';
import type { Config } from './config.js';
import { fsyncPath, writeFileDurably } from './durable-files.js';

/** Files of the data folder that hold secrets. Readable by their owner alone. */
export const MASTER_KEY_FILE = 'master.key';
export const OPERATOR_TOKEN_FILE = 'operator.token';
/** Tells a wrong master key from the right one without telling anything about it. */
export const MASTER_CHECK_FILE = 'master.check';

/** The master key is missing or another one than the data was written with. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/**
 * The key that every other key depends on: from the configuration, or the data folder's file, which the first start
 * makes. A folder that has data but not its key is refused, and so is a key that is not the one the data was written
 * with: going on would seal new data under the wrong key and read all that is there as erased, and forget who must not
 * be written to. Throws MasterKeyError.
 */
export function loadMasterKey(config: Pick<Config, 'dataDir' | 'masterKey'>): Buffer {
  const { dataDir } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, MASTER_KEY_FILE);
  if (!config.masterKey && !existsSync(file) && hasData(dataDir)) {
    throw new MasterKeyError(
      `The folder ${dataDir} holds data, but its master key is missing. Set HELIOGRAPH_MASTER_KEY or put ${MASTER_KEY_FILE} back in its place.`,
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
    throw new MasterKeyError(`The data in ${dataDir} was written under another master key than the one given.`);
  }
  return key;
}

const CHECK_INPUT = 'heliograph/check';
/** The row among the keys by which nodes that share them tell that they have the same master key. */
export const CHECK_KEY_ID = 'master.check';

/**
 * Refuses a master key that is not the one these keys were made under: nodes that share them need the same. The first
 * to come leaves its mark. Throws MasterKeyError.
 */
export async function verifySharedMasterKey(keys: KeyStore, master: Buffer): Promise<void> {
  const seed = createHmac('sha256', master).update(`${CHECK_INPUT}/keys`).digest();
  const find = async () => (await keys.byId([CHECK_KEY_ID]))[0];
  if (!(await find())) await keys.put([{ id: CHECK_KEY_ID, subject: CHECK_KEY_ID, seed }]);
  const known = await find();
  if (known && !seed.equals(known.seed)) {
    throw new MasterKeyError(
      'The keys of this installation were made under another master key than the one given. All nodes need the same HELIOGRAPH_MASTER_KEY.',
    );
  }
}

/** The token that opens `/v1/system`. */
export function loadOperatorToken(config: Pick<Config, 'dataDir' | 'operatorToken'>): string {
  if (config.operatorToken) return config.operatorToken;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  return readOrCreate(join(config.dataDir, OPERATOR_TOKEN_FILE), () => randomBytes(32).toString('base64url'));
}

const hasData = (dataDir: string): boolean => readdirSync(dataDir).some((name) => name.endsWith('.db') || name === MASTER_CHECK_FILE);

function decodeKey(file: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new MasterKeyError(`${file} does not hold 32 bytes in base64.`);
  return key;
}

/**
 * The text of a file, which is made if there is none. Of several processes that start at the same time one makes it and
 * all read the same; it is on disk, whole, before anyone reads it.
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
