import { type Suppression, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate } from '../load-aggregate.js';

/** The suppression of an address, from the log. */
export async function loadSuppression(log: EventLog, addressKey: string): Promise<Suppression> {
  const { state } = await loadAggregate(log, suppression, suppressionStream(addressKey), { sealed: true });
  return state;
}
