import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';
import { type Application, createApplication } from '../app/application.js';
import { type Config, ConfigError, loadConfig } from '../app/config/config.js';
import { openEngine } from '../engines/engine.js';
import { narrowDataFolder } from '../engines/narrow-folder.js';
import { checkStores, identifyStores } from '../store-consistency/check.js';
import { loadMasterKey, verifySharedMasterKey } from '../system/secrets.js';
import { noEventLog } from './terminal/no-event-log.js';
import { writeTable } from './terminal/output.js';
import { systemErrorText } from './terminal/system-errors.js';
import { paint } from './terminal/terminal.js';
import { UsageError } from './terminal/usage-error.js';

export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;

/** What begins every error. */
export const errorPrefix = (): string => paint(process.stderr, ['bold', 'red'], 'heliograph:');

/** Prints the error on stderr and exits with 1, or with 2 if the usage or the configuration is wrong. */
export function exitWithError(error: unknown): never {
  process.stderr.write(`${errorPrefix()} ${errorText(error)}\n`);
  process.exit(error instanceof ConfigError || error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE);
}

function errorText(error: unknown): string {
  if (!isDomainError(error)) return systemErrorText(error) ?? (error instanceof Error ? error.message : String(error));
  const problems = (error.details.errors ?? []) as readonly FieldProblem[];
  return [error.message, ...problems.map(({ field, message }) => `  ${field}: ${message}`)].join('\n');
}

/**
 * Opens the engines for one command, also beside a running server, and closes them afterward. Without `createsData` a data folder
 * that does not exist is an error: a misspelled path must not become a new one, with a master key of its own.
 */
export async function withApplication<T>(work: (application: Application, config: Config) => Promise<T>, { createsData = false } = {}): Promise<T> {
  const config = loadConfig(process.env);
  if (!createsData) requireData(config);
  for (const notice of [...narrowDataFolder(config.dataDir), ...(await checkStores(config))]) process.stderr.write(`heliograph: ${notice}\n`);
  // Before the engine creates its files: a folder that has data but no key is refused.
  const master = loadMasterKey(config);
  const engine = await openEngine(config);
  try {
    await verifySharedMasterKey(engine.keys, master);
    const result = await work(createApplication(config, master, engine), config);
    if (createsData) await identifyStores(config);
    return result;
  } finally {
    await engine.close();
  }
}

function requireData({ dataDir, log, masterKey }: Config): void {
  if (log === 'sqlite' && !existsSync(join(dataDir, 'events.db'))) throw noEventLog(dataDir);
  if (log !== 'sqlite' && !existsSync(dataDir) && !masterKey)
    throw new Error(`There is no folder ${dataDir}. Set HELIOGRAPH_DATA_DIR, or HELIOGRAPH_MASTER_KEY to the key of this installation.`);
}

/** Prints a list: one JSON document, or a table. */
export async function printTable(
  result: unknown,
  json: boolean | undefined,
  head: readonly string[],
  rows: () => readonly (readonly (string | number)[])[],
): Promise<void> {
  if (json) print(result, json, () => []);
  else await writeTable(process.stdout, head, rows());
}

/** Prints a result: one JSON document, or lines of text. */
export function print(result: unknown, json: boolean | undefined, lines: () => readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${lines().join('\n')}\n`);
}
