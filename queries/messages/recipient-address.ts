import { ERASED } from '../../domain/kernel/erased.js';
import { messageStream } from '../../domain/messages/message.js';
import type { EventLog } from '../../log/event-log.js';

/** The address that a message went to; null where its key is destroyed, or where there is no such message. */
export async function loadRecipientAddress(log: EventLog, messageId: string): Promise<string | null> {
  const [first] = (await log.read(messageStream(messageId), { limit: 1 })) ?? [];
  const { to } = (first?.event.data ?? {}) as { to?: string };
  return to === undefined || to === ERASED ? null : to;
}
