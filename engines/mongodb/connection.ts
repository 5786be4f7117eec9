import { type Db, MongoClient } from 'mongodb';
import { callServer } from './errors.js';

/** Time limits in milliseconds. The driver applies several of them one after the other; `callServer` limits the sum. */
export const TIME_LIMITS = {
  connect: 2_000,
  /** Until a primary is found. */
  selection: 4_000,
  /** Of one answer; longer than the server's own time limit. */
  socket: 6_000,
  /** The server aborts a command after this time. */
  command: 5_000,
  /** For creating and dropping collections and indexes, which wait for other members and for locks. */
  definition: 5_500,
  /** Until a majority has confirmed a write. */
  majority: 5_000,
} as const;

/** Options of every command: the client has no setting for them. */
export const COMMAND_OPTIONS = { maxTimeMS: TIME_LIMITS.command } as const;
export const DEFINITION_OPTIONS = { maxTimeMS: TIME_LIMITS.definition } as const;

const DEFAULT_DATABASE = 'heliograph';

export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
}

/**
 * Connects the client of this process. Read and write concern are always `majority`, whatever the address says: data
 * that was read or acknowledged survives a change of the primary.
 */
export async function connect(url: string, database?: string): Promise<MongoConnection> {
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

/** The database in the path of the address. */
function databaseNameIn(url: string): string | undefined {
  const [, path] = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(url) ?? [];
  return path ? decodeURIComponent(path) : undefined;
}
