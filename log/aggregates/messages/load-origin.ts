import { messageStream } from '../../../domain/messages/message.js';
import type { EventLog } from '../../runtime/event-log.js';

/** The campaign that made a message, and its variant. */
export interface MessageOrigin {
  readonly campaign_id?: string | undefined;
  readonly variant?: string | undefined;
}

/** Where a message comes from. Reads one event; empty where there is no such message. */
export async function loadOrigin(log: EventLog, id: string): Promise<MessageOrigin> {
  const [first] = (await log.readSealed(messageStream(id), { limit: 1 })) ?? [];
  return (first?.event.data ?? {}) as MessageOrigin;
}
