/** What one contact said, with all that is merged into it, as the read model keeps it: what is sealed stays so. */

import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { applyPatch, type Facts, noFacts, uniteFacts } from '../../domain/contacts/facts.js';
import type { Member } from '../../domain/contacts/resource.js';
import type { Timestamped } from '../../domain/kernel/timestamped.js';
import { type MembershipEvent, type Memberships, membership, noMemberships, uniteMemberships } from '../../domain/lists/membership.js';

/** A value as it is kept: as anybody may see it, or in a box (named by its revision, and once read the box itself). */
export type StoredValue = { readonly is: unknown } | { readonly box: string } | null;

export interface Link {
  readonly merge_id: string;
  /** Since when it counts; null while the older does not know of it. */
  readonly at: string | null;
  readonly person: Person;
}

export interface Person extends Member {
  readonly facts: Facts;
  /** Boxes of events that values still stand in, by revision. */
  readonly boxes: Readonly<Record<string, string>>;
  readonly memberships: Memberships;
  readonly links: readonly Link[];
  /** Events of its own stream. */
  readonly events: number;
  /** Events of parts that left, until they did. */
  readonly past: number;
}

type Statement = Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

export const createNode = (event: Extract<Statement, { type: 'ContactCreated' }>, revision: number): Person => {
  const { contact_id: id, source, at } = event.data;
  const nobody = { id, source, created_at: at, updated_at: at, facts: noFacts, boxes: {}, memberships: noMemberships, links: [], events: 0, past: 0 };
  return applyingPatch(event, revision)(nobody);
};

export const applyingPatch =
  ({ data }: Statement, revision: number) =>
  (person: Person): Person => {
    const box = String(revision);
    const values: Record<string, StoredValue> = {};
    for (const name of Object.keys(data.values)) values[name] = { is: data.values[name] };
    const personal: Record<string, StoredValue> = {};
    for (const name of data.said) personal[name] = { box };
    const facts = applyPatch(person.facts, { ...data, values, personal, keys: data.keys as Record<string, string | null> }, data.at);
    const boxes = data.said.length > 0 ? { ...person.boxes, [box]: data.sealed } : person.boxes;
    return { ...withEvent(person, data.at), facts, boxes: usedBoxes(facts, boxes) };
  };

/** One more event of its stream. */
export const withEvent = (person: Person, at: string): Person => ({ ...person, events: person.events + 1, updated_at: at });

export const onList =
  (event: MembershipEvent) =>
  (person: Person): Person => ({ ...person, memberships: membership.evolve(person.memberships, event) });

export const linking =
  (link: Link) =>
  (person: Person): Person => ({ ...person, links: [...person.links, link] });

/** The older learns of a link: from now on it counts, after those that it knew of before. */
export const absorbing =
  (merge_id: string, at: string) =>
  (person: Person): Person => {
    const found = person.links.find((link) => link.merge_id === merge_id);
    const others = person.links.filter((link) => link.merge_id !== merge_id);
    return { ...withEvent(person, at), links: found ? [...others, { ...found, at }] : others };
  };

/** A part leaves; what had happened to it counts on in the version. */
export const releasing =
  (merge_id: string, left: Person) =>
  (person: Person): Person => ({
    ...person,
    links: person.links.filter((link) => link.merge_id !== merge_id),
    past: person.past + (person.links.some((link) => link.merge_id === merge_id && link.at !== null) ? versionIn(left) : 0),
  });

/** What is said of a person and all parts, read as one, each sealed value with its box. */
export const sealedFactsOf = (person: Person): Facts => united(person, ({ facts, boxes }) => withBoxes(facts, boxes));

/** The same without what is in the boxes. */
export const openFactsOf = (person: Person): Facts => united(person, ({ facts }) => facts);

const united = (person: Person, saidOf: (one: Person) => Facts): Facts =>
  counting(person.links).reduce((left, link) => uniteFacts(left, united(link.person, saidOf), link.at), saidOf(person));

export const membershipsOf = ({ memberships, links }: Person): Memberships =>
  counting(links).reduce((left, { at, person }) => uniteMemberships(left, membershipsOf(person), at), memberships);

/** A person and all parts, in the order in which they joined. */
export const membersOf = (person: Person): Person[] => [person, ...counting(person.links).flatMap((link) => membersOf(link.person))];

/** All that is linked, also what the older does not know of yet. */
export const below = ({ links }: Person): Person[] => links.flatMap(({ person }) => [person, ...below(person)]);

/** As the log counts it: it only grows. */
export const versionIn = ({ events, past, links }: Person): number =>
  counting(links).reduce((sum, { person }) => sum + versionIn(person), events + past);

/** A person with one of its contacts changed. */
export function changedIn(person: Person, id: string, change: (of: Person) => Person): Person {
  if (person.id === id) return change(person);
  return { ...person, links: person.links.map((link) => ({ ...link, person: changedIn(link.person, id, change) })) };
}

/** Links that both ends know of. */
export const counting = (links: readonly Link[]): (Link & { readonly at: string })[] =>
  links.filter((link): link is Link & { at: string } => link.at !== null);

const storedValue = ({ value }: Timestamped): StoredValue => value as StoredValue;

function withBoxes(facts: Facts, boxes: Person['boxes']): Facts {
  const values: Record<string, Timestamped> = {};
  for (const [name, said] of Object.entries(facts.values)) {
    const kept = storedValue(said);
    values[name] = kept && 'box' in kept ? { ...said, value: { box: boxes[kept.box] } } : said;
  }
  return { ...facts, values };
}

function usedBoxes(facts: Facts, boxes: Person['boxes']): Person['boxes'] {
  const used: Record<string, string> = {};
  for (const said of Object.values(facts.values)) {
    const kept = storedValue(said);
    if (kept && 'box' in kept) used[kept.box] = boxes[kept.box] as string;
  }
  return used;
}
