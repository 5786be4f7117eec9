import { type CustomFields, customFieldsStream } from '../../../domain/contacts/custom-field.js';
import type { EventLog } from '../../runtime/event-log.js';
import { keptFolds } from '../kept-folds.js';
import type { Until } from '../load-aggregate.js';
import { loadState } from '../load-state.js';

/** The custom fields of an account, by key. */
export async function loadCustomFields(log: EventLog, account: string, until?: Until): Promise<CustomFields> {
  const { state } = await loadState(log, keptFolds.customFields, customFieldsStream(account), { until });
  return state;
}
