import { type ContactKeyEvent, contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import { allAddressKeysOf, withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { type ContactResource, toContactResource } from '../../domain/contacts/resource.js';
import type { Position } from '../../domain/kernel/ports.js';
import { findOwnContact, loadRoot, loadVersion, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadRelations } from '../contacts/relations.js';

/** The contact as it was at a position of the log, with all that was merged into it. Null before its creation. */
export async function loadContactAfter(log: EventLog, account: string, id: string, position: Position): Promise<ContactResource | null> {
  return (await unifyAfter(log, account, id, position))?.resource ?? null;
}

/** An address as an event names it: by its key, and by itself where it can be read. */
interface NamedAddress {
  readonly key: string;
  readonly address: unknown;
}

/** The contact that had an address, in any of its spellings, at a position of the log, or null. */
export async function loadHolderAfter(
  log: EventLog,
  account: string,
  { key, address }: NamedAddress,
  position: Position,
): Promise<ContactResource | null> {
  const until = { position };
  const keys = [key, ...(typeof address === 'string' ? log.otherSpellingKeys(account, address) : [])];
  for (const one of keys) {
    const { state } = await loadAggregate<typeof contactKey.initial, ContactKeyEvent>(log, contactKey, contactKeyStream(one), { until });
    const found = state.status === 'claimed' ? await unifyAfter(log, account, state.contact_id, position) : null;
    if (found?.keys.includes(one)) return found.resource;
  }
  return null;
}

async function unifyAfter(log: EventLog, account: string, id: string, position: Position) {
  const until = { position };
  const named = await findOwnContact(log, account, id, until);
  if (!named) return null;
  const unified = await unifyContact(log, await loadRoot(log, named, until), until);
  const { members } = unified;
  const facts = withOtherAddresses(unified.facts, members);
  const [relations, fields, version] = await Promise.all([
    loadRelations(log, { ...unified, account, facts }, { until }),
    loadCustomFields(log, account, until),
    loadVersion(log, unified, until),
  ]);
  const keys = allAddressKeysOf(members).map(({ key }) => key);
  return { resource: toContactResource({ members, facts, relations, fields, version }), keys };
}
