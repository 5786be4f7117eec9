/** How events of contacts change the documents of those whose memberships are kept. */
import { type Consents, evolve as evolveConsents, type SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import {
  absorbLink,
  addLink,
  type ContactNode,
  changeOwn,
  descendantsOf,
  findNode,
  removeLink,
  replaceNode,
} from '../../domain/contacts/contact-tree.js';
import type { SealedCustomEvent } from '../../domain/events/custom-event.js';
import { evolve as evolveMemberships, type Memberships, type SealedMembershipEvent } from '../../domain/lists/membership.js';
import type { Catalogue } from '../../domain/segments/live/catalogue.js';
import { type Asked, changeConsents, changeFacts, changeList, decidedOf, type InputChange, keepEvent } from '../../domain/segments/live/changes.js';
import { eventSource } from '../../domain/segments/live/history-leaves.js';
import { noInputs, type OwnInputs } from '../../domain/segments/live/inputs.js';
import { applyTo, type FlipCause, type Touched } from '../../domain/segments/live/membership.js';
import type { LogEvent } from '../../log/log-event.js';
import { openedFieldsOf } from '../../log/opened-fields.js';
import { contactsIn, type LiveTodo, liveOf, liveTodoId, newLiveTodo, toPending, withLive } from './live-todo.js';

type MembershipChange = Exclude<SealedMembershipEvent, { type: 'ConfirmationSent' }>;
export type ContactInput = SealedContactEvent | SealedCustomEvent | MembershipChange | SealedConsentEvent;
type PatchEvent = Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

/** The documents that an event changes. */
export interface LiveDocs {
  isLoaded(id: string): boolean;
  todo(id: string): LiveTodo | undefined;
}

type Node = ContactNode<OwnInputs>;

/** Contacts whose documents an event names. */
export const contactsOf = ({ data, type }: ContactInput): string[] => (type === 'ContactMerged' ? [data.contact_id, data.into] : [data.contact_id]);

/** Documents that are found by others: of the contacts that hold a node, and of those below it. */
export function furtherContacts(event: ContactInput, docs: LiveDocs): string[] {
  const loaded = (contact: string) => (docs.isLoaded(liveTodoId(contact)) ? docs.todo(liveTodoId(contact)) : undefined);
  return contactsOf(event).flatMap((contact) => {
    const own = loaded(contact);
    if (!own) return [];
    const holder = own.holder === null ? own : loaded(own.holder);
    if (!holder) return own.holder === null ? [] : [own.holder];
    const isMoved = event.type !== 'CustomEventRecorded' && movesNodes.has(event.type);
    const node = holder.node && isMoved ? findNode(holder.node, contact) : undefined;
    return [holder.contact, ...(node ? descendantsOf(node).map(({ id }) => id) : [])];
  });
}

const movesNodes: ReadonlySet<string> = new Set(['ContactMerged', 'ContactUnmerged', 'ContactDeleted', 'ContactErased']);

/** The changed documents. */
export function applyContactEvent(stored: LogEvent<ContactInput>, docs: LiveDocs, catalogue: Catalogue): LiveTodo[] {
  const { event } = stored;
  const change = new ContactChange(stored, docs, catalogue);
  switch (event.type) {
    case 'ContactCreated':
      return change.create(event);
    case 'ContactMerged':
      return change.merge(event.data);
    case 'ContactUnmerged':
      return change.unmerge(event.data.contact_id, event.data.merge_id);
    case 'ContactAbsorbed':
      return change.node(event.data.contact_id, absorbLink(event.data.merge_id, event.data.at), { cause: 'merge', all: true });
    case 'ContactReleased':
      return [];
    case 'ContactDeleted':
    case 'ContactErased':
      return change.end(event.data.contact_id);
    default:
      return change.inputs(event);
  }
}

class ContactChange {
  readonly #at: number;
  readonly #changed = new Map<string, LiveTodo>();

  constructor(
    private readonly stored: LogEvent<ContactInput>,
    private readonly docs: LiveDocs,
    private readonly catalogue: Catalogue,
  ) {
    this.#at = Date.parse(stored.event.data.at);
  }

  create(event: Extract<PatchEvent, { type: 'ContactCreated' }>): LiveTodo[] {
    const { contact_id, at, source } = event.data;
    const { own } = changeFacts(this.catalogue, noInputs(at, source), event.data, this.#asked(event), at);
    const doc = newLiveTodo(contact_id, this.stored.meta.account, { id: contact_id, own, links: [] });
    this.#apply({ ...doc, node: null }, doc.node, { cause: 'attribute', all: true });
    return this.#all();
  }

  inputs(event: Exclude<ContactInput, SealedContactEvent> | Extract<PatchEvent, { type: 'ContactUpdated' }>): LiveTodo[] {
    const { contact_id } = event.data;
    const holder = this.#holderOf(contact_id);
    const node = holder?.node && findNode(holder.node, contact_id);
    if (!holder?.node || !node) return [];
    const { own, inputs, fields } = this.#changeOf(node.own, event);
    if (own === node.own) return [];
    const cause: FlipCause = event.type === 'CustomEventRecorded' ? 'event' : 'attribute';
    this.#apply(
      holder,
      replaceNode(
        holder.node,
        contact_id,
        changeOwn(() => own),
      ),
      { cause, inputs, fields },
    );
    return this.#all();
  }

  node(contact: string, change: (node: Node) => Node, touched: Touched): LiveTodo[] {
    const holder = this.#holderOf(contact);
    if (holder?.node) this.#apply(holder, replaceNode(holder.node, contact, change), touched);
    return this.#all();
  }

  /** A contact that is merged already stays where it is. */
  merge({ contact_id, into, merge_id }: { contact_id: string; into: string; merge_id: string }): LiveTodo[] {
    const doc = this.#doc(contact_id);
    const { node } = doc ?? {};
    if (!doc || !node || doc.into !== null) return [];
    const holder = this.#holderOf(into);
    this.#apply({ ...doc, into, holder: holder ? holder.contact : null }, holder ? null : node, { cause: 'merge' });
    if (!holder?.node) return this.#all();
    for (const { id } of descendantsOf(node)) this.#move(id, holder.contact);
    this.#apply(holder, replaceNode(holder.node, into, addLink({ merge_id, at: null, contact: node })), { cause: 'merge', inputs: [] });
    return this.#all();
  }

  unmerge(contact: string, mergeId: string): LiveTodo[] {
    const doc = this.#doc(contact);
    const holder = this.#holderOf(contact);
    const node = holder?.node && findNode(holder.node, contact);
    if (!doc || !holder?.node || !node || doc.into === null) return [];
    if (holder.contact !== contact) this.#apply(holder, replaceNode(holder.node, doc.into, removeLink(mergeId)), { cause: 'merge', all: true });
    for (const { id } of descendantsOf(node)) this.#move(id, contact);
    this.#apply({ ...doc, into: null, holder: null, node: null }, node, { cause: 'merge', all: true });
    return this.#all();
  }

  /** Deleted or erased. What is merged into it is kept apart, because it may be unmerged later. */
  end(contact: string): LiveTodo[] {
    const doc = this.#doc(contact);
    const holder = this.#holderOf(contact);
    const node = holder?.node && findNode(holder.node, contact);
    if (!doc || doc.gone) return [];
    for (const { contact: part } of node?.links ?? []) {
      const own = this.#doc(part.id);
      if (own) this.#changed.set(own.id, { ...own, node: part, holder: null });
      for (const { id } of descendantsOf(part)) this.#move(id, part.id);
    }
    if (holder?.node && holder.contact !== contact) this.#apply(holder, withoutPart(holder.node, contact), { cause: 'attribute', all: true });
    this.#apply({ ...doc, gone: true, holder: null }, null, { cause: 'attribute' });
    return this.#all();
  }

  /** Applies the event to the memberships of a document, whose node it replaces. */
  #apply(doc: LiveTodo, node: Node | null, touched: Touched): void {
    const { stored, catalogue } = this;
    const active = doc.into === null && !doc.gone ? node : null;
    // What was true is told by the node that the document had.
    const before = this.#doc(doc.contact) ?? doc;
    const live = { ...liveOf(before), tree: before.node && before.into === null ? before.node : null };
    const { contact, flips } = applyTo(catalogue, live, this.#at, active, touched);
    this.#changed.set(doc.id, withLive({ ...doc, node }, catalogue, contact, [...doc.pending, ...toPending(flips, stored.id)]));
  }

  #changeOf(own: OwnInputs, event: Exclude<ContactInput, SealedContactEvent> | Extract<PatchEvent, { type: 'ContactUpdated' }>): InputChange {
    const { catalogue } = this;
    switch (event.type) {
      case 'ContactUpdated':
        return changeFacts(catalogue, own, event.data, this.#asked(event), event.data.at);
      case 'CustomEventRecorded': {
        const at = Date.parse(event.data.occurred_at);
        return keepEvent(catalogue, own, { source: eventSource(event.data.name), at, properties: propertiesOf(this.stored) }, this.#at);
      }
      case 'ConsentGranted':
      case 'ConsentWithdrawn':
      case 'ConsentRequested':
        return changeConsents(own, compactConsents(own.consents, evolveConsents(own.consents as Consents, event)));
      default: {
        const { list_id } = event.data;
        const changed = evolveMemberships(own.lists as Memberships, event)[list_id];
        return changed ? changeList(own, list_id, { value: { status: changed.value.status, by: changed.value.by }, at: changed.at }) : unchanged(own);
      }
    }
  }

  /** Events without personal values need none opened. */
  #asked(event: PatchEvent): Asked {
    return event.data.said.length > 0 ? personalOf(this.stored) : NOTHING;
  }

  #move(contact: string, holder: string): void {
    const doc = this.#doc(contact);
    if (doc) this.#changed.set(doc.id, { ...doc, holder });
  }

  #doc(contact: string): LiveTodo | undefined {
    const id = liveTodoId(contact);
    return this.#changed.get(id) ?? (this.docs.isLoaded(id) ? this.docs.todo(id) : undefined);
  }

  #holderOf(contact: string): LiveTodo | undefined {
    const doc = this.#doc(contact);
    return doc && doc.holder !== null ? this.#doc(doc.holder) : doc;
  }

  #all(): LiveTodo[] {
    return [...this.#changed.values()];
  }
}

