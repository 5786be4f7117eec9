import { type CustomFields, customFields, customFieldsStream } from '../../../domain/contacts/custom-field.js';
import { zoneClocks } from '../../../formats/messages/utc-offsets.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate, type ReadBound } from '../load-aggregate.js';
import { loadSettings } from '../load-settings.js';

/** The custom fields of an account, by key. */
export async function loadCustomFields(log: EventLog, account: string, until?: ReadBound): Promise<CustomFields> {
  const { state } = await loadAggregate(log, customFields, customFieldsStream(account), { until });
  if (![...state.values()].some(({ type }) => type === 'datetime')) return state;
  const settings = await loadSettings(log, account, until);
  const clocks = zoneClocks(settings?.timezone);
  return new Map([...state].map(([key, field]) => [key, field.type === 'datetime' ? { ...field, clocks } : field]));
}
