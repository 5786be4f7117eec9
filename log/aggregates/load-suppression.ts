import { type Suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../runtime/event-log.js';
import type { ReadBound } from './load-aggregate.js';
import { loadState } from './load-state.js';
import { snapshottedAggregates } from './snapshotted-aggregates.js';

/** The suppression of an address, from the log, as of `until` if given. Sources stay sealed. */
export async function loadSuppression(log: EventLog, addressKey: string, until?: ReadBound): Promise<Suppression> {
  const { state } = await loadState(log, snapshottedAggregates.suppression, suppressionStream(addressKey), { until, sealed: true });
  return state;
}
