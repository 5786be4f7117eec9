import { type Contact, type ContactEvent, contact, contactStream, type ExistingContact } from '../../domain/contacts/contact.js';
import { type Facts, uniteFacts } from '../../domain/contacts/facts.js';
import type { EventLog } from '../event-log.js';
import { loadAggregate, type Until } from '../load-aggregate.js';
import type { LogEvent } from '../log-event.js';

/** A contact as it stands in its stream, with the place in the log of each event that brought it there. */
export interface LoadedContact {
  readonly id: string;
  /** Whose it is; null where nothing was said of it yet. */
  readonly account: string | null;
  readonly state: Contact;
  /** -1 where nothing was said of it yet. */
  readonly revision: number;
  readonly events: readonly LogEvent<ContactEvent>[];
  /** Whether nobody can read any more what was said of it, also where it is read as it was before. */
  readonly erased?: boolean;
}

/** `until`: only what was said up to then. */
export async function loadContact(log: EventLog, id: string, until?: Until): Promise<LoadedContact> {
  const { allEvents, ...loaded } = await loadAggregate(log, contact, contactStream(id), { until });
  return { id, ...loaded, erased: allEvents.some(({ event }) => event.type === 'ContactErased') };
}

/** The contact as which another one answers: itself, or whom it was merged into. */
export async function loadRoot(log: EventLog, of: LoadedContact, until?: Until): Promise<LoadedContact> {
  let at = of;
  while (at.state.status === 'merged') at = await loadContact(log, at.state.into, until);
  return at;
}

/** A contact with all that is merged into it. */
export interface UnitedContact {
  readonly root: ExistingContact;
  /** The root first, then its parts in the order in which they joined. */
  readonly members: readonly ExistingContact[];
  /** What is said of all of them, read as one. */
  readonly facts: Facts;
  /** Those that were merged into the root itself, and when, each with its own parts. */
  readonly parts: readonly { readonly at: string; readonly whole: UnitedContact }[];
}

export async function uniteContact(log: EventLog, root: ExistingContact, until?: Until): Promise<UnitedContact> {
  let { facts } = root;
  const members = [root];
  const parts: { at: string; whole: UnitedContact }[] = [];
  for (const { contact_id, merge_id, at } of root.parts) {
    const { state } = await loadContact(log, contact_id, until);
    // A link counts once both ends know of it.
    if (state.status !== 'merged' || state.merge_id !== merge_id) continue;
    const whole = await uniteContact(log, state, until);
    parts.push({ at, whole });
    members.push(...whole.members);
    facts = uniteFacts(facts, whole.facts, at);
  }
  return { root, members, facts, parts };
}

/** A contact and what was merged into it, wherever they are known from. */
export interface Linked<M> {
  readonly root: M;
  readonly parts: readonly { readonly at: string; readonly whole: Linked<M> }[];
}

/** What is kept of each member by itself, consents or memberships, read as one in the same order as what is said of it. */
export async function uniteOver<T, M>(
  { root, parts }: Linked<M>,
  own: (member: M) => Promise<T>,
  unite: (left: T, right: T, unitedAt: string) => T,
): Promise<T> {
  let united: T = await own(root);
  for (const { at, whole } of parts) united = unite(united, await uniteOver(whole, own, unite), at);
  return united;
}

/**
 * How often anything of a contact changed. It only grows, also where a part is taken out again: what had happened to that
 * part until then counts on.
 */
export async function loadVersion(log: EventLog, { events }: LoadedContact, until?: Until): Promise<number> {
  let version = events.length;
  for (const { event } of events) {
    if (event.type !== 'ContactAbsorbed') continue;
    const part = await loadContact(log, event.data.absorbed, until);
    const { merge_id } = event.data;
    const left = part.events.find((past) => past.event.type === 'ContactUnmerged' && past.event.data.merge_id === merge_id);
    version += left
      ? await loadVersion(log, await loadContact(log, part.id, { position: left.position }), { position: left.position })
      : await loadVersion(log, part, until);
  }
  return version;
}
