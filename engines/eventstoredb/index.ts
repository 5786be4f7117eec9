import { randomUUID } from 'node:crypto';
import { type EventStore, isWrongRevision } from '../../domain/kernel/ports.js';
import { MAX_APPEND_BYTES } from './codec.js';
import { acquire, DEFAULT_TIMEOUTS, type Timeouts } from './connection.js';
import { EventStoreDbEventStore } from './event-store.js';

export type { Timeouts } from './connection.js';
export { AppendTooLarge, StreamTombstoned } from './failures.js';
export { type SetUpOptions, setUp } from './set-up.js';

/** The log in EventStoreDB, shared by any number of nodes. */
export interface OpenEventStoreLog extends Partial<Timeouts> {
  /** `esdb://` for one node, `esdb+discover://` for a cluster, with the parameters of the client (tls, tlsCAFile, userCertFile, userKeyFile …). */
  readonly url: string;
  /** The server's limit of one append in bytes, if it is not the default. */
  readonly maxAppendBytes?: number;
}

/**
 * Connects with the first call. All logs that one process opens at one address share a connection. Throws for a second
 * address at the same time.
 *
 * Data keys are never in this log: they are in MongoDB where the read models are there, otherwise in the local `keys.db`
 * of a single node.
 */
export function openEventStoreLog({ url, maxAppendBytes = MAX_APPEND_BYTES, ...given }: OpenEventStoreLog): EventStore {
  const { connection, release } = acquire(url);
  return new EventStoreDbEventStore(connection, release, { timeouts: { ...DEFAULT_TIMEOUTS, ...given }, maxAppendBytes });
}

/**
 * Asks the server for an append that it must refuse, to a stream that never exists. The refusal comes from the writer of the leader, which
 * stops where its disk cannot be written. So the log does not grow.
 */
export async function tryEventStoreWrite(events: EventStore): Promise<void> {
  try {
    await events.append('readiness-probe', 0, [{ id: randomUUID(), type: 'ReadinessProbed', data: '{}', metadata: '{}' }]);
  } catch (e) {
    if (!isWrongRevision(e)) throw e;
  }
}
