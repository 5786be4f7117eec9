import type { SuppressionEvent } from '../../domain/suppressions/suppression.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import type { EventLog, LogEvent } from '../../log/event-log.js';

/** All that was ever said of an address, oldest first; empty where nothing was. */
export const loadSuppressionHistory = async (log: EventLog, addressKey: string): Promise<LogEvent<SuppressionEvent>[]> =>
  (await log.read<SuppressionEvent>(suppressionStream(addressKey))) ?? [];
