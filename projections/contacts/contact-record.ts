/** What the read model holds of each contact in a tree. Personal values stay sealed in boxes. */
import type { ContactBasis } from '../../domain/consent/marketing-basis.js';
import { basisAfter, type SealedContactEvent } from '../../domain/contacts/contact.js';
import { type ContactNode, changeOwn, membersOf, unify, versionOf, withoutLink } from '../../domain/contacts/contact-tree.js';
import { applyPatch, type ContactPatch, type Facts, noFacts, unifyFacts } from '../../domain/contacts/facts.js';
import { addressOf, withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { spellingName } from '../../domain/contacts/phone-spellings.js';
import type { Member } from '../../domain/contacts/resource.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { TimestampedValue } from '../../domain/kernel/timestamped.js';
import { evolve, type Memberships, noMemberships, type SealedMembershipEvent, unifyMemberships } from '../../domain/lists/membership.js';

/** A value in the open, or in a box: named by its revision, and in a query by its content. */
export type RecordValue = { readonly is: unknown } | { readonly box: string } | null;

export interface ContactRecord extends Omit<Member, 'id'> {
  readonly facts: Facts;
  /** Sealed boxes of events that still hold values, by revision. */
  readonly boxes: Readonly<Record<string, string>>;
  /** Hashes of what each personal value is found by, by name. */
  readonly search: Readonly<Record<string, readonly string[]>>;
  readonly memberships: Memberships;
  /** Number of events in the contact's own stream. */
  readonly events: number;
  /** Only test keys have written it. */
  readonly test?: true;
  /** Of what a form or an import made. */
  readonly basis?: ContactBasis;
  /** Versions that released parts had when they were released. */
  readonly past: number;
  /** An event of an earlier version has given it a number whose other spelling it has not claimed: another contact may have that one. */
  readonly unclaimed?: true;
}

export type RecordNode = ContactNode<ContactRecord>;
/** What a contact can be found by after an event. */
export interface FoundBy {
  /** Hashes of what the value of this name is found by. */
  readonly hashesOf: (name: string) => readonly string[];
  /** The keys of the other spellings of the number of this name: events of earlier versions do not have them. */
  readonly spellingsOf: (name: string) => readonly string[];
}
type PatchEvent = Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

export function createNode(event: Extract<PatchEvent, { type: 'ContactCreated' }>, revision: number, by: FoundBy): RecordNode {
  const { contact_id: id, source, test, basis, at } = event.data;
  const empty: ContactRecord = {
    ...(test && { test: true as const }),
    ...(basis && { basis }),
    source,
    created_at: at,
    updated_at: at,
    facts: noFacts,
    boxes: {},
    search: {},
    memberships: noMemberships,
    events: 0,
    past: 0,
  };
  return { id, own: applyPatchEvent(event, revision, by)(empty), links: [] };
}

export const applyPatchEvent =
  ({ type, data }: PatchEvent, revision: number, by: FoundBy) =>
  (own: ContactRecord): ContactRecord => {
    const box = String(revision);
    const values: Record<string, RecordValue> = {};
    for (const name of Object.keys(data.values)) setOwnField(values, name, { is: ownField(data.values, name) });
    const personal: Record<string, RecordValue> = {};
    for (const name of data.said) setOwnField(personal, name, { box });
    const keys = spelledKeys(data, by);
    const unclaimed = (own.unclaimed || Object.keys(keys).length > Object.keys(data.keys).length) && ({ unclaimed: true } as const);
    const facts = applyPatch(own.facts, { ...data, values, personal, keys }, data.at);
    const boxes = data.said.length > 0 ? { ...own.boxes, [box]: data.sealed } : own.boxes;
    const test = own.test && data.test && ({ test: true } as const);
    const basis = type === 'ContactUpdated' && own.basis && { basis: basisAfter(own.basis, data) };
    return {
      ...countEvent(data.at)(own),
      ...test,
      ...basis,
      ...unclaimed,
      facts,
      boxes: usedBoxes(facts, boxes),
      search: searchAfter(own.search, data, by),
    };
  };

function spelledKeys({ keys: given, said }: PatchEvent['data'], { spellingsOf }: FoundBy): ContactPatch['keys'] {
  const keys: ContactPatch['keys'] = { ...(given as ContactPatch['keys']) };
  for (const name of said) {
    const key = addressOf(name) === 'phone' ? ownField(keys, name) : null;
    for (const spelling of key ? spellingsOf(name) : []) setOwnField(keys, spellingName(key as string), spelling);
  }
  return keys;
}

/** Without what a value that is replaced or removed was found by. */
function searchAfter(search: ContactRecord['search'], { said, cleared }: PatchEvent['data'], { hashesOf }: FoundBy): ContactRecord['search'] {
  const changed = new Set([...said, ...cleared]);
  const kept = Object.entries(search).filter(([name]) => !changed.has(name));
  const added = said.map((name) => [name, hashesOf(name)] as const).filter(([, hashes]) => hashes.length > 0);
  return Object.fromEntries([...kept, ...added]);
}

/** Counts an event of the contact's own stream. Whatever is not of a test key makes it live. */
export const countEvent =
  (at: string) =>
  ({ test: _, ...own }: ContactRecord): ContactRecord => ({ ...own, events: own.events + 1, updated_at: at });

/** Without the source, which no query over contacts shows. */
export const applyMembership =
  (event: SealedMembershipEvent) =>
  (own: ContactRecord): ContactRecord => {
    const { list_id } = event.data;
    const memberships = evolve(own.memberships, event);
    const changed = ownField(memberships, list_id);
    return changed ? { ...own, memberships: { ...memberships, [list_id]: { ...changed, value: { ...changed.value, source: '' } } } } : own;
  };

/** Removes the link to a part. The version that the part has reached still counts if the link was effective. */
export const releasePart =
  (merge_id: string, released: RecordNode) =>
  (node: RecordNode): RecordNode => {
    const effective = node.links.some((link) => link.merge_id === merge_id && link.at !== null);
    const counted = changeOwn<ContactRecord>((own) => (effective ? { ...own, past: own.past + recordVersionOf(released) } : own));
    return withoutLink<ContactRecord>(merge_id)(counted(node));
  };

/** The version that the log counts: it only grows. */
export const recordVersionOf = (node: RecordNode): number => versionOf(node, ({ own }) => own.events + own.past);

/** Unified facts with the further addresses of all members, each sealed value with the content of its box. */
export const sealedFactsOf = (node: RecordNode): Facts => {
  const boxed = ({ own }: RecordNode): Facts => withBoxes(own.facts, own.boxes);
  return withOtherAddresses(
    unify(node, boxed, unifyFacts),
    membersOf(node).map((member) => ({ facts: boxed(member) })),
  );
};

/** Unified facts, each sealed value with the name of its box. */
export const openFactsOf = (node: RecordNode): Facts => unify(node, ({ own }) => own.facts, unifyFacts);

export const membershipsOf = (node: RecordNode): Memberships => unify(node, ({ own }) => own.memberships, unifyMemberships);

const storedValue = ({ value }: TimestampedValue): RecordValue => value as RecordValue;

function withBoxes(facts: Facts, boxes: ContactRecord['boxes']): Facts {
  const values: Record<string, TimestampedValue> = {};
  for (const [name, timestamped] of Object.entries(facts.values)) {
    const stored = storedValue(timestamped);
    setOwnField(values, name, stored && 'box' in stored ? { ...timestamped, value: { box: ownField(boxes, stored.box) } } : timestamped);
  }
  return { ...facts, values };
}

function usedBoxes(facts: Facts, boxes: ContactRecord['boxes']): ContactRecord['boxes'] {
  const used: Record<string, string> = {};
  for (const timestamped of Object.values(facts.values)) {
    const stored = storedValue(timestamped);
    if (stored && 'box' in stored) setOwnField(used, stored.box, ownField(boxes, stored.box) as string);
  }
  return used;
}
