import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { Clock, KeyStore, LogEngine, SharedRates, TryWrites, ViewEngine } from '../../domain/kernel/ports.js';
import type { LimitTable, RateLimits } from '../../domain/kernel/rate-limits.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { openSqliteKeys, openSqliteLog, openSqliteViews, startWriter, type WriterThread } from '../../engines/sqlite/index.js';
import { type Config, variables } from '../app/config/config.js';
import { openedBy } from '../app/config/refused-setting.js';
import { eventStoreDb, mongoDb } from './production-engines.js';

/** Log, keys, read models and leases, from whichever engines the configuration names. */
export interface Engine extends LogEngine, ViewEngine, TryWrites {
  /** Shared by all nodes with read models in MongoDB; otherwise in the memory of this process. */
  rateLimits(table: LimitTable, clock: Clock): Promise<RateLimits>;
  /** Rates that all nodes share; null where there is one node. */
  readonly sharedRates: SharedRates | null;
  close(): Promise<void>;
}

/** The engines and their addresses. */
export type Engines = Pick<Config, 'dataDir' | 'log' | 'eventstoredbUrl' | 'views' | 'mongodbUrl'>;

export interface EngineOptions {
  /** A port to the writer thread of log and keys; without one this thread writes the files. */
  readonly writer?: MessagePort | null;
  /** Identifies this process among all that ever had its process id. */
  readonly instance?: string;
}

/** Throws StoreUnavailable when a configured server does not answer. */
export async function openEngine(engines: Engines, { writer = null, instance = randomUUID() }: EngineOptions = {}): Promise<Engine> {
  const { keys: sharedKeys, ...views } = await openViews(engines, instance);
  const log = await openLog(engines, writer, sharedKeys);
  return {
    ...log,
    ...views,
    tryWrite: async () => void (await Promise.all([log.tryWrite(), views.tryWrite()])),
    async close() {
      await views.views.close();
      await log.close();
    },
  };
}

/** Starts the writer thread of the files of log and keys; null where there are none. */
export async function startLogWriter(engines: Engines): Promise<WriterThread | null> {
  if (engines.log === 'sqlite') return startWriter(engines.dataDir);
  return keysAreLocal(engines) ? startWriter(engines.dataDir, { keysOnly: true }) : null;
}

/** Keys are in a local file unless both log and read models are on servers. */
const keysAreLocal = ({ log, views }: Engines): boolean => log === 'sqlite' || views === 'sqlite';

type OpenViews = ViewEngine & TryWrites & Pick<Engine, 'rateLimits' | 'sharedRates'> & { readonly keys: KeyStore | null };

async function openViews({ views, dataDir, mongodbUrl }: Engines, instance: string): Promise<OpenViews> {
  switch (views) {
    case 'sqlite': {
      const { keptHits, ...opened } = openSqliteViews({ dir: dataDir, instance });
      const rateLimits: Engine['rateLimits'] = async (table, clock) => new MemoryRateLimits(table, clock, keptHits());
      return { ...opened, keys: null, sharedRates: null, rateLimits };
    }
    case 'mongodb':
      return openedBy(variables.mongodbUrl, async () => (await mongoDb()).openMongoViews({ url: addressOf(mongodbUrl), instance }));
  }
}

type OpenLog = LogEngine & TryWrites & { close(): Promise<void> };

async function openLog(engines: Engines, port: MessagePort | null, sharedKeys: KeyStore | null): Promise<OpenLog> {
  const files = { dir: engines.dataDir, ...(port && { writer: port }) };
  switch (engines.log) {
    case 'sqlite': {
      const log = openSqliteLog(files);
      return { ...log, close: () => log.events.close() };
    }
    case 'eventstoredb': {
      const { openEventStoreLog, tryEventStoreWrite: tryWrite } = await eventStoreDb();
      const events = await openedBy(variables.eventstoredbUrl, async () => openEventStoreLog({ url: addressOf(engines.eventstoredbUrl) }));
      if (sharedKeys && !keysAreLocal(engines)) return { events, keys: sharedKeys, tryWrite: () => tryWrite(events), close: () => events.close() };
      const local = openSqliteKeys(files);
      const tryBoth = async () => void (await Promise.all([tryWrite(events), local.tryWrite()]));
      return { events, keys: local.keys, tryWrite: tryBoth, close: async () => void (await Promise.all([events.close(), local.close()])) };
    }
  }
}

/** The configuration guarantees an address for each chosen engine. */
function addressOf(url: string | null): string {
  if (url === null) throw new Error('the address of an engine is not configured');
  return url;
}
