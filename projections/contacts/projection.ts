import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { CUSTOM_FIELD_PREFIX, type Facts } from '../../domain/contacts/facts.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { MembershipEvent } from '../../domain/lists/membership.js';
import type { LogEvent } from '../../log/log-event.js';
import type { Projection, View } from '../kernel.js';
import {
  absorbing,
  applyingPatch,
  below,
  changedIn,
  createNode,
  type Link,
  linking,
  membershipsOf,
  membersOf,
  onList,
  openFactsOf,
  type Person,
  releasing,
  type StoredValue,
  withEvent,
} from './contact-node.js';

/** A contact that answers for itself, with all that is merged into it. */
export interface ContactDoc extends Doc {
  readonly account: string;
  /** Time and id: contacts in the order in which they were made. */
  readonly sort: string;
  readonly person: Person;
  /** HMACs of everything that names it or is personal, of all its parts. */
  readonly keys: readonly string[];
  readonly tags: readonly string[];
  /** `<key>=<value>` of the custom fields that anybody may see. */
  readonly fields: readonly string[];
  /** Lists that it is subscribed to. */
  readonly list_ids: readonly string[];
}

/** One that is merged: what is said of it stands with the contact that answers for it. Kept here only where there is none. */
interface PartDoc extends Doc {
  readonly into: string;
  readonly account: null;
  readonly person: Person | null;
}

type MembershipChange = Exclude<MembershipEvent, { type: 'ConfirmationSent' }>;
type Handled = SealedContactEvent | MembershipChange;
type ContactEnded = Extract<SealedContactEvent, { type: 'ContactDeleted' | 'ContactErased' }>['data'];

const CONTACTS = 'contacts';
/** Longer values are not found by. */
const MAX_INDEXED_LENGTH = 256;

const ref = (id: string): DocumentRef => ({ collection: CONTACTS, id });
const isPart = (doc: ContactDoc | PartDoc): doc is PartDoc => 'into' in doc;
const docIn = (view: View, id: string) => view.get<ContactDoc | PartDoc>(CONTACTS, id);

/** Contacts as lists and filters find them: one document each, with what its parts say. Personal values stay sealed. */
export const contacts: Projection<Handled> = {
  name: 'contacts',
  version: 1,
  handles: [
    'ContactCreated',
    'ContactUpdated',
    'ContactMerged',
    'ContactAbsorbed',
    'ContactUnmerged',
    'ContactReleased',
    'ContactDeleted',
    'ContactErased',
    'SubscriptionRequested',
    'ListSubscribed',
    'ListUnsubscribed',
    'ListCleaned',
  ],
  collections: {
    [CONTACTS]: {
      indexes: [['account', 'sort']],
      multi: { fields: ['keys', 'tags', 'fields', 'list_ids'], scope: 'account', order: 'sort' },
    },
  },
  reads: ({ event }) => (event.type === 'ContactCreated' ? [{ ...ref(event.data.contact_id), fresh: true }] : namedBy(event).map(ref)),
  readsMore: ({ event }, view) => (event.type === 'ContactCreated' ? [] : [...waysUp(view, namedBy(event)), ...remainingParts(event, view)]),
  apply: (stored, view) => {
    const { event, meta, revision } = stored;
    if (event.type === 'ContactCreated') put(view, meta.account, createNode(event, revision));
    else change({ ...stored, event }, view);
  },
};

const namedBy = (event: Handled): string[] => (event.type === 'ContactMerged' ? [event.data.contact_id, event.data.into] : [event.data.contact_id]);

/** From each contact the next ones on the way to the one that answers for it, as far as they can be seen yet. */
function waysUp(view: View, ids: readonly string[]): DocumentRef[] {
  return ids.flatMap((id) => {
    const doc = view.isLoaded(CONTACTS, id) ? docIn(view, id) : undefined;
    return doc && isPart(doc) ? [ref(doc.into), ...waysUp(view, [doc.into])] : [];
  });
}

/** Parts that are there still when the contact that they are merged into goes. */
function remainingParts(event: Handled, view: View): DocumentRef[] {
  if (event.type !== 'ContactDeleted' && event.type !== 'ContactErased') return [];
  const { contact_id } = event.data;
  const holder = view.isLoaded(CONTACTS, contact_id) ? holderIn(view, contact_id) : undefined;
  return holder ? linksOf(holder.person, contact_id).map(({ person }) => ref(person.id)) : [];
}

type Holder = ContactDoc | (PartDoc & { readonly person: Person });

/** The document in which stands what is kept of a contact. */
function holderIn(view: View, id: string): Holder | undefined {
  const doc = view.isLoaded(CONTACTS, id) ? docIn(view, id) : undefined;
  if (!doc || !isPart(doc)) return doc;
  return doc.person ? (doc as Holder) : holderIn(view, doc.into);
}

