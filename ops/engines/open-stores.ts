import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EventStore, isWrongRevision, type KeyStore } from '../../domain/kernel/ports.js';
import { isInUse } from '../../engines/sqlite/database-files.js';
import { SqliteEventStore } from '../../engines/sqlite/event-store.js';
import { KEYS_FILE, LOG_FILE, VIEWS_FOLDER } from '../../engines/sqlite/files.js';
import { openSqliteKeys } from '../../engines/sqlite/index.js';
import { markCopiedKeys } from '../../engines/sqlite/installation.js';
import { SqliteKeyStore } from '../../engines/sqlite/key-store.js';
import { LogWriter } from '../../engines/sqlite/log-writer.js';
import type { Writer } from '../../engines/sqlite/writer-client.js';
import type { Source, Target } from './copy.js';
import { type CopyLocations, isSameLocation, type KeyLocation, type LogLocation } from './locations.js';
import type { CopiedAppend, TargetLog } from './log-copy.js';
import { narrowDataFolder } from './narrow-folder.js';
import { eventStoreDb, mongoDb } from './production-engines.js';

/** A copy cannot be started: a store is missing or in use. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

export interface OpenStores {
  readonly source: Source;
  readonly target: Target;
  readonly close: () => Promise<void>;
}

/** Opens source and target. The source is not changed; a missing target is created. Throws CannotOpen and StoreUnavailable. */
export async function openStores({ from, to, keysFrom, keysTo }: CopyLocations): Promise<OpenStores> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  const track = <T extends { close(): Promise<void> }>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  try {
    const source = track(await openSourceLog(from));
    const target = track(await openTargetLog(to));
    if (isSameLocation(keysFrom, keysTo)) return { source: { ...source, keys: null }, target: { ...target, keys: null }, close };
    const [sourceKeys, targetKeys] = [track(await openSourceKeys(keysFrom)), track(await openTargetKeys(keysTo))];
    return { source: { ...source, keys: sourceKeys.keys }, target: { ...target, keys: targetKeys.keys }, close };
  } catch (e) {
    await close();
    throw e;
  }
}

/**
 * The folder of read models that a node over the target will use, if they were built from another log: their checkpoints
 * do not apply to the target. Null otherwise.
 */
export function staleViews({ to, keysTo }: CopyLocations): string | null {
  if (keysTo.engine !== 'sqlite' || isSameLocation(to, keysTo)) return null;
  const views = join(keysTo.dir, VIEWS_FOLDER);
  return existsSync(views) ? views : null;
}

interface Closable {
  close(): Promise<void>;
}

/** The writer of a read-only store. */
const noWriter: Writer = { submit: async () => ({ error: 'the source of a copy is only read' }), close: async () => {} };

async function openSourceLog(location: LogLocation): Promise<{ readonly events: EventStore } & Closable> {
  if (location.engine === 'eventstoredb') return serverLog(location.url);
  if (!existsSync(join(location.dir, LOG_FILE))) throw new CannotOpen(`There is no event log in ${location.dir}.`);
  const events = new SqliteEventStore(location.dir, noWriter);
  return { events, close: () => events.close() };
}

async function openTargetLog(location: LogLocation): Promise<TargetLog & Closable> {
  if (location.engine === 'eventstoredb') return serverLog(location.url);
  const { dir } = location;
  if (isInUse(join(dir, LOG_FILE))) throw new CannotOpen(`${join(dir, LOG_FILE)} is in use. Stop the server first.`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  narrowDataFolder(dir);
  const files = new LogWriter(dir);
  const writer: Writer = {
    submit: async (job) => files.run([job])[0] ?? { error: 'no answer' },
    close: async () => files.close(),
  };
  const events = new SqliteEventStore(dir, writer);
  return { events, appendAtomically: (appends) => appendAtomically(events, appends), close: () => events.close() };
}

async function serverLog(url: string): Promise<{ readonly events: EventStore } & Closable> {
  const { openEventStoreLog } = await eventStoreDb();
  const events = openEventStoreLog({ url });
  return { events, close: () => events.close() };
}

/** One chain is one transaction in SQLite. */
async function appendAtomically(events: EventStore, appends: readonly CopiedAppend[]): Promise<void> {
  const [done] = await events.appendAll([appends]);
  if (isWrongRevision(done)) throw done;
}

async function openSourceKeys(location: KeyLocation): Promise<{ readonly keys: KeyStore } & Closable> {
  if (location.engine === 'mongodb') return (await mongoDb()).openMongoViews({ url: location.url, instance: randomUUID() });
  if (!existsSync(join(location.dir, KEYS_FILE))) throw new CannotOpen(`There are no keys in ${location.dir}.`);
  const keys = new SqliteKeyStore(location.dir, noWriter);
  return { keys, close: async () => keys.close() };
}

async function openTargetKeys(location: KeyLocation): Promise<{ readonly keys: KeyStore } & Closable> {
  if (location.engine === 'mongodb') {
    const opened = await (await mongoDb()).openMongoViews({ url: location.url, instance: randomUUID() });
    await opened.keys.markCopied();
    return opened;
  }
  mkdirSync(location.dir, { recursive: true, mode: 0o700 });
  narrowDataFolder(location.dir);
  const opened = openSqliteKeys({ dir: location.dir });
  markCopiedKeys(location.dir);
  return opened;
}
