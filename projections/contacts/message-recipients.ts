import { allAddressKeysOf } from '../../domain/contacts/other-addresses.js';
import { channels, isChannel } from '../../domain/kernel/channels.js';
import { type IdentifyingKey, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { findOwnContact, type LoadedContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** The recipient as a message stores it. */
export interface StoredRecipient {
  /** The contact that the sender named, or null. */
  readonly contact_id: string | null;
  readonly channel: string;
  readonly to_key: string;
}

/** The root of the contact that has an address now, or null. */
export async function findKeyHolder(log: EventLog, key: IdentifyingKey): Promise<string | null> {
  const [claim] = await loadClaims({ log }, [key]);
  return claim?.holder ? activeRoot(log, claim.holder) : null;
}

async function activeRoot(log: EventLog, of: LoadedContact): Promise<string | null> {
  const { id, state } = await loadRoot(log, of);
  return state.status === 'active' ? id : null;
}

/**
 * The roots of the contacts that messages went to, by the present links: the named contact, or else the one that has the address.
 * So a message is found by a contact that is created or merged later. Each contact is loaded once.
 */
export function resolveRecipients(log: EventLog, account: string, messages: readonly StoredRecipient[]): Promise<(string | null)[]> {
  const known = new Map<string, Promise<string | null>>();
  const once = (key: string, load: () => Promise<string | null>): Promise<string | null> => {
    const answer = known.get(key) ?? load();
    known.set(key, answer);
    return answer;
  };
  return Promise.all(
    messages.map(({ contact_id, channel, to_key }) => {
      if (contact_id !== null) return once(contact_id, () => resolveNamed(log, account, contact_id));
      const name = isChannel(channel) ? channels[channel].address : 'contact';
      return name === 'contact' ? null : once(`${name}/${to_key}`, () => findKeyHolder(log, { name, key: to_key }));
    }),
  );
}

/** The root of a contact; the id itself if there is none. */
async function resolveNamed(log: EventLog, account: string, id: string): Promise<string> {
  const named = await findOwnContact(log, account, id);
  return (named && (await activeRoot(log, named))) ?? id;
}

/** The ids and addresses by which messages went to a contact. A contact that does not exist has only its id. */
export async function findContactAddresses(log: EventLog, account: string, id: string): Promise<{ ids: string[]; keys: string[] }> {
  const named = await findOwnContact(log, account, id);
  const root = named && (await loadRoot(log, named));
  if (root?.state.status !== 'active') return { ids: [id], keys: [] };
  const { members } = await unifyContact(log, root);
  return { ids: members.map((member) => member.id), keys: [...new Set(allAddressKeysOf(members).map(({ key }) => key))] };
}
