import { randomUUID } from 'node:crypto';
import type { Clock, LogEngine, ViewEngine } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openMongoViews } from '../../engines/mongodb/index.js';
import { openSqliteLog, openSqliteViews, startWriter } from '../../engines/sqlite/index.js';
import { databaseOf, dropDatabase, mongoSkipReason, mongoUrl } from '../support/mongodb.js';
import { openOverFakeServer, openRealServer, realServerUnreachable } from './eventstoredb.js';

interface UnderTest {
  readonly name: string;
  /** Keeps in the folder what it acknowledged, for this process, for others beside it, and for those that come later. */
  readonly durable: boolean;
  /** Why the engine cannot be tried on this machine, or null. Absent where it always can. */
  readonly unreachable?: () => Promise<string | null>;
  /** How long one test may take where it is longer than usual, in milliseconds. */
  readonly patience?: number;
  /** Clears away what the engine kept elsewhere for a folder. */
  readonly clear?: (dir: string) => Promise<void>;
}

export interface LogUnderTest extends UnderTest {
  readonly open: (dir: string) => Promise<LogEngine>;
}

export interface ViewsUnderTest extends UnderTest {
  /** Whether leases go by the clock that is handed in; otherwise by the real one. */
  readonly takesClock: boolean;
  readonly open: (dir: string, clock: Clock) => Promise<ViewEngine>;
}

/** Slow, so only the suite of the engines asks it: `npm run engines`. */
const leftToEngines = async () => (process.env.ENGINES === 'all' ? null : 'npm run engines tries it');

/** Every engine of the log. A new one is one entry. */
export const logs: readonly LogUnderTest[] = [
  { name: 'memory', durable: false, open: async () => openMemoryLog() },
  { name: 'SQLite, written by its own thread', durable: true, open: openWithWriterThread },
  { name: 'SQLite, written by the caller', durable: true, open: async (dir) => openSqliteLog({ dir }) },
  { name: 'EventStoreDB, over the stand-in', durable: true, unreachable: leftToEngines, open: openOverFakeServer },
  { name: 'EventStoreDB, a real server', durable: true, unreachable: realServerUnreachable, open: openRealServer },
];

/** As the process that holds leases is named to others on this machine. */
const instance = randomUUID();

/** A server that stands in for a real one may be slow. */
const SERVER_PATIENCE = 90_000;

/** Every place for keys. Where they are kept apart from the log, any log stands beside them. */
export const keyStores: readonly LogUnderTest[] = [
  ...logs,
  { name: 'MongoDB', durable: false, patience: SERVER_PATIENCE, unreachable: mongoSkipReason, clear: dropDatabase, open: openMongoKeys },
];

/** Every engine of read models and leases. A new one is one entry. */
export const views: readonly ViewsUnderTest[] = [
  { name: 'memory', durable: false, takesClock: true, open: async (_dir, clock) => openMemoryViews({ clock }) },
  { name: 'SQLite', durable: true, takesClock: true, open: async (dir, clock) => openSqliteViews({ dir, instance, now: () => clock.now() }) },
  {
    name: 'MongoDB',
    durable: true,
    takesClock: false,
    patience: SERVER_PATIENCE,
    unreachable: mongoSkipReason,
    clear: dropDatabase,
    open: (dir) => openMongoViews({ url: mongoUrl(), database: databaseOf(dir), instance }),
  },
];

/** The log as `serve` has it; closing it ends the thread as well. */
async function openWithWriterThread(dir: string): Promise<LogEngine> {
  const thread = await startWriter(dir);
  const engine = openSqliteLog({ dir, writer: thread.connect() });
  const close = engine.events.close.bind(engine.events);
  engine.events.close = async () => {
    await close();
    await thread.close();
  };
  return engine;
}

async function openMongoKeys(dir: string): Promise<LogEngine> {
  const { events } = openMemoryLog();
  const { keys, close } = await openMongoViews({ url: mongoUrl(), database: databaseOf(dir), instance });
  events.close = close;
  return { events, keys };
}
