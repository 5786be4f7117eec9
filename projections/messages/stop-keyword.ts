import { messageStream } from '../../domain/messages/message.js';
import { keywordLanguages, matchKeyword } from '../../domain/suppressions/keywords.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/**
 * The keyword of the reply from a phone number to a message at that time, as the table of keywords spells it: the same as that of the
 * inbound text. `STOP` for a reply that the carrier alone takes for one, or whose text is erased.
 */
export async function loadStopKeyword(log: EventLog, messageId: string, at: string, phone: string | null): Promise<string> {
  const events = (await log.read(messageStream(messageId))) ?? [];
  const reply = events.find(({ event }) => event.type === 'MessageReplied' && (event.data as { at: string }).at === at);
  const { text = null } = (reply?.event.data ?? {}) as { text?: string | null };
  const found = text === null || phone === null ? null : matchKeyword(text, keywordLanguages(phone));
  return found?.kind === 'stop' ? found.keyword : 'STOP';
}