function change({ event, revision, meta }: LogEvent<Exclude<Handled, { type: 'ContactCreated' }>>, view: View): void {
  switch (event.type) {
    case 'ContactMerged':
      merge(view, event.data);
      break;
    case 'ContactUnmerged':
      unmerge(view, event.data, meta.account);
      break;
    case 'ContactDeleted':
    case 'ContactErased':
      end(view, event.data);
      break;
    default:
      updateNode(view, event.data.contact_id, ownChange(event, revision));
  }
}

type OfOne = Exclude<Handled, { type: 'ContactCreated' | 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;

function ownChange(event: OfOne, revision: number): (person: Person) => Person {
  switch (event.type) {
    case 'ContactUpdated':
      return applyingPatch(event, revision);
    case 'ContactAbsorbed':
      return absorbing(event.data.merge_id, event.data.at);
    case 'ContactReleased':
      return (person) => withEvent(person, event.data.at);
    default:
      return onList(event);
  }
}

/** Changes what is kept of one contact, wherever that is. */
function updateNode(view: View, id: string, how: (person: Person) => Person): void {
  const holder = holderIn(view, id);
  if (!holder) return;
  const person = changedIn(holder.person, id, how);
  if (isPart(holder)) view.put(CONTACTS, { ...holder, person });
  else put(view, holder.account, person);
}

function merge(view: View, { contact_id, into, merge_id, at }: { contact_id: string; into: string; merge_id: string; at: string }): void {
  const doc = docIn(view, contact_id);
  if (!doc || isPart(doc)) return;
  const person = withEvent(doc.person, at);
  const known = holderIn(view, into) !== undefined;
  updateNode(view, into, linking({ merge_id, at: null, person }));
  view.put(CONTACTS, partDoc(contact_id, into, known ? null : person));
}

function unmerge(view: View, { contact_id, merge_id, at }: { contact_id: string; merge_id: string; at: string }, account: string): void {
  const doc = docIn(view, contact_id);
  const holder = holderIn(view, contact_id);
  if (!doc || !isPart(doc) || !holder) return;
  const person = personIn(holder.person, contact_id);
  if (!person) return;
  const left = withEvent(person, at);
  if (holder !== doc) updateNode(view, doc.into, releasing(merge_id, left));
  put(view, account, left);
}

/** Deleted or erased. What is merged into it still is kept aside, for the day on which it is taken apart. */
function end(view: View, { contact_id, at }: ContactEnded): void {
  const doc = docIn(view, contact_id);
  const holder = holderIn(view, contact_id);
  if (!doc) return;
  if (holder) for (const { person } of linksOf(holder.person, contact_id)) view.put(CONTACTS, partDoc(person.id, contact_id, person));
  if (holder && isPart(doc) && holder !== doc) {
    const link = linksBelow(holder.person).find(({ person }) => person.id === contact_id);
    if (link) updateNode(view, doc.into, releasing(link.merge_id, withEvent({ ...link.person, links: [] }, at)));
  }
  view.remove(CONTACTS, contact_id);
}

const linksBelow = ({ links }: Person): Link[] => links.flatMap((link) => [link, ...linksBelow(link.person)]);
const personIn = (person: Person, id: string): Person | undefined => [person, ...below(person)].find((one) => one.id === id);
const linksOf = (person: Person, id: string): readonly Link[] => personIn(person, id)?.links ?? [];
const partDoc = (id: string, into: string, person: Person | null): PartDoc => ({ id, into, account: null, person });

function put(view: View, account: string, person: Person): void {
  const facts = openFactsOf(person);
  const doc: ContactDoc = {
    id: person.id,
    account,
    sort: `${person.created_at}/${person.id}`,
    person,
    keys: [...new Set(membersOf(person).flatMap((member) => Object.values(member.facts.keys).flatMap(({ value }) => value ?? [])))],
    tags: Object.keys(facts.tags).filter((tag) => facts.tags[tag]?.value),
    fields: indexedFields(facts),
    list_ids: Object.entries(membershipsOf(person)).flatMap(([id, { value }]) => (value.status === 'subscribed' ? [id] : [])),
  };
  view.put(CONTACTS, doc);
}

/** What a value of a custom field is found by. */
export const fieldEntry = (key: string, value: unknown): string => `${key}=${String(value)}`;

function indexedFields({ values }: Facts): string[] {
  return Object.entries(values).flatMap(([name, { value }]) => {
    const kept = value as StoredValue;
    if (!name.startsWith(CUSTOM_FIELD_PREFIX) || !kept || !('is' in kept)) return [];
    const entries = [kept.is].flat().filter((one) => one !== null && typeof one !== 'object');
    return entries.filter((one) => String(one).length <= MAX_INDEXED_LENGTH).map((one) => fieldEntry(name.slice(CUSTOM_FIELD_PREFIX.length), one));
  });
}
