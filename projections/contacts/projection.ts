import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import {
  absorbLink,
  addLink,
  type ContactLink,
  changeOwn,
  descendantsOf,
  findNode,
  membersOf,
  replaceNode,
} from '../../domain/contacts/contact-tree.js';
import { CUSTOM_FIELD_PREFIX, customFieldName, type Facts, heldKeysOf } from '../../domain/contacts/facts.js';
import { spelledKey } from '../../domain/contacts/phone-spellings.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { SealedMembershipEvent } from '../../domain/lists/membership.js';
import { formOf } from '../../domain/segments/comparing.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { openedProjection } from '../runtime/opened.js';
import type { Projection, View } from '../runtime/projection.js';
import {
  applyMembership,
  applyPatchEvent,
  type ContactRecord,
  countEvent,
  createNode,
  membershipsOf,
  openFactsOf,
  type RecordNode,
  type RecordValue,
  releasePart,
} from './contact-record.js';
import { foundByOf } from './search.js';

/** A root contact with all that is merged into it. */
export interface ContactDoc extends Doc {
  readonly account: string;
  /** Time and id: the order of creation. */
  readonly sort: string;
  readonly tree: RecordNode;
  /** Keys of all its members. */
  readonly keys: readonly string[];
  /** Hashes of what the names and addresses of its members are found by. */
  readonly search: readonly string[];
  readonly tags: readonly string[];
  /** Of the open custom fields, see `fieldEntry`. */
  readonly fields: readonly string[];
  /** Lists that it is subscribed to. */
  readonly list_ids: readonly string[];
  /** A member has a number whose other spelling another contact may have. */
  readonly unclaimed?: true;
}

/** A merged contact. Its tree is part of its root's document, and is here only if there is no such document. */
interface PartDoc extends Doc {
  readonly into: string;
  readonly account: null;
  readonly tree: RecordNode | null;
}

type MembershipChange = Exclude<SealedMembershipEvent, { type: 'ConfirmationSent' }>;
type HandledEvent = SealedContactEvent | MembershipChange;
type ContactEnded = Extract<SealedContactEvent, { type: 'ContactDeleted' | 'ContactErased' }>['data'];

const CONTACTS = 'contacts';
/** Longer values of custom fields are not indexed. */
export const MAX_INDEXED_LENGTH = 256;
/** The first version whose documents have the entries of `fieldEntry`. */
export const COMPARED_SINCE = 10;

const ref = (id: string): DocumentRef => ({ collection: CONTACTS, id });
const isPart = (doc: ContactDoc | PartDoc): doc is PartDoc => 'into' in doc;
const docIn = (view: View, id: string) => view.get<ContactDoc | PartDoc>(CONTACTS, id);

const sealedContacts: Projection<HandledEvent> = {
  name: 'contacts',
  version: 10,
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
    'ListResubscribed',
    'ListCleaned',
  ],
  collections: {
    [CONTACTS]: {
      indexes: [
        ['account', 'sort'],
        ['account', 'unclaimed', 'sort'],
      ],
      multi: { fields: ['keys', 'search', 'tags', 'fields', 'list_ids'], scope: 'account', order: 'sort' },
    },
  },
  reads: ({ event }) => (event.type === 'ContactCreated' ? [{ ...ref(event.data.contact_id), fresh: true }] : namedBy(event).map(ref)),
  readsMore: ({ event }, view) => (event.type === 'ContactCreated' ? [] : [...waysUp(view, namedBy(event)), ...remainingParts(event, view)]),
  apply: (stored, view) => {
    const { event, meta, revision } = stored;
    if (event.type === 'ContactCreated') put(view, meta.account, createNode(event, revision, foundByOf({ ...stored, event })));
    else change({ ...stored, event }, view);
  },
};

/**
 * Contacts for lists and filters: one document per root, with the unified values of its parts. Personal values stay sealed; hashes of
 * their beginnings are stored, by which they are searched.
 */
