import type { EventStore } from '../../domain/kernel/ports.js';
import { MAX_APPEND_BYTES } from './codec.js';
import { acquire, DEFAULT_TIMEOUTS, type Timeouts } from './connection.js';
import { EventStoreDbEventStore } from './event-store.js';

export type { Timeouts } from './connection.js';
export { AppendTooLarge, StreamTombstoned } from './failures.js';
export { type SetUpOptions, setUp } from './set-up.js';

/** The log in EventStoreDB: a server of its own for any number of nodes. */
export interface OpenEventStoreLog extends Partial<Timeouts> {
  /** `esdb://` for one node, `esdb+discover://` for a cluster, with the parameters of the client (tls, tlsCAFile, userCertFile, userKeyFile …). */
  readonly url: string;
  /** What the server takes in one append, in bytes, if it was told another limit than its default. */
  readonly maxAppendBytes?: number;
}

/**
 * Connects with the first call, not before. All logs that one process opens at one address share a connection; a
 * second address at the same time is refused.
 *
 * The keys that open what is sealed must not lie in this log: they are in a collection of their own where the read
 * models are in MongoDB, and in the local `keys.db` where they are in SQLite, which then is a system of one node.
 */
export function openEventStoreLog({ url, maxAppendBytes = MAX_APPEND_BYTES, ...given }: OpenEventStoreLog): EventStore {
  const { connection, release } = acquire(url);
  return new EventStoreDbEventStore(connection, release, { timeouts: { ...DEFAULT_TIMEOUTS, ...given }, maxAppendBytes });
}
