import { type Suppression, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../runtime/event-log.js';
import { loadAggregate, type ReadBound } from './load-aggregate.js';

/** The suppression of an address, from the log, as of `until` if given. Sources stay sealed. */
export async function loadSuppression(log: EventLog, addressKey: string, until?: ReadBound): Promise<Suppression> {
  const { state } = await loadAggregate(log, suppression, suppressionStream(addressKey), { until, sealed: true });
  return state;
}
