/** How contacts are loaded: each from its own stream, its tree of merged contacts as one, and one of an account by its id. */

import { type Contact, type ContactEvent, contact, contactErased, contactStream, type ExistingContact } from '../../../domain/contacts/contact.js';
import { type ContactLink, type ContactNode, membersOf, unify, versionOf } from '../../../domain/contacts/contact-tree.js';
import { type Facts, otherSpellingIn, unifyFacts } from '../../../domain/contacts/facts.js';
import { addressOf } from '../../../domain/contacts/other-addresses.js';
import { spellingName } from '../../../domain/contacts/phone-spellings.js';
import type { EventInLog, SnapshotFold } from '../../../domain/kernel/decider.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { AnyEvent } from '../../../domain/kernel/event.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { Position } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { LogEvent } from '../../runtime/log-event.js';
import { SealedField } from '../../vault/personal-fields.js';
import { loadAggregate, ownOf, type ReadBound } from '../load-aggregate.js';

/** What is known of the past of a contact without reading its events again. */
export interface ContactPast {
  /** Number of events. */
  readonly count: number;
  /** By the name of a key, the position of the last event that changed it. */
  readonly keyChanges: Readonly<Record<string, Position>>;
  /** Every contact that was ever merged into this one, in order. */
  readonly absorbed: readonly { readonly contact_id: string; readonly merge_id: string }[];
  /** By merge, the position at which this contact was released from it. */
  readonly unmerged: Readonly<Record<string, Position>>;
}

/** A contact folded from its own stream, without the contacts that are merged into it. */
export interface LoadedContact {
  readonly id: string;
  /** Null if the stream does not exist. */
  readonly account: string | null;
  readonly state: Contact;
  /** -1 if the stream does not exist. */
  readonly revision: number;
  readonly past: ContactPast;
  /** The events up to `until`. */
  readonly events: () => Promise<readonly LogEvent<ContactEvent>[]>;
  /** True once the contact is erased, whatever `until` is: its personal data can no longer be read. */
  readonly erased?: boolean;
}

interface ContactRecord extends ContactPast {
  readonly contact: Contact;
}

export const noPast: ContactPast = { count: 0, keyChanges: {}, absorbed: [], unmerged: {} };

/** A contact with its past, which its events alone do not tell. */
export const contactRecord = {
  initial: { contact: contact.initial, ...noPast } as ContactRecord,
  evolve: (known: ContactRecord, event: ContactEvent): ContactRecord => ({ ...known, contact: contact.evolve(known.contact, byName(event)) }),
  snapshots: { name: 'contact', version: 3, apply: withPast } satisfies SnapshotFold<ContactRecord, ContactEvent>,
};

function withPast(known: ContactRecord, { event, position }: EventInLog<ContactEvent>): ContactRecord {
  const next = { ...contactRecord.evolve(known, event), count: known.count + 1 };
  switch (event.type) {
    case 'ContactCreated':
    case 'ContactUpdated': {
      const changed = Object.keys(event.data.keys);
      return changed.length === 0
        ? next
        : { ...next, keyChanges: { ...known.keyChanges, ...Object.fromEntries(changed.map((name) => [name, position])) } };
    }
    case 'ContactAbsorbed':
      return { ...next, absorbed: [...known.absorbed, { contact_id: event.data.absorbed, merge_id: event.data.merge_id }] };
    case 'ContactUnmerged':
      return { ...next, unmerged: { [event.data.merge_id]: position, ...known.unmerged } };
    default:
      return next;
  }
}

/** A sealed patch with one sealed field for each value. */
function byName(event: ContactEvent): ContactEvent {
  if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return event;
  const personal: unknown = event.data.personal;
  if (!(personal instanceof SealedField)) return event;
  const values = Object.fromEntries(event.data.said.map((name) => [name, personal.at(name)]));
  return { ...event, data: { ...event.data, personal: values } } satisfies AnyEvent;
}

/** A contact with its events up to `until`. */
export type ContactHistory = Omit<LoadedContact, 'events'> & { readonly events: readonly LogEvent<ContactEvent>[] };

export const loadContactHistory = async (of: LoadedContact): Promise<ContactHistory> => ({ ...of, events: await of.events() });

/** Loads a contact by its id, as of `until` if given. */
export async function loadContact(log: EventLog, id: string, until?: ReadBound): Promise<LoadedContact> {
  const { state, runOf: _, ...loaded } = await loadAggregate(log, contactRecord, contactStream(id), { until });
  const { contact, ...past } = state;
  const now = loaded.account === null ? contact : withSpellings(log, loaded.account, contact);
  return { id, ...loaded, state: now, past, erased: now.status === 'erased' || (until !== undefined && (await isErased(log, id))) };
}

/** A contact of an account by its id, also a deleted, merged or erased one; null where the account has not had it by then. */
export async function findOwnContact(log: EventLog, account: string, id: string, until?: ReadBound): Promise<LoadedContact | null> {
  return ownOf(await loadContact(log, id, until), account, { includeDeleted: true });
}

