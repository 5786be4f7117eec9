import type { Doc } from '../../domain/kernel/ports.js';
import { type MembershipEvent, type Memberships, membership, noMemberships, uniteMemberships } from '../../domain/lists/membership.js';

/** What one contact said, and all that is merged into it. */
export interface Tree {
  readonly id: string;
  readonly own: Memberships;
  readonly parts: readonly { readonly merge_id: string; readonly at: string; readonly tree: Tree }[];
}

/**
 * One contact as this read model knows it. Each holds its whole tree, and the way up from it, so that a merge, or taking
 * one apart, finds everything that it changes in the documents of the two.
 */
export interface PersonDoc extends Doc {
  readonly account: string;
  /** The contact that it is merged into, the one that is merged into, and so on to the one that answers; empty where it is that. */
  readonly path: readonly string[];
  readonly tree: Tree;
  /** Deleted or erased. */
  readonly gone: boolean;
}

export const personOf = (id: string, account: string): PersonDoc => ({
  id,
  account,
  path: [],
  tree: { id, own: noMemberships, parts: [] },
  gone: false,
});

/** The memberships of a tree, read as one. */
export const unitedIn = ({ own, parts }: Tree): Memberships => parts.reduce((left, { at, tree }) => uniteMemberships(left, unitedIn(tree), at), own);

/** The lists that anybody in a tree said anything of. */
export const listsIn = ({ own, parts }: Tree): string[] => [...new Set([...Object.keys(own), ...parts.flatMap(({ tree }) => listsIn(tree))])];

/** All but the contact itself. */
export const below = ({ parts }: Tree): string[] => parts.flatMap(({ tree }) => [tree.id, ...below(tree)]);

/** The tree with one of its contacts changed. */
export function changedIn(tree: Tree, id: string, change: (of: Tree) => Tree): Tree {
  if (tree.id === id) return change(tree);
  const parts = tree.parts.map((part) => ({ ...part, tree: changedIn(part.tree, id, change) }));
  return { ...tree, parts };
}

export const said =
  (event: MembershipEvent) =>
  (tree: Tree): Tree => ({ ...tree, own: membership.evolve(tree.own, event) });
export const joined =
  (merge_id: string, at: string, tree: Tree) =>
  (into: Tree): Tree => ({ ...into, parts: [...into.parts, { merge_id, at, tree }] });
export const parted =
  (merge_id: string) =>
  (from: Tree): Tree => ({ ...from, parts: from.parts.filter((part) => part.merge_id !== merge_id) });
