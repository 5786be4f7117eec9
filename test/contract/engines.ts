import { randomUUID } from 'node:crypto';
import type { Clock, LimitTable, LogEngine, RateLimits, ViewEngine } from '../../domain/kernel/ports.js';
import { MemoryRateLimits, openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openMongoViews } from '../../engines/mongodb/index.js';
import { openSqliteLog, openSqliteViews, startWriter } from '../../engines/sqlite/index.js';
import { ManualClock } from '../support/manual-clock.js';
import { databaseOf, dropDatabase, mongoSkipReason, mongoUrl } from '../support/mongodb.js';
import { openOverFakeServer, openRealServer, realServerSkipReason } from './eventstoredb.js';

export interface UnderTest {
  readonly name: string;
  /** Whether acknowledged data can be read by other processes with the same folder, and by later ones. */
  readonly durable: boolean;
  /** Why the engine cannot be tested on this machine, or null. Absent where it always can. */
  readonly skipReason?: () => Promise<string | null>;
  /** Time limit of one test in milliseconds, where it is longer than usual. */
  readonly timeoutMs?: number;
  /** Removes what the engine stored outside the folder. */
  readonly clear?: (dir: string) => Promise<void>;
}

export interface LogUnderTest extends UnderTest {
  readonly open: (dir: string) => Promise<LogEngine>;
}

export interface ViewsUnderTest extends UnderTest {
  /** Whether leases use the given clock instead of real time. */
  readonly takesClock: boolean;
  /** `partitions` is the number for a store that has none yet; the engine's default without it. */
  readonly open: (dir: string, clock: Clock, partitions?: number) => Promise<ViewEngine>;
}

export interface RateLimitsUnderTest extends UnderTest {
  /** `advance` lets this many milliseconds pass, of a manual clock or of the real one. */
  readonly open: (
    dir: string,
    table: LimitTable,
  ) => Promise<{ readonly limits: RateLimits; readonly advance: (ms: number) => Promise<void>; readonly close: () => Promise<void> }>;
}

/** Slow, so it is tested only by `npm run engines`. */
const onlyInEnginesSuite = async () => (process.env.ENGINES === 'all' ? null : 'it runs in npm run engines');

/** Every engine of the log. A new engine is one entry. */
export const logs: readonly LogUnderTest[] = [
  { name: 'memory', durable: false, open: async () => openMemoryLog() },
  { name: 'SQLite, written by its own thread', durable: true, open: openWithWriterThread },
  { name: 'SQLite, written by the caller', durable: true, open: async (dir) => openSqliteLog({ dir }) },
  { name: 'EventStoreDB, fake server', durable: true, skipReason: onlyInEnginesSuite, open: openOverFakeServer },
  { name: 'EventStoreDB, real server', durable: true, skipReason: realServerSkipReason, open: openRealServer },
];

/** Identifies this process in leases. */
const instance = randomUUID();

/** Compatible servers may be slow. */
const SERVER_TIMEOUT_MS = 90_000;

/** Every key store. One apart from the log is tested with a log in memory. */
export const keyStores: readonly LogUnderTest[] = [
  ...logs,
  { name: 'MongoDB', durable: false, timeoutMs: SERVER_TIMEOUT_MS, skipReason: mongoSkipReason, clear: dropDatabase, open: openMongoKeys },
];

/** Every engine of read models and leases. A new engine is one entry. */
export const views: readonly ViewsUnderTest[] = [
  {
    name: 'memory',
    durable: false,
    takesClock: true,
    open: async (_dir, clock, partitions) => openMemoryViews({ clock, ...(partitions && { partitions }) }),
  },
  {
    name: 'SQLite',
    durable: true,
    takesClock: true,
    open: async (dir, clock, partitions) => openSqliteViews({ dir, instance, now: () => clock.now(), ...(partitions && { partitions }) }),
  },
  {
    name: 'MongoDB',
    durable: true,
    takesClock: false,
    timeoutMs: SERVER_TIMEOUT_MS,
    skipReason: mongoSkipReason,
    clear: dropDatabase,
    open: (dir, _clock, partitions) => openMongoViews({ url: mongoUrl(), database: databaseOf(dir), instance, ...(partitions && { partitions }) }),
  },
];

/** Every implementation of the rate limits. */
export const rateLimits: readonly RateLimitsUnderTest[] = [
  { name: 'memory', durable: false, open: openMemoryRateLimits },
  {
    name: 'MongoDB',
    durable: false,
    timeoutMs: SERVER_TIMEOUT_MS,
    skipReason: mongoSkipReason,
    clear: dropDatabase,
    open: async (dir, table) => {
      const engine = await openMongoViews({ url: mongoUrl(), database: databaseOf(dir), instance });
      return { limits: await engine.rateLimits(table), advance: sleep, close: () => engine.close() };
    },
  },
];

async function openMemoryRateLimits(_dir: string, table: LimitTable) {
  const clock = new ManualClock();
  return { limits: new MemoryRateLimits(table, clock), advance: (ms: number) => clock.advance(ms), close: async () => {} };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The log as `serve` opens it. Closing it ends the writer thread as well. */
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
