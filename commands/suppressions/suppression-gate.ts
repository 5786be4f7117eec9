import { refusalOf } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import type { Policy } from '../kernel.js';
import { loadSuppression } from './load-suppression.js';
import type { SuppressionIndex } from './suppression-index.js';

/**
 * Asks the do-not-contact list. At hand-over it reads the log itself, so what was said a moment ago counts already. At
 * acceptance it looks only at addresses that are known to have something on record there.
 */
export function suppressionGate(log: EventLog, known?: Pick<SuppressionIndex, 'mightContain'>): Pick<Policy, 'refusal'> {
  const refusal: Policy['refusal'] = async ({ toKey, channel, category, at, messageId }) => {
    if (at === 'acceptance' && known?.mightContain(toKey) === false) return null;
    return refusalOf(await loadSuppression(log, toKey), channel, category, messageId);
  };
  return { refusal };
}
