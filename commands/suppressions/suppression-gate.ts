import { refusedAt } from '../../domain/messages/gate-decision.js';
import { refusingCause } from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { SuppressionGate } from '../messages/dependencies.js';
import type { SuppressionLookup } from '../runtime/lookups.js';

/** At dispatch the gate always reads the log. At acceptance it reads it only for addresses that the index might contain. */
export function createSuppressionGate(log: EventLog, lookup?: SuppressionLookup): SuppressionGate {
  const refusal: SuppressionGate['refusal'] = async ({ toKey, channel, category, at, messageId }) => {
    if (at === 'acceptance' && lookup?.mightContain(toKey) === false) return null;
    const refusing = refusingCause(await loadSuppression(log, toKey), channel, category, messageId);
    if (!refusing) return null;
    const { suppression_id, channel: on, reason, scope, occurred_at, recorded_at } = refusing.cause;
    const refused_by = { kind: 'suppression', suppression_id, channel: on, reason, scope, occurred_at, recorded_at } as const;
    return refusedAt(at, 'suppression', refusing.status, refused_by);
  };
  return { refusal };
}
