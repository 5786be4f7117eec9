import { type Contact, type ContactEvent, contact, contactStream, type KnownContact } from '../../domain/contacts/contact.js';
import { type Facts, uniteFacts } from '../../domain/contacts/facts.js';
import { fold } from '../../domain/kernel/decider.js';
import type { EventLog, LogEvent } from '../../log/event-log.js';

/** A contact as it stands in its stream, with the place in the log of each event that brought it there. */
export interface LoadedContact {
  readonly id: string;
  /** Whose it is; null where nothing was said of it yet. */
  readonly account: string | null;
  readonly state: Contact;
  /** -1 where nothing was said of it yet. */
  readonly revision: number;
  readonly events: readonly LogEvent<ContactEvent>[];
}

/** `until`: only what was said up to then (RFC 3339). */
export async function loadContact(log: EventLog, id: string, until?: string): Promise<LoadedContact> {
  const all = (await log.read<ContactEvent>(contactStream(id))) ?? [];
  const events = until === undefined ? all : all.filter(({ event }) => event.data.at <= until);
  const state = fold(
    contact,
    events.map(({ event }) => event),
  );
  return { id, account: all[0]?.meta.account ?? null, state, revision: events.at(-1)?.revision ?? -1, events };
}

/** The contact as which another one answers: itself, or whom it was merged into. */
export async function rootOf(log: EventLog, of: LoadedContact, until?: string): Promise<LoadedContact> {
  let at = of;
  while (at.state.status === 'merged') at = await loadContact(log, at.state.into, until);
  return at;
}

/** A contact with all that is merged into it. */
export interface Whole {
  readonly root: KnownContact;
  /** The root first, then its parts in the order in which they joined. */
  readonly members: readonly KnownContact[];
  /** What is said of all of them, read as one. */
  readonly facts: Facts;
}

export async function wholeOf(log: EventLog, root: KnownContact, until?: string): Promise<Whole> {
  let { facts } = root;
  const members = [root];
  for (const { contact_id, merge_id, at } of root.parts) {
    const { state } = await loadContact(log, contact_id, until);
    // A link counts once both ends know of it.
    if (state.status !== 'merged' || state.merge_id !== merge_id) continue;
    const part = await wholeOf(log, state, until);
    members.push(...part.members);
    facts = uniteFacts(facts, part.facts, at);
  }
  return { root, members, facts };
}
