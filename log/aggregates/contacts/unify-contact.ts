import type { ExistingContact } from '../../../domain/contacts/contact.js';
import { type ContactLink, type ContactNode, membersOf, unify, versionOf } from '../../../domain/contacts/contact-tree.js';
import { type Facts, unifyFacts } from '../../../domain/contacts/facts.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../loaded-aggregate.js';
import { type LoadedContact, loadContact } from './load-contact.js';

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
