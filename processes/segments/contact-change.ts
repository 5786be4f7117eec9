/** The documents of contacts as one event changes them. */
import { addLink, type ContactNode, changeOwn, descendantsOf, findNode, replaceNode, withoutLink } from '../../domain/contacts/contact-tree.js';
import { quietCauseOf } from '../../domain/contacts/quiet-cause.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import type { InputChange } from '../../domain/segments/live/changes.js';
import type { OwnInputs } from '../../domain/segments/live/inputs.js';
import { applyTo, type FlipCause, type TouchedInputs } from '../../domain/segments/live/membership.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { FindNote } from './catalogs.js';
import { type LiveTodo, liveOf, liveTodoId, newLiveTodo, toPending, withLive } from './live-todo.js';

/** What an event reads. */
export interface LiveDocs {
  isLoaded(id: string): boolean;
  todo(id: string): LiveTodo | undefined;
  readonly note: FindNote;
}

/** When an event was recorded, in milliseconds since 1970. The `at` of what a carrier reports is the carrier's. */
export function recordedMs({ event, meta }: LogEvent): number {
  const { received_at, at } = event.data as { readonly received_at?: string; readonly at?: string };
  return Date.parse(received_at ?? at ?? meta.occurredAt);
}

type Node = ContactNode<OwnInputs>;

/** Contacts whose documents are found by those of others: of those that hold a node, and where it moves of those below it. */
export function foundBy(contacts: readonly string[], docs: Pick<LiveDocs, 'isLoaded' | 'todo'>, moves: boolean): string[] {
  const loaded = (contact: string) => (docs.isLoaded(liveTodoId(contact)) ? docs.todo(liveTodoId(contact)) : undefined);
  return contacts.flatMap((contact) => {
    const own = loaded(contact);
    if (!own) return [];
    const holder = own.holder === null ? own : loaded(own.holder);
    if (!holder) return own.holder === null ? [] : [own.holder];
    const node = holder.node && moves ? findNode(holder.node, contact) : undefined;
    return [holder.contact, ...(node ? descendantsOf(node).map(({ id }) => id) : [])];
  });
}

/** The documents that one event changes, each found by its contact. */
export class SegmentContactChange {
  readonly #at: number;
  readonly #changed = new Map<string, LiveTodo>();

  constructor(
    private readonly stored: LogEvent,
    private readonly docs: LiveDocs,
    private readonly catalog: SegmentCatalog,
  ) {
    this.#at = recordedMs(stored);
  }

  create(contact: string, own: OwnInputs): LiveTodo[] {
    const doc = newLiveTodo(contact, this.stored.meta.account, { id: contact, own, links: [] });
    this.#apply({ ...doc, node: null }, doc.node, { cause: 'attribute', all: true });
    return this.all();
  }

  inputs(contact: string, cause: FlipCause, changeOf: (own: OwnInputs) => InputChange): LiveTodo[] {
    const holder = this.#holderOf(contact);
    const node = holder?.node && findNode(holder.node, contact);
    if (!holder?.node || !node) return this.all();
    const { own, inputs, fields } = changeOf(node.own);
    if (own === node.own) return this.all();
    const changed = replaceNode(
      holder.node,
      contact,
      changeOwn(() => own),
    );
    this.#apply(holder, changed, { cause, inputs, fields });
    return this.all();
  }

  /** What is being built: memberships stay as they are. `now` is that of the document. */
  again(contact: string, ownOf: (own: OwnInputs, now: number) => OwnInputs): LiveTodo[] {
    const holder = this.#holderOf(contact);
    const node = holder?.node && findNode(holder.node, contact);
    if (!holder?.node || !node) return this.all();
    const own = ownOf(node.own, holder.now);
    if (own === node.own) return this.all();
    const changed = replaceNode(
      holder.node,
      contact,
      changeOwn(() => own),
    );
    this.#changed.set(holder.id, { ...holder, node: changed });
    return this.all();
  }

  node(contact: string, change: (node: Node) => Node, touched: TouchedInputs): LiveTodo[] {
    const holder = this.#holderOf(contact);
    if (holder?.node) this.#apply(holder, replaceNode(holder.node, contact, change), touched);
    return this.all();
  }

  /** A contact that is merged already stays where it is. */
  merge({ contact_id, into, merge_id }: { contact_id: string; into: string; merge_id: string }): LiveTodo[] {
    const doc = this.#doc(contact_id);
    const { node } = doc ?? {};
    if (!doc || !node || doc.into !== null) return [];
    const holder = this.#holderOf(into);
    this.#apply({ ...doc, into, holder: holder ? holder.contact : null }, holder ? null : node, { cause: 'merge' });
    if (!holder?.node) return this.all();
    for (const { id } of descendantsOf(node)) this.#move(id, holder.contact);
    this.#apply(holder, replaceNode(holder.node, into, addLink({ merge_id, at: null, contact: node })), { cause: 'merge', inputs: [] });
    return this.all();
  }

  unmerge(contact: string, mergeId: string): LiveTodo[] {
    const doc = this.#doc(contact);
    const holder = this.#holderOf(contact);
    const node = holder?.node && findNode(holder.node, contact);
    if (!doc || !holder?.node || !node || doc.into === null) return [];
    if (holder.contact !== contact) this.#apply(holder, replaceNode(holder.node, doc.into, withoutLink(mergeId)), { cause: 'merge', all: true });
    for (const { id } of descendantsOf(node)) this.#move(id, contact);
    this.#apply({ ...doc, into: null, holder: null, node: null }, node, { cause: 'merge', all: true });
    return this.all();
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
    return this.all();
  }

  /** Applies the event to the memberships of a document, whose node it replaces. */
  #apply(doc: LiveTodo, node: Node | null, touched: TouchedInputs): void {
    const { stored, catalog } = this;
    const active = doc.into === null && !doc.gone ? node : null;
    // The node that the document had says what was true.
    const before = this.#doc(doc.contact) ?? doc;
    const live = { ...liveOf(before), tree: before.node && before.into === null ? before.node : null };
    const { contact, flips } = applyTo(catalog, live, this.#at, active, touched);
    this.#changed.set(
      doc.id,
      withLive({ ...doc, node }, catalog, contact, [...doc.pending, ...toPending(flips, { id: stored.id, quiet: quietCauseOf(stored.meta) })]),
    );
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

  all(): LiveTodo[] {
    return [...this.#changed.values()];
  }
}

/** The node without the part of an id, and all below it. */
const withoutPart = (node: Node, id: string): Node => ({
  ...node,
  links: node.links.flatMap((link) => (link.contact.id === id ? [] : [{ ...link, contact: withoutPart(link.contact, id) }])),
});
