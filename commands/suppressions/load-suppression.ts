import { type Suppression, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import { loadAggregate } from '../../log/load-aggregate.js';

/** The suppression of an address, from the log. */
export async function loadSuppression(log: EventLog, addressKey: string): Promise<Suppression> {
  const { state } = await loadAggregate(log, suppression, suppressionStream(addressKey), { sealed: true });
  return state;
}
