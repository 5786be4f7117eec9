import { type Suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../runtime/event-log.js';
import { keptFolds } from './kept-folds.js';
import type { Until } from './load-aggregate.js';
import { loadState } from './load-state.js';

/** The suppression of an address, from the log, as of `until` if given. Sources stay sealed. */
export async function loadSuppression(log: EventLog, addressKey: string, until?: Until): Promise<Suppression> {
  const { state } = await loadState(log, keptFolds.suppression, suppressionStream(addressKey), { until, sealed: true });
  return state;
}
