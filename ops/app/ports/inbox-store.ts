import type { StoreInInbox } from '../../../carriers/inbox/inbox.js';
import { storeInboxItem } from '../../../commands/inbox/store-item.js';
import type { Dispatcher } from '../../../commands/runtime/command.js';

/** The inbox as a carrier calls it. A repeated dispatch is the same command, so it stores nothing twice. */
export const inboxStore =
  (dispatcher: Pick<Dispatcher, 'execute'>): StoreInInbox =>
  async ({ message_id, account, to, content, expires_at = null }) => {
    const { title = null, message, action_url = null, data = null } = content;
    const cause = { account, actor: { kind: 'process', id: 'inbox' }, invocation: `inbox/${message_id}`, correlation: message_id } as const;
    const { output } = await dispatcher.execute(storeInboxItem, { message_id, contact_id: to, title, message, action_url, data, expires_at }, cause);
    return output;
  };
