/**
 * The tree of merged contacts. A merge links the younger contact to the older one; each node keeps what is its own (facts,
 * consents, memberships), and reading a contact unifies its node with those below it. So a merge is undone by removing the link.
 * `T` is what a node owns; all functions are pure and return new nodes.
 */

export interface ContactNode<T> {
  readonly id: string;
  readonly own: T;
  /** Contacts that are merged into this one, in the order in which the links became effective. */
  readonly links: readonly ContactLink<T>[];
}

export interface ContactLink<T> {
  readonly merge_id: string;
  /** RFC 3339 time from which the link counts; null until the absorbing contact has recorded it. */
  readonly at: string | null;
  readonly contact: ContactNode<T>;
}

type EffectiveLink<T> = ContactLink<T> & { readonly at: string };
type Change<T> = (node: ContactNode<T>) => ContactNode<T>;

/** The links that both contacts have recorded. */
export const effectiveLinks = <T>({ links }: ContactNode<T>): EffectiveLink<T>[] =>
  links.filter((link): link is EffectiveLink<T> => link.at !== null);

/** The node first, then those that count as part of it, depth first, in the order of their links. */
export const membersOf = <T>(node: ContactNode<T>): ContactNode<T>[] => [node, ...effectiveLinks(node).flatMap(({ contact }) => membersOf(contact))];

/** All nodes below, including those whose link is not effective yet. */
export const descendantsOf = <T>({ links }: ContactNode<T>): ContactNode<T>[] => links.flatMap(({ contact }) => [contact, ...descendantsOf(contact)]);

/** The node with this id, at or below `node`; undefined if there is none. */
export const findNode = <T>(node: ContactNode<T>, id: string): ContactNode<T> | undefined =>
  [node, ...descendantsOf(node)].find((one) => one.id === id);

/** Unifies a value of every member, part by part along the effective links. `unitedAt` is the time from which a link counts. */
export const unify = <T, U>(node: ContactNode<T>, ownValue: (node: ContactNode<T>) => U, merge: (left: U, right: U, unifiedAt: string) => U): U =>
  effectiveLinks(node).reduce((left, { contact, at }) => merge(left, unify(contact, ownValue, merge), at), ownValue(node));

/** Sum of the members' own versions. */
export const versionOf = <T>(node: ContactNode<T>, ownVersion: (node: ContactNode<T>) => number): number =>
  unify(node, ownVersion, (left, right) => left + right);

/** The tree with the node of this id changed. */
export function replaceNode<T>(node: ContactNode<T>, id: string, change: Change<T>): ContactNode<T> {
  if (node.id === id) return change(node);
  return { ...node, links: node.links.map((link) => ({ ...link, contact: replaceNode(link.contact, id, change) })) };
}

export const changeOwn =
  <T>(change: (own: T) => T): Change<T> =>
  (node) => ({ ...node, own: change(node.own) });

export const addLink =
  <T>(link: ContactLink<T>): Change<T> =>
  (node) => ({ ...node, links: [...node.links, link] });

/** Makes a link effective, after those that already are. */
export const absorbLink =
  <T>(merge_id: string, at: string): Change<T> =>
  (node) => {
    const found = node.links.find((link) => link.merge_id === merge_id);
    return found ? { ...node, links: [...node.links.filter((link) => link !== found), { ...found, at }] } : node;
  };

export const withoutLink =
  <T>(merge_id: string): Change<T> =>
  (node) => ({ ...node, links: node.links.filter((link) => link.merge_id !== merge_id) });
