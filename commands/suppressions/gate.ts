import { refusalOf } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import type { Policy } from '../kernel.js';
import type { KnownSuppressions } from './known-suppressions.js';
import { suppressionOf } from './standing.js';

/**
 * Asks the do-not-contact list. At hand-over it reads the log itself, so what was said a moment ago counts already. At
 * acceptance it looks only at addresses that are known to have something on record there.
 */
export function suppressionGate(log: EventLog, known?: Pick<KnownSuppressions, 'mayHave'>): Pick<Policy, 'refusal'> {
  const refusal: Policy['refusal'] = async ({ toKey, channel, category, at, messageId }) => {
    if (at === 'acceptance' && known?.mayHave(toKey) === false) return null;
    return refusalOf(await suppressionOf(log, toKey), channel, category, messageId);
  };
  return { refusal };
}
