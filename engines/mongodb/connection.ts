import { type Db, MongoClient } from 'mongodb';
import { callServer } from './errors.js';

/** Time limits in milliseconds. The driver waits for several of them in turn; `callServer` limits the sum. */
export const TIME_LIMITS = {
  connect: 2_000,
  /** Until a primary is found. */
  selection: 4_000,
  /** Of one answer on the wire; longer than the server takes to give up by itself. */
  socket: 6_000,
  /** The server stops working on one command after this. */
  command: 5_000,
  /** Creating and dropping collections and their indexes, which wait for other members and for locks. */
  definition: 5_500,
  /** Until a majority has confirmed a write. */
  majority: 5_000,
} as const;

/** For every command: the driver has no such setting for the whole client. */
export const COMMAND_OPTIONS = { maxTimeMS: TIME_LIMITS.command } as const;
export const DEFINITION_OPTIONS = { maxTimeMS: TIME_LIMITS.definition } as const;

const DEFAULT_DATABASE = 'heliograph';

export interface Connection {
  readonly client: MongoClient;
  readonly db: Db;
}

/**
 * One client for the whole process. Writes are confirmed and reads are answered by a majority of the members, whatever
 * the address says: what was read or acknowledged once survives a change of the primary.
 */
export async function connect(url: string, database?: string): Promise<Connection> {
  const client = new MongoClient(url, {
    appName: 'heliograph',
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', wtimeoutMS: TIME_LIMITS.majority },
    retryWrites: true,
    retryReads: true,
    connectTimeoutMS: TIME_LIMITS.connect,
    serverSelectionTimeoutMS: TIME_LIMITS.selection,
    waitQueueTimeoutMS: TIME_LIMITS.selection,
    socketTimeoutMS: TIME_LIMITS.socket,
    ignoreUndefined: true,
  });
  try {
    await callServer(() => client.connect());
  } catch (e) {
    await client.close();
    throw e;
  }
  return { client, db: client.db(database ?? databaseNameIn(url) ?? DEFAULT_DATABASE) };
}

/** The database that the address names after its hosts. */
function databaseNameIn(url: string): string | undefined {
  const [, path] = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url) ?? [];
  return path ? decodeURIComponent(path) : undefined;
}
