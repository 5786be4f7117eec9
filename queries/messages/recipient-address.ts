import { ERASED } from '../../domain/kernel/erased.js';
import { messageStream } from '../../domain/messages/message.js';
import type { EventLog } from '../../log/event-log.js';

export interface MessageRecipient {
  /** Null where its key is destroyed, or where there is no such message. */
  readonly address: string | null;
  /** Whether a test key sent the message. */
  readonly test: boolean;
}

/** Whom a message went to. */
export async function loadRecipient(log: EventLog, messageId: string): Promise<MessageRecipient> {
  const [first] = (await log.read(messageStream(messageId), { limit: 1 })) ?? [];
  const { to, test } = (first?.event.data ?? {}) as { to?: string; test?: boolean };
  return { address: to === undefined || to === ERASED ? null : to, test: test === true };
}

/** The address that a message went to; null where its key is destroyed, or where there is no such message. */
export const loadRecipientAddress = async (log: EventLog, messageId: string): Promise<string | null> => (await loadRecipient(log, messageId)).address;
