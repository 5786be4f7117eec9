import { type CustomFields, customFields, customFieldsStream } from '../../../domain/contacts/custom-field.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate } from '../load-aggregate.js';
import type { ReadBound } from '../loaded-aggregate.js';

/** The custom fields of an account, by key. */
export async function loadCustomFields(log: EventLog, account: string, until?: ReadBound): Promise<CustomFields> {
  const { state } = await loadAggregate(log, customFields, customFieldsStream(account), { until });
  return state;
}