const unchanged = (own: OwnInputs): InputChange => ({ own, inputs: [], fields: [] });
const NOTHING: Asked = { decide: () => false, number: () => null };

/** The node without the part of an id, and all below it. */
const withoutPart = (node: Node, id: string): Node => ({
  ...node,
  links: node.links.flatMap((link) => (link.contact.id === id ? [] : [{ ...link, contact: withoutPart(link.contact, id) }])),
});

function compactConsents(before: OwnInputs['consents'], after: Consents): OwnInputs['consents'] {
  const compact: Record<string, OwnInputs['consents'][string]> = {};
  for (const [key, { value, at }] of Object.entries(after)) {
    const known = before[key];
    compact[key] = known && (known.value as unknown) === value ? known : { value: { status: value.status }, at };
  }
  return compact;
}

/** The personal values of a contact's event, by name. */
function personalOf(stored: LogEvent<ContactInput>): Asked {
  const fields = openedFieldsOf(stored);
  return {
    decide: (meets) => fields.decide(({ personal }) => meets(personal as Readonly<Record<string, unknown>>)),
    number: (numberIn) => fields.number(({ personal }) => numberIn(personal as Readonly<Record<string, unknown>>)),
  };
}

function propertiesOf(stored: LogEvent<ContactInput>): Asked {
  const fields = openedFieldsOf(stored);
  return {
    decide: (meets) => fields.decide(({ properties }) => meets(properties as Readonly<Record<string, unknown>>)),
    number: (numberIn) => fields.number(({ properties }) => numberIn(properties as Readonly<Record<string, unknown>>)),
  };
}