export const contacts: Projection<HandledEvent> = openedProjection(sealedContacts, {
  types: ['ContactCreated', 'ContactUpdated'],
  collections: [CONTACTS],
  furtherSubjects: ({ tree }) => (tree ? membersOfAny(tree as RecordNode) : []),
});

/** The contacts in a tree, also those whose link is not effective yet. */
const membersOfAny = (tree: RecordNode): string[] => [tree, ...descendantsOf(tree)].map(({ id }) => id);

const namedBy = (event: HandledEvent): string[] =>
  event.type === 'ContactMerged' ? [event.data.contact_id, event.data.into] : [event.data.contact_id];

/** The documents between contacts and their roots, as far as they are loaded. */
function waysUp(view: View, ids: readonly string[]): DocumentRef[] {
  return ids.flatMap((id) => {
    const doc = view.isLoaded(CONTACTS, id) ? docIn(view, id) : undefined;
    return doc && isPart(doc) ? [ref(doc.into), ...waysUp(view, [doc.into])] : [];
  });
}

/** Parts that remain if the contact that they are merged into is deleted or erased. */
function remainingParts(event: HandledEvent, view: View): DocumentRef[] {
  if (event.type !== 'ContactDeleted' && event.type !== 'ContactErased') return [];
  const { contact_id } = event.data;
  const holder = view.isLoaded(CONTACTS, contact_id) ? holderIn(view, contact_id) : undefined;
  return holder ? linksOf(holder.tree, contact_id).map(({ contact }) => ref(contact.id)) : [];
}

type Holder = ContactDoc | (PartDoc & { readonly tree: RecordNode });

/** The document that holds the node of a contact. */
function holderIn(view: View, id: string): Holder | undefined {
  const doc = view.isLoaded(CONTACTS, id) ? docIn(view, id) : undefined;
  if (!doc || !isPart(doc)) return doc;
  return doc.tree ? (doc as Holder) : holderIn(view, doc.into);
}

function change(stored: LogEvent<Exclude<HandledEvent, { type: 'ContactCreated' }>>, view: View): void {
  const { event, meta } = stored;
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
      updateNode(view, event.data.contact_id, ownChange({ ...stored, event }));
  }
}

