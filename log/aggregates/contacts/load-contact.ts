import { type Contact, type ContactEvent, contact, contactStream } from '../../../domain/contacts/contact.js';
import { type Facts, otherSpellingIn } from '../../../domain/contacts/facts.js';
import { addressOf } from '../../../domain/contacts/other-addresses.js';
import { spellingName } from '../../../domain/contacts/phone-spellings.js';
import type { EventInLog, SnapshotFold } from '../../../domain/kernel/decider.js';
import type { AnyEvent } from '../../../domain/kernel/event.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { Position } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { LogEvent } from '../../runtime/log-event.js';
import { SealedField } from '../../vault/sealed-field.js';
import { loadAggregate, ownOf } from '../load-aggregate.js';
import type { ReadBound } from '../loaded-aggregate.js';

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
