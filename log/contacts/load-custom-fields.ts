import { type CustomFields, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate, type Until } from '../load-aggregate.js';

/** The custom fields of an account, by key. */
export async function loadCustomFields(log: EventLog, account: string, until?: Until): Promise<CustomFields> {
  const { state } = await loadAggregate(log, customFields, customFieldsStream(account), { until });
  return state;
}
