import { type SuppressionEvent, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** All events of an address's suppression, oldest first. Empty if the address was never suppressed. */
export const loadSuppressionHistory = async (log: EventLog, addressKey: string): Promise<LogEvent<SuppressionEvent>[]> =>
  (await log.read<SuppressionEvent>(suppressionStream(addressKey))) ?? [];
