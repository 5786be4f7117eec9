import { message, messageStream } from '../../domain/messages/message.js';
import type { DeviceState } from '../../domain/messages/push-outcomes.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** What became of a push message on each device, from the log. */
export async function messageDevices(log: EventLog, id: string): Promise<readonly DeviceState[]> {
  const { state } = await loadAggregate(log, message, messageStream(id), { sealed: true });
  return state.status === 'new' ? [] : Object.values(state.devices ?? {});
}
