import { randomUUID } from 'node:crypto';
import { type EventStore, isWrongRevision } from '../../domain/kernel/ports.js';

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
