import { addressKeysOf } from '../../domain/contacts/facts.js';
import { channels, isChannel } from '../../domain/kernel/channels.js';
import { type IdentifyingKey, loadClaims } from '../../log/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadRoot } from '../../log/contacts/load-contact.js';
import { uniteContact } from '../../log/contacts/unite-contact.js';
import type { EventLog } from '../../log/event-log.js';

/** What a message says of whom it went to. */
export interface MessageRecipient {
  /** Named by whoever sent it, or null. */
  readonly contact_id: string | null;
  readonly channel: string;
  readonly to_key: string;
}

/** The contact that has an address now, as which it answers; null where nobody has. */
export async function findKeyHolder(log: EventLog, key: IdentifyingKey): Promise<string | null> {
  const [claim] = await loadClaims({ log }, [key]);
  return claim?.holder ? activeRoot(log, claim.holder) : null;
}

async function activeRoot(log: EventLog, of: LoadedContact): Promise<string | null> {
  const { id, state } = await loadRoot(log, of);
  return state.status === 'active' ? id : null;
}

/**
 * The contacts that messages went to, as they are linked now: the one that was named, or else the one that has the
 * address. So a message links to a contact that is made, or merged, long after it was sent. Each is looked up once.
 */
export function resolveRecipients(log: EventLog, account: string, messages: readonly MessageRecipient[]): Promise<(string | null)[]> {
  const known = new Map<string, Promise<string | null>>();
  const once = (key: string, look: () => Promise<string | null>): Promise<string | null> => {
    const answer = known.get(key) ?? look();
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

/** The id that was given, unless it is merged into another one. */
async function resolveNamed(log: EventLog, account: string, id: string): Promise<string> {
  const named = await loadContact(log, id);
  return named.account === account ? ((await activeRoot(log, named)) ?? id) : id;
}

/** By which ids and which addresses messages went to a contact. One that is not there (any more) is known by its id alone. */
export async function findContactAddresses(log: EventLog, account: string, id: string): Promise<{ ids: string[]; keys: string[] }> {
  const named = await loadContact(log, id);
  const root = await loadRoot(log, named);
  if (named.account !== account || root.state.status !== 'active') return { ids: [id], keys: [] };
  const { members } = await uniteContact(log, root);
  return { ids: members.map((member) => member.id), keys: [...new Set(addressKeysOf(members).map(({ key }) => key))] };
}
