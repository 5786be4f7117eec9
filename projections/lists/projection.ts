import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { addLink, type ContactNode, changeOwn, descendantsOf, replaceNode, unify, withoutLink } from '../../domain/contacts/contact-tree.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { StoredText } from '../../domain/kernel/stored-text.js';
import type { ListEvent, OptIn } from '../../domain/lists/list.js';
import {
  evolve,
  type MembershipStatus,
  type Memberships,
  membershipStatuses,
  noMemberships,
  type SealedMembershipEvent,
  unifyMemberships,
} from '../../domain/lists/membership.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';

export type Counts = Readonly<Record<MembershipStatus, number>>;

/** A list with its number of contacts, by status. */
export interface ListDoc extends Doc {
  readonly account: string;
  readonly name: string;
  readonly description: string | null;
  readonly opt_in: OptIn;
  readonly counts: Counts;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  readonly deleted: boolean;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

/** The membership of one root contact in one list. */
export interface MemberDoc extends Doc {
  readonly list_id: string;
  readonly contact_id: string;
  readonly status: MembershipStatus;
  readonly source: StoredText;
  readonly since: string;
  readonly sort: string;
}

/** A contact that ever had a membership of a list: where to look for the members at another time. */
export interface TraceDoc extends Doc {
  readonly list_id: string;
  readonly contact_id: string;
  readonly sort: string;
}

type ContactSaid = Extract<SealedContactEvent, { type: 'ContactMerged' | 'ContactUnmerged' | 'ContactDeleted' | 'ContactErased' }>;
type HandledEvent = ListEvent | SealedMembershipEvent | ContactSaid;

const LISTS = 'lists';
const MEMBERS = 'members';
const CONTACTS = 'contacts';
const TRACES = 'traces';

const ref =
  (collection: string) =>
  (id: string): DocumentRef => ({ collection, id });
const memberId = (listId: string, contactId: string): string => `${listId}/${contactId}`;
const noCounts = Object.fromEntries(membershipStatuses.map((status) => [status, 0])) as Counts;

/** Lists, their members and counts. Merged contacts count as one; unmerged ones count as two again. */
export const lists: Projection<HandledEvent> = {
  name: 'lists',
  version: 4,
  handles: [
    'ListCreated',
    'ListChanged',
    'ListDeleted',
    'SubscriptionRequested',
    'ListSubscribed',
    'ListUnsubscribed',
    'ListResubscribed',
    'ListCleaned',
    'ContactMerged',
    'ContactUnmerged',
    'ContactDeleted',
    'ContactErased',
  ],
  collections: {
    [LISTS]: { indexes: [['account', 'deleted', 'sort']] },
    [MEMBERS]: {
      indexes: [
        ['list_id', 'sort'],
        ['list_id', 'status', 'sort'],
      ],
    },
    [CONTACTS]: { indexes: [] },
    [TRACES]: { indexes: [['list_id', 'sort']] },
  },
  reads: ({ event }) => {
    if (isOfList(event)) return [ref(LISTS)(event.data.list_id)];
    const others = event.type === 'ContactMerged' ? [event.data.into] : [];
    const traces = 'list_id' in event.data ? [memberId(event.data.list_id, event.data.contact_id)] : [];
    return [...[event.data.contact_id, ...others].map(ref(CONTACTS)), ...traces.map(ref(TRACES))];
  },
  readsMore: (stored, view) => (isOfList(stored.event) ? [] : touched(stored as LogEvent<Exclude<HandledEvent, ListEvent>>, view)),
  apply: (stored, view) => {
    const { event, meta } = stored;
    if (isOfList(event)) changeList(event, meta.account, view);
    else changeContacts(event, meta.account, view);
  },
};

const isOfList = (event: HandledEvent): event is ListEvent =>
  event.type === 'ListCreated' || event.type === 'ListChanged' || event.type === 'ListDeleted';

function changeList(event: ListEvent, account: string, view: View): void {
  const { list_id: id, at } = event.data;
  if (event.type === 'ListCreated') {
    const { name, description, opt_in } = event.data;
    view.put(LISTS, {
      id,
      account,
      name,
      description,
      opt_in,
      counts: noCounts,
      created_at: at,
      updated_at: at,
      version: 1,
      deleted: false,
      sort: `${at}/${id}`,
    });
    return;
  }
  const doc = view.get<ListDoc>(LISTS, id);
  if (!doc) return;
  const next = { ...doc, updated_at: at, version: doc.version + 1 };
  if (event.type === 'ListDeleted') view.put(LISTS, { ...next, deleted: true });
  else {
    const { name = doc.name, description = doc.description, opt_in = doc.opt_in } = event.data;
    view.put(LISTS, { ...next, name, description, opt_in });
  }
}

// Contacts

type OfContact = Exclude<HandledEvent, ListEvent>;

const contactIn = (view: View, id: string, account: string): ListContactDoc => view.get<ListContactDoc>(CONTACTS, id) ?? newListContact(id, account);
const rootIdOf = ({ id, path }: ListContactDoc): string => path.at(-1) ?? id;

/** Everything that an event can change, by the documents of the contacts that it names. */
function touched({ event, meta }: LogEvent<OfContact>, view: View): DocumentRef[] {
  const contact = contactIn(view, event.data.contact_id, meta.account);
  const into = event.type === 'ContactMerged' ? contactIn(view, event.data.into, meta.account) : null;
  const contacts = [...contact.path, ...(into?.path ?? []), ...partIdsOf(contact.tree)];
  const roots = new Set([contact.id, rootIdOf(contact), ...(into ? [rootIdOf(into)] : [])]);
  const concerned = 'list_id' in event.data ? [event.data.list_id] : listIdsOf(contact.tree);
  const members = concerned.flatMap((list) => [...roots].map((root) => memberId(list, root)));
  return [...contacts.map(ref(CONTACTS)), ...members.map(ref(MEMBERS)), ...concerned.map(ref(LISTS))];
}

function changeContacts(event: OfContact, account: string, view: View): void {
  const contact = contactIn(view, event.data.contact_id, account);
  switch (event.type) {
    case 'ContactMerged':
      merge(event.data, contact, contactIn(view, event.data.into, account), view);
      break;
    case 'ContactUnmerged':
      unmerge(event.data, contact, view);
      break;
    case 'ContactDeleted':
    case 'ContactErased':
      view.put(CONTACTS, { ...contact, gone: true });
      updateMembers(view, rootIdOf(contact), account, listIdsOf(contact.tree));
      break;
    default:
      put(
        view,
        contact,
        account,
        changeOwn((own) => evolve(own, event)),
      );
      trace(event, view);
      updateMembers(view, rootIdOf(contact), account, [event.data.list_id]);
  }
}

function trace({ data: { list_id, contact_id, at } }: SealedMembershipEvent, view: View): void {
  const id = memberId(list_id, contact_id);
  if (view.get(TRACES, id)) return;
  const doc: TraceDoc = { id, list_id, contact_id, sort: `${at}/${contact_id}` };
  view.put(TRACES, doc);
}

/** Changes a contact's node in its own document and in those of all contacts it is part of. */
function put(view: View, { id, path }: ListContactDoc, account: string, change: (tree: MembershipNode) => MembershipNode): void {
  for (const holder of [id, ...path]) {
    const doc = contactIn(view, holder, account);
    view.put(CONTACTS, { ...doc, tree: replaceNode(doc.tree, id, change) });
  }
}

function merge({ merge_id, at }: { merge_id: string; at: string }, contact: ListContactDoc, into: ListContactDoc, view: View): void {
  const { account } = contact;
  const path = [into.id, ...into.path];
  put(view, into, account, addLink({ merge_id, at, contact: contact.tree }));
  view.put(CONTACTS, { ...contact, path });
  for (const id of partIdsOf(contact.tree)) {
    const doc = contactIn(view, id, account);
    view.put(CONTACTS, { ...doc, path: [...doc.path, ...path] });
  }
  const concerned = listIdsOf(contact.tree);
  updateMembers(view, contact.id, account, concerned);
  updateMembers(view, rootIdOf(into), account, concerned);
}

function unmerge({ merge_id }: { merge_id: string }, contact: ListContactDoc, view: View): void {
  const { account, path } = contact;
  const [from] = path;
  if (from === undefined) return;
  put(view, contactIn(view, from, account), account, withoutLink(merge_id));
  view.put(CONTACTS, { ...contact, path: [] });
  for (const id of partIdsOf(contact.tree)) {
    const doc = contactIn(view, id, account);
    view.put(CONTACTS, { ...doc, path: doc.path.slice(0, doc.path.length - path.length) });
  }
  const concerned = listIdsOf(contact.tree);
  updateMembers(view, contact.id, account, concerned);
  updateMembers(view, path.at(-1) as string, account, concerned);
}

/** Updates the members and counts of these lists to the present memberships of a contact. */
function updateMembers(view: View, contactId: string, account: string, concerned: readonly string[]): void {
  const { tree, path, gone } = contactIn(view, contactId, account);
  const unified = gone || path.length > 0 ? {} : unifiedMemberships(tree);
  for (const list_id of concerned) {
    const id = memberId(list_id, contactId);
    const before = view.get<MemberDoc>(MEMBERS, id);
    const now = ownField(unified, list_id);
    if (now) {
      const { status, source } = now.value;
      const member: MemberDoc = { id, list_id, contact_id: contactId, status, source, since: now.at, sort: `${now.at}/${contactId}` };
      view.put(MEMBERS, member);
    } else if (before) view.remove(MEMBERS, id);
    count(view, list_id, before?.status, now?.value.status);
  }
}

function count(view: View, listId: string, before: MembershipStatus | undefined, now: MembershipStatus | undefined): void {
  const doc = view.get<ListDoc>(LISTS, listId);
  if (!doc || before === now) return;
  const counts = { ...doc.counts };
  if (before) counts[before] -= 1;
  if (now) counts[now] += 1;
  view.put(LISTS, { ...doc, counts });
}

type MembershipNode = ContactNode<Memberships>;

/**
 * One contact with its memberships. Each document holds the contact's whole tree and the path to its root, so that the
 * documents of two contacts name everything that a merge or an unmerge changes.
 */
interface ListContactDoc extends Doc {
  readonly account: string;
  /** The contact that it is merged into, the one that is merged into, and so on to the root; empty for a root. */
  readonly path: readonly string[];
  readonly tree: MembershipNode;
  /** Deleted or erased. */
  readonly gone: boolean;
}

const newListContact = (id: string, account: string): ListContactDoc => ({
  id,
  account,
  path: [],
  tree: { id, own: noMemberships, links: [] },
  gone: false,
});

/** The unified memberships of a tree. */
const unifiedMemberships = (tree: MembershipNode): Memberships => unify(tree, ({ own }) => own, unifyMemberships);

/** The ids of all lists that any contact of a tree has a membership of. */
const listIdsOf = (tree: MembershipNode): string[] => [...new Set([tree, ...descendantsOf(tree)].flatMap(({ own }) => Object.keys(own)))];

const partIdsOf = (tree: MembershipNode): string[] => descendantsOf(tree).map(({ id }) => id);
