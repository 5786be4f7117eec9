import { type CustomFields, customFieldsStream } from '../../../domain/contacts/custom-field.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../load-aggregate.js';
import { loadState } from '../load-state.js';
import { snapshottedAggregates } from '../snapshotted-aggregates.js';

/** The custom fields of an account, by key. */
export async function loadCustomFields(log: EventLog, account: string, until?: ReadBound): Promise<CustomFields> {
  const { state } = await loadState(log, snapshottedAggregates.customFields, customFieldsStream(account), { until });
  return state;
}
