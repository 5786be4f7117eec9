import type { ChannelName } from '../../domain/kernel/channels.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { messageStream } from '../../domain/messages/message.js';
import type { EventLog } from '../../log/runtime/event-log.js';

export interface MessageRecipient {
  /** Null where its key is destroyed, or where there is no such message. */
  readonly address: string | null;
  /** Whether a test key sent the message. */
  readonly test: boolean;
}

/** Between whom a message went. Addresses are null where they are not known or their key is destroyed. */
export interface MessageParties {
  readonly channel: ChannelName;
  readonly to: string | null;
  readonly from: string | null;
  readonly test: boolean;
}

/** Null where there is no such message. */
export async function loadParties(log: EventLog, messageId: string): Promise<MessageParties | null> {
  const [first] = (await log.read(messageStream(messageId), { limit: 1 })) ?? [];
  if (!first) return null;
  const { channel, to, from, test } = first.event.data as { channel: ChannelName; to: string; from?: string; test?: boolean };
  return { channel, to: readable(to), from: readable(from), test: test === true };
}

const readable = (value: string | undefined): string | null => (value === undefined || value === ERASED ? null : value);

/** Whom a message went to. */
export async function loadMessageRecipient(log: EventLog, messageId: string): Promise<MessageRecipient> {
  const { to: address = null, test = false } = (await loadParties(log, messageId)) ?? {};
  return { address, test };
}

/** The address that a message went to; null where its key is destroyed, or where there is no such message. */
export const loadRecipientAddress = async (log: EventLog, messageId: string): Promise<string | null> =>
  (await loadMessageRecipient(log, messageId)).address;
