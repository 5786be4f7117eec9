import type { Carrier, OutgoingMessage } from '../runtime/carrier.js';

export const INBOX = 'inbox';

/** Stores a message in the inbox of the contact that it is to. Resolves with the id of the item; null where the contact is gone. */
export type StoreInInbox = (message: OutgoingMessage) => Promise<string | null>;

/** The service itself as the carrier of in-app messages. The same message is stored once, however often it is dispatched. */
export const inbox = (store: StoreInInbox): Carrier => ({
  name: INBOX,
  channels: ['in_app'],
  deduplicates: true,
  async send(message) {
    const id = await store(message);
    if (id !== null) return { outcome: 'accepted', carrier_message_id: id };
    return { outcome: 'permanent_error', reason: 'invalid_recipient', code: 'contact_gone', error: 'The contact does not exist any more.' };
  },
});
