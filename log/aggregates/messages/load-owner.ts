import { ERASED } from '../../../domain/kernel/erased.js';
import type { Copy } from '../../../domain/messages/accepted-fields.js';
import { messageStream } from '../../../domain/messages/message.js';
import type { EventLog } from '../../runtime/event-log.js';

/** Whose a message is. `to`: null where it is erased. */
export interface MessageOwner {
  readonly id: string;
  readonly account: string;
  readonly to: string | null;
  readonly copies: readonly Copy[];
  /** Whether a test key sent it. */
  readonly test: boolean;
}

/** The account of a message, and to whom the message goes; null where there is no such message. */
export async function loadMessageOwner(log: EventLog, id: string): Promise<MessageOwner | null> {
  const [first] = (await log.read(messageStream(id), { limit: 1 })) ?? [];
  if (!first) return null;
  const { to = ERASED, copies = [], test } = first.event.data as { readonly to?: string; readonly copies?: readonly Copy[]; readonly test?: boolean };
  return { id, account: first.meta.account, to: to === ERASED ? null : to, copies, test: test === true };
}
