import { refusalOf } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import type { SuppressionGate } from '../messages/dependencies.js';
import type { SuppressionLookup } from './dependencies.js';
import { loadSuppression } from './load-suppression.js';

/**
 * Asks the do-not-contact list. At hand-over it reads the log itself, so what was said a moment ago counts already. At
 * acceptance it looks only at addresses that are known to have something on record there.
 */
export function createSuppressionGate(log: EventLog, lookup?: SuppressionLookup): SuppressionGate {
  const refusal: SuppressionGate['refusal'] = async ({ toKey, channel, category, at, messageId }) => {
    if (at === 'acceptance' && lookup?.mightContain(toKey) === false) return null;
    return refusalOf(await loadSuppression(log, toKey), channel, category, messageId);
  };
  return { refusal };
}
