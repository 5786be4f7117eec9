import { type Contact, type ContactEvent, contact, contactStream } from '../../domain/contacts/contact.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate, type Until } from '../load-aggregate.js';
import type { LogEvent } from '../log-event.js';

/** A contact folded from its own stream, without the contacts that are merged into it. */
export interface LoadedContact {
  readonly id: string;
  /** Null if the stream does not exist. */
  readonly account: string | null;
  readonly state: Contact;
  /** -1 if the stream does not exist. */
  readonly revision: number;
  readonly events: readonly LogEvent<ContactEvent>[];
  /** True once the contact is erased, whatever `until` is: its personal data can no longer be read. */
  readonly erased?: boolean;
}

/** Loads a contact by its id, as of `until` if given. */
export async function loadContact(log: EventLog, id: string, until?: Until): Promise<LoadedContact> {
  const { allEvents, ...loaded } = await loadAggregate(log, contact, contactStream(id), { until });
  return { id, ...loaded, erased: allEvents.some(({ event }) => event.type === 'ContactErased') };
}

/** The contact that answers for another one: itself, or the one at the end of its chain of merges. */
export const loadRoot = async (log: EventLog, contact: LoadedContact, until?: Until): Promise<LoadedContact> =>
  (await loadPath(log, contact, until)).at(-1) as LoadedContact;

/** The chain of merges from a contact to its root, both included. */
export async function loadPath(log: EventLog, contact: LoadedContact, until?: Until): Promise<LoadedContact[]> {
  const path = [contact];
  for (let { state } = contact; state.status === 'merged'; ) {
    const next = await loadContact(log, state.into, until);
    path.push(next);
    state = next.state;
  }
  return path;
}