/** A contact of a version before, whose facts do not have the keys of the other spellings of its numbers, with those where they can be read. */
function withSpellings(log: EventLog, account: string, contact: Contact): Contact {
  if (contact.status === 'new') return contact;
  const { facts } = contact;
  const keys: Record<string, Facts['keys'][string]> = {};
  for (const [name, known] of Object.entries(facts.keys)) {
    if (!known.value || addressOf(name) !== 'phone' || otherSpellingIn(facts, known.value) !== null) continue;
    const phone = ownField(facts.values, name)?.value;
    for (const value of typeof phone === 'string' ? log.otherSpellingKeys(account, phone) : [])
      setOwnField(keys, spellingName(known.value), { ...known, value });
  }
  return Object.keys(keys).length === 0 ? contact : { ...contact, facts: { ...facts, keys: { ...facts.keys, ...keys } } };
}

async function isErased(log: EventLog, id: string): Promise<boolean> {
  const { state } = await loadAggregate(log, contactRecord, contactStream(id), { sealed: true });
  return state.contact.status === 'erased';
}

/** The contact that answers for another one: itself, or the one at the end of its chain of merges. */
export const loadRoot = async (log: EventLog, contact: LoadedContact, until?: ReadBound): Promise<LoadedContact> =>
  (await loadPath(log, contact, until)).at(-1) as LoadedContact;

/** The chain of merges from a contact to its root, both included. */
export async function loadPath(log: EventLog, contact: LoadedContact, until?: ReadBound): Promise<LoadedContact[]> {
  const path = [contact];
  for (let { state } = contact; state.status === 'merged'; ) {
    const next = await loadContact(log, state.into, until);
    path.push(next);
    state = next.state;
  }
  return path;
}

/** A contact that was created, as it is in a tree. */
type Member = LoadedContact & { readonly state: ExistingContact };

/** A contact with all that is merged into it. */
export interface UnifiedContact {
  readonly tree: ContactNode<Member>;
  readonly root: ExistingContact;
  /** The root first, then its parts in the order in which they joined. */
  readonly members: readonly ExistingContact[];
  /** The facts of all members, unified. */
  readonly facts: Facts;
}

/** Loads all that is merged into `root`, as of `until` if given. Throws an Error for a contact that was not created. */
export async function unifyContact(log: EventLog, root: LoadedContact, until?: ReadBound): Promise<UnifiedContact> {
  if (!isMember(root)) throw new Error(`contact ${root.id} was not created`);
  const tree = await loadTree(log, root, until);
  return {
    tree,
    root: root.state,
    members: membersOf(tree).map(({ own }) => own.state),
    facts: unify(tree, ({ own }) => own.state.facts, unifyFacts),
  };
}

const isMember = (loaded: LoadedContact): loaded is Member => loaded.state.status !== 'new';

async function loadTree(log: EventLog, own: Member, until: ReadBound | undefined): Promise<ContactNode<Member>> {
  const links: ContactLink<Member>[] = [];
  for (const { contact_id, merge_id, at } of own.state.parts) {
    const part = await loadContact(log, contact_id, until);
    // A link counts only if the part has recorded it too.
    if (!isMember(part) || part.state.status !== 'merged' || part.state.merge_id !== merge_id) continue;
    links.push({ merge_id, at, contact: await loadTree(log, part, until) });
  }
  return { id: own.id, own, links };
}

/** Unifies what other streams hold of each member (consents, memberships), in the same order as the facts. */
export async function unifyOver<T, M>(
  { tree }: { readonly tree: ContactNode<M> },
  load: (member: { readonly id: string }) => Promise<T>,
  merge: (left: T, right: T, unifiedAt: string) => T,
): Promise<T> {
  const members = membersOf(tree);
  const loaded = await Promise.all(members.map(load));
  const byId = new Map(members.map(({ id }, i) => [id, loaded[i] as T]));
  return unify(tree, ({ id }) => byId.get(id) as T, merge);
}

/**
 * The number of events of a contact and its parts. It only grows: the events of a part that was released count up to its
 * release.
 */
export async function loadVersion(log: EventLog, { tree }: UnifiedContact, until?: ReadBound): Promise<number> {
  const past = new Map(await Promise.all(membersOf(tree).map(async ({ id, own }) => [id, await loadPastVersion(log, own, until)] as const)));
  return versionOf(tree, ({ id, own }) => own.past.count + (past.get(id) ?? 0));
}

/** The versions that released parts had when they were released. */
async function loadPastVersion(log: EventLog, { past }: LoadedContact, until: ReadBound | undefined): Promise<number> {
  let version = 0;
  for (const { contact_id, merge_id } of past.absorbed) {
    const part = await loadContact(log, contact_id, until);
    const position = ownField(part.past.unmerged, merge_id);
    if (position === undefined) continue;
    const moment = { position };
    version += await loadVersion(log, await unifyContact(log, await loadContact(log, contact_id, moment), moment), moment);
  }
  return version;
}

/** A contact that exists, found by any of its ids. */
export interface FoundContact {
  /** The contact with the given id. */
  readonly named: LoadedContact;
  /** The root of that contact. */
  readonly root: LoadedContact;
  readonly unified: UnifiedContact;
}

/**
 * Finds a contact of an account by id, as of `until` if given. Throws `not_found` if it does not exist, is deleted, or belongs
 * to another account, and `contact_erased` if it is erased now, whatever `until` is.
 */
export async function findContact(log: EventLog, account: string, id: string, until?: ReadBound): Promise<FoundContact> {
  const named = await findOwnContact(log, account, id, until);
  if (!named) throw notFound('contact', id);
  const root = await loadRoot(log, named, until);
  if (named.erased || root.erased) throw contactErased(id);
  if (root.state.status !== 'active') throw notFound('contact', id);
  return { named, root, unified: await unifyContact(log, root, until) };
}
