import { inboxItem, inboxStream } from '../../domain/inbox/item.js';
import { findOwnContact, loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import { derivedId } from '../../log/runtime/ids.js';
import { type Context, internalCommand } from '../runtime/command.js';

/** An in-app message as it is dispatched. */
export interface InboxDelivery {
  readonly message_id: string;
  /** The contact that it is to; it may be merged into another one since, where its items are shown, too. */
  readonly contact_id: string;
  readonly title: string | null;
  readonly message: string;
  readonly action_url: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly expires_at: string | null;
}

/** The id of the item of a message. */
export const inboxItemId = (messageId: string): string => derivedId('inb', messageId);

/** Stores a message in the inbox of its contact, once. Resolves with the id of the item; null where the contact is gone. */
export const storeInboxItem = internalCommand({
  name: 'StoreInboxItem',

  async handle({ data, ...delivery }: InboxDelivery, context): Promise<string | null> {
    const { contact_id, message_id } = delivery;
    if (!(await isThere(contact_id, context))) return null;
    const item_id = inboxItemId(message_id);
    const store = { type: 'Store', item_id, ...delivery, data: data && { ...data }, now: context.now } as const;
    await context.decide(inboxItem, inboxStream(contact_id, item_id), store, { assumeNew: true });
    return item_id;
  },
});

async function isThere(id: string, { log, cause }: Context): Promise<boolean> {
  const contact = await findOwnContact(log, cause.account, id);
  return contact !== null && (await loadRoot(log, contact)).state.status === 'active';
}
