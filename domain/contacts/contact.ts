/**
 * A contact. If two contacts turn out to be the same, the younger is merged into the older by a link between their streams.
 * Each stream keeps its own changes, so a merge can be undone.
 */
import { type Confirmation, type ContactBasis, type CreationBasis, confirmation, creationBasis, isUnconfirmed } from '../consent/marketing-basis.js';
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, invalid } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { anyRecord, flag, list, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { applyPatch, type ContactPatch, effectivePatch, emptyPatch, type Facts, noFacts } from './facts.js';

// Events

/** What created or updated the contact. */
export const contactSources = ['api', 'import', 'event', 'message', 'form', 'preference_center', 'push'] as const;
export type ContactSource = (typeof contactSources)[number];
export const contactSourceSchema = named('ContactSource', oneOf(...contactSources));
const source = oneOf(...contactSources);

const patchFields = {
  contact_id: text,
  source,
  import_id: nullable(text),
  values: anyRecord,
  personal: anyRecord,
  said: list(text),
  cleared: list(text),
  keys: anyRecord,
  tags_added: list(text),
  tags_removed: list(text),
  /** By a test key. */
  test: optional(flag),
  at: time,
};
const personal = { subject: 'contact_id', fields: ['personal'] } as const;

/** `basis`: of what a form or an import makes. */
export const ContactCreated = eventType('ContactCreated', record({ ...patchFields, basis: optional(creationBasis) }), { personal });
/** `confirmed`: the contact has waited for a confirmation, and does no longer. `listed`: a form has put it onto a list, and had given no basis before. */
export const ContactUpdated = eventType('ContactUpdated', record({ ...patchFields, confirmed: optional(confirmation), listed: optional(flag) }), {
  personal,
});
/** In the stream of the younger contact: from now on it is read as part of the other. */
export const ContactMerged = eventType(
  'ContactMerged',
  record({ contact_id: text, into: text, merge_id: text, because: oneOf('row', 'request'), at: time }),
);
/** In the stream of the older contact, which then knows its parts. */
export const ContactAbsorbed = eventType('ContactAbsorbed', record({ contact_id: text, absorbed: text, merge_id: text, at: time }));
export const ContactUnmerged = eventType('ContactUnmerged', record({ contact_id: text, from: text, merge_id: text, at: time }));
export const ContactReleased = eventType('ContactReleased', record({ contact_id: text, absorbed: text, merge_id: text, at: time }));
export const ContactDeleted = eventType('ContactDeleted', record({ contact_id: text, at: time }));
/** The contact's data keys are destroyed: its personal data can no longer be read. */
export const ContactErased = eventType('ContactErased', record({ contact_id: text, erasure_id: text, at: time }));

export const contactEvents = [
  ContactCreated,
  ContactUpdated,
  ContactMerged,
  ContactAbsorbed,
  ContactUnmerged,
  ContactReleased,
  ContactDeleted,
  ContactErased,
] as const;
export type ContactEvent = EventOf<(typeof contactEvents)[number]>;
export type SealedContactEvent = SealedEventOf<(typeof contactEvents)[number]>;

// State

export interface MergedPart {
  readonly contact_id: string;
  readonly merge_id: string;
  readonly at: string;
}

interface ContactBase {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly source: ContactSource;
  readonly facts: Facts;
  /** Contacts that are merged into this one. */
  readonly parts: readonly MergedPart[];
  /** A test contact: only test keys have written it. Its messages go to the sandbox, unless a live key sends them to its address. */
  readonly test: boolean;
  /** It was made by the subscription of a device, and nothing else has named it since: nobody knows whether the device is that person's. */
  readonly onlyByDevice: boolean;
  /** What it may be written to for marketing by. None: nothing recorded one; `earlierBasis` decides about forms and imports then. */
  readonly basis?: ContactBasis;
}

export type Contact =
  | { readonly status: 'new' }
  | (ContactBase & { readonly status: 'active' })
  | (ContactBase & { readonly status: 'merged'; readonly into: string; readonly merge_id: string; readonly merged_at: string })
  | (ContactBase & { readonly status: 'deleted' })
  | (ContactBase & { readonly status: 'erased'; readonly erasure_id: string });
export type ExistingContact = Exclude<Contact, { status: 'new' }>;

export function evolve(contact: Contact, event: ContactEvent): Contact {
  if (event.type === 'ContactCreated') {
    const { contact_id: id, source, test = false, basis, at } = event.data;
    const facts = applyPatch(noFacts, patchOf(event), at);
    const about = { created_at: at, updated_at: at, source, facts, parts: [], test, onlyByDevice: source === 'push' };
    return { status: 'active', id, ...about, ...(basis && { basis }) };
  }
  return contact.status === 'new' ? contact : { ...evolveExisting(contact, event), updated_at: event.data.at, onlyByDevice: false };
}

function evolveExisting(contact: ExistingContact, event: Exclude<ContactEvent, { type: 'ContactCreated' }>): ExistingContact {
  const { id, created_at, updated_at, source, facts, parts, basis } = contact;
  // Whatever else than a test key writes to it makes it live: test keys merge nothing, and delete only what is theirs.
  const test = contact.test && event.type === 'ContactUpdated' && event.data.test === true;
  const known: ContactBase = { id, created_at, updated_at, source, facts, parts, test, onlyByDevice: false, ...(basis && { basis }) };
  switch (event.type) {
    case 'ContactUpdated':
      return { ...contact, test, facts: applyPatch(facts, patchOf(event), event.data.at), ...(basis && { basis: basisAfter(basis, event.data) }) };
    case 'ContactMerged':
      return { ...known, status: 'merged', into: event.data.into, merge_id: event.data.merge_id, merged_at: event.data.at };
    case 'ContactUnmerged':
      return { ...known, status: 'active' };
    case 'ContactAbsorbed': {
      const { absorbed, merge_id, at } = event.data;
      return { ...contact, test, parts: [...parts, { contact_id: absorbed, merge_id, at }] };
    }
    case 'ContactReleased':
      return { ...contact, test, parts: parts.filter(({ merge_id }) => merge_id !== event.data.merge_id) };
    case 'ContactDeleted':
      return { ...known, status: 'deleted' };
    case 'ContactErased':
      return { ...known, status: 'erased', erasure_id: event.data.erasure_id };
    default:
      return event satisfies never;
  }
}

/** The basis of a contact after a change. */
export const basisAfter = (basis: ContactBasis, { confirmed, listed }: { confirmed?: Confirmation; listed?: boolean }): ContactBasis => ({
  ...basis,
  ...(confirmed && { confirmed: confirmed.by }),
  ...(listed && { of: 'list' as const }),
});

/** The patch of an event. Its keys were checked when it was written. */
const patchOf = ({ data }: Extract<ContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>): ContactPatch => ({
  ...data,
  keys: data.keys as ContactPatch['keys'],
});

// Commands

/** Tags of one contact. */
export const MAX_TAGS = 500;

export type ContactCommand =
  | {
      /** Creates the contact if it does not exist. */
      type: 'Update';
      contact_id: string;
      patch: ContactPatch;
      /** Facts of the unified contact that this one belongs to. Default: its own facts. */
      unified?: Facts;
      /** Keeps values that are already set. */
      fillOnly?: boolean;
      /** A device that has not made the contact names it. Every other source does so anyway. */
      byOtherDevice?: boolean;
      source: ContactSource;
      import_id: string | null;
      /** Of the contact, where this creates it. */
      basis?: CreationBasis;
      /** By a test key, which changes test contacts only. */
      test?: true;
      now: string;
    }
  /** Ends the wait for a confirmation. `listed`: a form gives a basis by putting the contact onto a list. */
  | { type: 'Confirm'; confirmed: Confirmation | null; listed: boolean; source: ContactSource; test?: true; now: string }
  | { type: 'Merge'; into: string; merge_id: string; because: 'row' | 'request'; now: string }
  | { type: 'Absorb'; absorbed: string; merge_id: string; now: string }
  | { type: 'Unmerge'; merge_id: string; now: string }
  | { type: 'Release'; absorbed: string; merge_id: string; now: string }
  | { type: 'Delete'; now: string }
  | { type: 'Erase'; erasure_id: string; now: string };

type Of<T extends ContactCommand['type']> = Extract<ContactCommand, { type: T }>;

export function decide(command: ContactCommand, contact: Contact): readonly ContactEvent[] {
  if (command.type === 'Update') return update(command, contact);
  if (contact.status === 'new') return [];
  const { now: at } = command;
  const { id: contact_id } = contact;
  switch (command.type) {
    case 'Confirm':
      return confirm(command, contact);
    case 'Merge':
      return merge(command, contact);
    case 'Absorb': {
      const { absorbed, merge_id } = command;
      const known = contact.parts.some((part) => part.merge_id === merge_id);
      return known ? [] : [{ type: 'ContactAbsorbed', data: { contact_id, absorbed, merge_id, at } }];
    }
    case 'Unmerge': {
      const { merge_id } = command;
      if (contact.status !== 'merged' || contact.merge_id !== merge_id) return [];
      return [{ type: 'ContactUnmerged', data: { contact_id, from: contact.into, merge_id, at } }];
    }
    case 'Release': {
      const { absorbed, merge_id } = command;
      const known = contact.parts.some((part) => part.merge_id === merge_id);
      return known ? [{ type: 'ContactReleased', data: { contact_id, absorbed, merge_id, at } }] : [];
    }
    case 'Delete':
      return contact.status === 'deleted' || contact.status === 'erased' ? [] : [{ type: 'ContactDeleted', data: { contact_id, at } }];
    case 'Erase':
      return contact.status === 'erased' ? [] : [{ type: 'ContactErased', data: { contact_id, erasure_id: command.erasure_id, at } }];
    default:
      return command satisfies never;
  }
}

function update(command: Of<'Update'>, contact: Contact): readonly ContactEvent[] {
  const { contact_id, patch, unified, fillOnly = false, byOtherDevice = false, source, import_id, basis, test, now: at } = command;
  const about = { contact_id, source, import_id, ...(test && { test }), at };
  if (contact.status === 'new')
    return [{ type: 'ContactCreated', data: { ...about, ...(basis && { basis }), ...(effectivePatch(noFacts, patch) ?? emptyPatch) } }];
  if (contact.status === 'erased') throw contactErased(contact_id);
  if (contact.status === 'deleted') return [];
  const facts = unified ?? contact.facts;
  const changed = effectivePatch(facts, patch, fillOnly);
  if (changed) checkTagLimit(facts, changed);
  if (changed && test && !contact.test) throw liveContact(contact_id);
  // Without a change this is recorded in two cases: a live key makes a test contact live, and a device no longer stands for a contact that it created.
  const isNamed = !test && (contact.test || (contact.onlyByDevice && (source !== 'push' || byOtherDevice)));
  return changed || isNamed ? [{ type: 'ContactUpdated', data: { ...about, ...(changed ?? emptyPatch) } }] : [];
}

function confirm(
  { confirmed, listed, source, test, now: at }: Of<'Confirm'>,
  { id: contact_id, status, basis }: ExistingContact,
): readonly ContactEvent[] {
  if (status === 'deleted' || status === 'erased') return [];
  const ends = confirmed !== null && isUnconfirmed(basis) && { confirmed };
  const lists = listed && basis?.of === 'none' && { listed };
  if (!ends && !lists) return [];
  return [{ type: 'ContactUpdated', data: { contact_id, source, import_id: null, ...(test && { test }), at, ...emptyPatch, ...ends, ...lists } }];
}

/** Of a command of a test key that would change a live contact. */
export const liveContact = (id: string): DomainError =>
  new DomainError('forbidden', `The contact '${id}' is live: a test key changes only contacts that test keys have made. Use a live key.`, { id });

/** Merged contacts may have more tags together; then none can be added. */
function checkTagLimit({ tags }: Facts, { tags_added, tags_removed }: ContactPatch): void {
  if (tags_added.length === 0) return;
  const present = Object.values(tags).filter(({ value }) => value).length;
  const received = present + new Set(tags_added).size - tags_removed.length;
  if (received <= MAX_TAGS) return;
  const message = `A contact has at most ${MAX_TAGS} tags; with these it would have ${received}.`;
  throw invalid([{ field: 'tags', code: 'too_many', message, details: { limit: MAX_TAGS, received } }]);
}

/** A contact that is already merged stays where it is: no event. */
function merge({ into, merge_id, because, now: at }: Of<'Merge'>, contact: ExistingContact): readonly ContactEvent[] {
  if (contact.status === 'erased') throw contactErased(contact.id);
  if (contact.status !== 'active' || contact.id === into) return [];
  return [{ type: 'ContactMerged', data: { contact_id: contact.id, into, merge_id, because, at } }];
}

export const contactErased = (id: string): DomainError => new DomainError('contact_erased', `The contact '${id}' was erased.`, { id });

/** The contact that survives a merge: the older one, and of two equally old ones the one with the lower id. So links never form a cycle. */
export function survivorOf<C extends Pick<ExistingContact, 'id' | 'created_at'>>(a: C, b: C): C {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? a : b;
  return a.id < b.id ? a : b;
}

// Stream

export const contactStream = (id: string): string => `contact-${id}`;

export const contact: Aggregate<Contact, ContactCommand, ContactEvent> = {
  stream: contactStream,
  events: contactEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
