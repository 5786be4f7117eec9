import { channels } from '../../domain/kernel/channels.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { findKeyHolder } from '../../projections/contacts/message-recipients.js';
import type { LinkRecipient } from './recipient.js';

/** A list that a reader is on, or has left. */
export interface RecipientList {
  readonly id: string;
  readonly name: string;
  readonly subscribed: boolean;
}

export interface RecipientLists {
  /** The contact with the address. */
  readonly contact_id: string;
  readonly lists: readonly RecipientList[];
}

/** The lists of the contact with the address of a link; null without a contact. Pending memberships are not shown. */
export async function recipientLists(log: EventLog, { account, address_key, channel }: LinkRecipient): Promise<RecipientLists | null> {
  const contact_id = await findKeyHolder(log, { name: channels[channel].address, key: address_key });
  if (contact_id === null) return null;
  const { unified } = await findContact(log, account, contact_id);
  const memberships = Object.entries(await loadUnifiedMemberships(log, unified)).filter(([, { value }]) =>
    ['subscribed', 'unsubscribed'].includes(value.status),
  );
  const lists = await Promise.all(memberships.map(([id, { value }]) => recipientList(log, account, id, value.status === 'subscribed')));
  const named = lists.filter((list) => list !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { contact_id, lists: named };
}

/** Null if it was deleted. */
async function recipientList(log: EventLog, account: string, id: string, subscribed: boolean): Promise<RecipientList | null> {
  try {
    return { id, name: (await loadList(log, account, id)).name, subscribed };
  } catch (e) {
    if (isDomainError(e) && e.code === 'not_found') return null;
    throw e;
  }
}
