import { type ContactNode, descendantsOf, unify } from '../../domain/contacts/contact-tree.js';
import type { Doc } from '../../domain/kernel/ports.js';
import { type Memberships, noMemberships, unifyMemberships } from '../../domain/lists/membership.js';

export type MembershipNode = ContactNode<Memberships>;

/**
 * One contact with its memberships. Each document holds the contact's whole tree and the path to its root, so that the
 * documents of two contacts name everything that a merge or an unmerge changes.
 */
export interface ListContactDoc extends Doc {
  readonly account: string;
  /** The contact that it is merged into, the one that is merged into, and so on to the root; empty for a root. */
  readonly path: readonly string[];
  readonly tree: MembershipNode;
  /** Deleted or erased. */
  readonly gone: boolean;
}

export const newListContact = (id: string, account: string): ListContactDoc => ({
  id,
  account,
  path: [],
  tree: { id, own: noMemberships, links: [] },
  gone: false,
});

/** The unified memberships of a tree. */
export const unifiedMemberships = (tree: MembershipNode): Memberships => unify(tree, ({ own }) => own, unifyMemberships);

/** The ids of all lists that any contact of a tree has a membership of. */
export const listIdsOf = (tree: MembershipNode): string[] => [...new Set([tree, ...descendantsOf(tree)].flatMap(({ own }) => Object.keys(own)))];

export const partIdsOf = (tree: MembershipNode): string[] => descendantsOf(tree).map(({ id }) => id);