/** Applies an earlier event once more, for what is being built alone: its memberships stay as they are. */
export function applyAgain(stored: LogEvent<ContactInput>, docs: LiveDocs, catalogue: Catalogue, histories: ReadonlySet<string>): LiveTodo[] {
  const { event } = stored;
  const id = liveTodoId(event.data.contact_id);
  const doc = docs.todo(id);
  const holder = doc && doc.holder !== null ? docs.todo(liveTodoId(doc.holder)) : doc;
  const node = holder?.node && findNode(holder.node, event.data.contact_id);
  if (!holder?.node || !node) return [];
  const own = ownAgain(stored, node.own, catalogue, { histories, now: holder.now });
  if (own === node.own) return [];
  const changed = replaceNode(
    holder.node,
    node.id,
    changeOwn(() => own),
  );
  return [{ ...holder, node: changed }];
}

function ownAgain(
  stored: LogEvent<ContactInput>,
  own: OwnInputs,
  catalogue: Catalogue,
  { histories, now }: { readonly histories: ReadonlySet<string>; readonly now: number },
): OwnInputs {
  const { event } = stored;
  if (event.type === 'CustomEventRecorded') {
    const happening = { source: eventSource(event.data.name), at: Date.parse(event.data.occurred_at), properties: propertiesOf(stored) };
    return keepEvent(catalogue, own, happening, now, histories).own;
  }
  if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return own;
  const { said, at } = event.data;
  // Only the values that the contact still has.
  const names = said.filter((name) => own.facts.values[name]?.at === at && own.facts.values[name]?.value !== null && catalogue.fields.has(name));
  if (names.length === 0) return own;
  const decided = names.map((name) => [name, { at, value: decidedOf(catalogue, name, personalOf(stored)) }] as const);
  return { ...own, facts: { ...own.facts, values: { ...own.facts.values, ...Object.fromEntries(decided) } } };
}

/** The contacts on whose personal fields a document depends. */
export const subjectsOf = (todo: LiveTodo): string[] => contactsIn(todo);