type OfOne = Exclude<HandledEvent, { type: 'ContactCreated' | 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;

function ownChange(stored: LogEvent<OfOne>): (node: RecordNode) => RecordNode {
  const { event, revision } = stored;
  switch (event.type) {
    case 'ContactUpdated':
      return changeOwn(applyPatchEvent(event, revision, foundByOf({ ...stored, event })));
    case 'ContactAbsorbed': {
      const { merge_id, at } = event.data;
      return (node) => absorbLink<ContactRecord>(merge_id, at)(changeOwn(countEvent(at))(node));
    }
    case 'ContactReleased':
      return changeOwn(countEvent(event.data.at));
    default:
      return changeOwn(applyMembership(event));
  }
}

/** Changes the node of one contact in the document that holds it. */
function updateNode(view: View, id: string, change: (node: RecordNode) => RecordNode): void {
  const holder = holderIn(view, id);
  if (!holder) return;
  const tree = replaceNode(holder.tree, id, change);
  if (isPart(holder)) view.put(CONTACTS, { ...holder, tree });
  else put(view, holder.account, tree);
}

function merge(view: View, { contact_id, into, merge_id, at }: { contact_id: string; into: string; merge_id: string; at: string }): void {
  const doc = docIn(view, contact_id);
  if (!doc || isPart(doc)) return;
  const node = changeOwn(countEvent(at))(doc.tree);
  const known = holderIn(view, into) !== undefined;
  updateNode(view, into, addLink({ merge_id, at: null, contact: node }));
  view.put(CONTACTS, partDoc(contact_id, into, known ? null : node));
}

function unmerge(view: View, { contact_id, merge_id, at }: { contact_id: string; merge_id: string; at: string }, account: string): void {
  const doc = docIn(view, contact_id);
  const holder = holderIn(view, contact_id);
  if (!doc || !isPart(doc) || !holder) return;
  const node = findNode(holder.tree, contact_id);
  if (!node) return;
  const released = changeOwn(countEvent(at))(node);
  if (holder !== doc) updateNode(view, doc.into, releasePart(merge_id, released));
  put(view, account, released);
}

/** Deleted or erased. What is still merged into it is stored apart, because it may be unmerged later. */
function end(view: View, { contact_id, at }: ContactEnded): void {
  const doc = docIn(view, contact_id);
  const holder = holderIn(view, contact_id);
  if (!doc) return;
  if (holder) for (const { contact } of linksOf(holder.tree, contact_id)) view.put(CONTACTS, partDoc(contact.id, contact_id, contact));
  if (holder && isPart(doc) && holder !== doc) {
    const link = linksBelow(holder.tree).find(({ contact }) => contact.id === contact_id);
    if (link) updateNode(view, doc.into, releasePart(link.merge_id, changeOwn(countEvent(at))({ ...link.contact, links: [] })));
  }
  view.remove(CONTACTS, contact_id);
}

type Links = readonly ContactLink<ContactRecord>[];
const linksBelow = (node: RecordNode): Links => [node, ...descendantsOf(node)].flatMap(({ links }) => links);
const linksOf = (node: RecordNode, id: string): Links => findNode(node, id)?.links ?? [];
const partDoc = (id: string, into: string, tree: RecordNode | null): PartDoc => ({ id, into, account: null, tree });

function put(view: View, account: string, tree: RecordNode): void {
  const facts = openFactsOf(tree);
  const doc: ContactDoc = {
    id: tree.id,
    account,
    sort: `${tree.own.created_at}/${tree.id}`,
    tree,
    keys: [...new Set(membersOf(tree).flatMap(({ own }) => heldKeysOf(own.facts).map(({ key }) => key)))],
    search: [...new Set(membersOf(tree).flatMap(({ own }) => Object.values(own.search).flat()))],
    tags: Object.keys(facts.tags).filter((tag) => ownField(facts.tags, tag)?.value),
    fields: indexedFields(facts),
    list_ids: Object.entries(membershipsOf(tree)).flatMap(([id, { value }]) => (value.status === 'subscribed' ? [id] : [])),
    ...(membersOf(tree).some(({ own }) => own.unclaimed && hasTwoSpellings(own.facts)) && { unclaimed: true as const }),
  };
  view.put(CONTACTS, doc);
}

/** Whether a number is held that has two spellings: one that is replaced or removed has no twin any more. */
const hasTwoSpellings = (facts: Facts): boolean => heldKeysOf(facts).some(({ name }) => spelledKey(name) !== null);

/**
 * The index entry of a custom field's value, as rules compare it: the spellings of a text have one. Null where it is too long, or where it
 * is no single value.
 */
export function fieldEntry(key: string, value: unknown): string | null {
  if (value === null || typeof value === 'object') return null;
  const form = formOf(String(value), { op: 'eq' });
  return form.length <= MAX_INDEXED_LENGTH ? `${key}~${form}` : null;
}

/** That of documents before `COMPARED_SINCE`. */
export const exactFieldEntry = (key: string, value: string): string => `${key}=${value}`;

/** Whether a contact has this value, as a text, in a custom field: in its letters, of which an index entry says less. */
export function hasFieldValue({ tree }: ContactDoc, key: string, value: string): boolean {
  const field = ownField(openFactsOf(tree).values, customFieldName(key))?.value as RecordValue | undefined;
  return field ? 'is' in field && [field.is].flat().some((one) => String(one) === value) : false;
}

function indexedFields({ values }: Facts): string[] {
  const entries = Object.entries(values).flatMap(([name, { value }]) => {
    const field = value as RecordValue;
    if (!name.startsWith(CUSTOM_FIELD_PREFIX) || !field || !('is' in field)) return [];
    const key = name.slice(CUSTOM_FIELD_PREFIX.length);
    return [field.is].flat().flatMap((one) => fieldEntry(key, one) ?? []);
  });
  return [...new Set(entries)];
}
