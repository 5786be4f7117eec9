/** How events of contacts change the documents of those whose memberships are kept. */
import { type Consents, evolve as evolveConsents, isListRequest, type SealedConsentEvent } from '../../domain/consent/consent.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { absorbLink } from '../../domain/contacts/contact-tree.js';
import { spellingName } from '../../domain/contacts/phone-spellings.js';
import type { SealedRecordedEvent } from '../../domain/events/custom-event.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { evolve as evolveMemberships, type Memberships, type SealedMembershipEvent } from '../../domain/lists/membership.js';
import type { ScoreChangedEvent } from '../../domain/scores/contact-scores.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import {
  changeAddresses,
  changeConsents,
  changeFacts,
  changeListStatus,
  changeScore,
  decidedOf,
  type InputChange,
  keepEvent,
  type PersonalFieldReader,
} from '../../domain/segments/live/changes.js';
import { eventSource } from '../../domain/segments/live/history-leaves.js';
import { noInputs, type OwnInputs } from '../../domain/segments/live/inputs.js';
import type { AddressSlot } from '../../domain/segments/reachability.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { openedFieldsOf } from '../../log/vault/personal-fields.js';
import { type AddressNote, addressNoteId } from './address-notes.js';
import { foundBy, type LiveDocs, SegmentContactChange } from './contact-change.js';
import type { LiveTodo } from './live-todo.js';

type MembershipChange = Exclude<SealedMembershipEvent, { type: 'ConfirmationSent' }>;
export type ContactInputEvent = SealedContactEvent | SealedRecordedEvent | MembershipChange | SealedConsentEvent | ScoreChangedEvent;
type PatchEvent = Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

/** Contacts whose documents an event names. */
export const contactsOf = ({ data, type }: ContactInputEvent): string[] =>
  type === 'ContactMerged' ? [data.contact_id, data.into] : [data.contact_id];

const ofMoves: ReadonlySet<string> = new Set(['ContactMerged', 'ContactUnmerged', 'ContactDeleted', 'ContactErased']);

/** Documents that are found by others: of the contacts that hold a node, and of those below it. */
export const furtherContacts = (event: ContactInputEvent, docs: Pick<LiveDocs, 'isLoaded' | 'todo'>): string[] =>
  foundBy(contactsOf(event), docs, ofMoves.has(event.type));

/** The addresses that an event names. */
export const keysIn = ({ keys }: PatchEvent['data']): Partial<Record<AddressSlot, string | null>> => ({
  ...(keys.email !== undefined && { email: keys.email as string | null }),
  ...(keys.phone !== undefined && { phone: keys.phone as string | null, phone_spelling: spellingIn(keys) }),
});

const spellingIn = (keys: PatchEvent['data']['keys']): string | null =>
  ((typeof keys.phone === 'string' && ownField(keys, spellingName(keys.phone))) || null) as string | null;

/** The changed documents. */
export function applyContactEvent(stored: LogEvent<ContactInputEvent>, docs: LiveDocs, catalog: SegmentCatalog): LiveTodo[] {
  const { event } = stored;
  const change = new SegmentContactChange(stored, docs, catalog);
  switch (event.type) {
    case 'ContactCreated': {
      const { contact_id, at, source } = event.data;
      return change.create(contact_id, patched(stored, event, noInputs(at, source), docs, catalog).own);
    }
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
    case 'ContactUpdated':
      return change.inputs(event.data.contact_id, 'attribute', (own) => patched(stored, event, own, docs, catalog));
    case 'CustomEventRecorded': {
      const { contact_id, name, occurred_at, at } = event.data;
      const contactSignal = { source: eventSource(name), at: Date.parse(occurred_at), properties: propertiesOf(stored) };
      return change.inputs(contact_id, 'event', (own) => keepEvent(catalog, own, contactSignal, Date.parse(at)));
    }
    default:
      return change.inputs(event.data.contact_id, 'attribute', (own) => changeOf(own, event));
  }
}

function patched(
  stored: LogEvent<ContactInputEvent>,
  { data }: PatchEvent,
  own: OwnInputs,
  { note }: LiveDocs,
  catalog: SegmentCatalog,
): InputChange {
  // Events without personal values need none opened.
  const values = changeFacts(catalog, own, data, data.said.length > 0 ? personalOf(stored) : NOTHING, data.at);
  const addresses = changeAddresses(values.own, keysIn(data), (key) => note<AddressNote>(addressNoteId(key)));
  return { own: addresses.own, inputs: [...values.inputs, ...addresses.inputs], fields: values.fields };
}

type OtherInput = Exclude<ContactInputEvent, SealedContactEvent | SealedRecordedEvent>;

function changeOf(own: OwnInputs, event: OtherInput): InputChange {
  switch (event.type) {
    case 'ConsentGranted':
    case 'ConsentWithdrawn':
    case 'ConsentRequested':
      if (isListRequest(event)) return unchanged(own);
      return changeConsents(own, compactConsents(own.consents, evolveConsents(own.consents as Consents, event)));
    case 'ScoreChanged':
      return changeScore(own, event.data.score, event.data.value);
    default: {
      const { list_id } = event.data;
      const changed = ownField(evolveMemberships(own.lists as Memberships, event), list_id);
      return changed
        ? changeListStatus(own, list_id, { value: { status: changed.value.status, by: changed.value.by }, at: changed.at })
        : unchanged(own);
    }
  }
}

const unchanged = (own: OwnInputs): InputChange => ({ own, inputs: [], fields: [] });
const NOTHING: PersonalFieldReader = { decide: () => false, number: () => null };

function compactConsents(before: OwnInputs['consents'], after: Consents): OwnInputs['consents'] {
  const compact: Record<string, OwnInputs['consents'][string]> = {};
  for (const [key, { value, at }] of Object.entries(after)) {
    const known = ownField(before, key);
    setOwnField(compact, key, known && (known.value as unknown) === value ? known : { value: { status: value.status }, at });
  }
  return compact;
}

/** The personal values of a contact's event, by name. */
function personalOf(stored: LogEvent<ContactInputEvent>): PersonalFieldReader {
  const fields = openedFieldsOf(stored);
  return {
    decide: (meets) => fields.decide(({ personal }) => meets(personal as Readonly<Record<string, unknown>>)),
    number: (numberIn) => fields.number(({ personal }) => numberIn(personal as Readonly<Record<string, unknown>>)),
  };
}

function propertiesOf(stored: LogEvent<ContactInputEvent>): PersonalFieldReader {
  const fields = openedFieldsOf(stored);
  return {
    decide: (meets) => fields.decide(({ properties }) => meets(properties as Readonly<Record<string, unknown>>)),
    number: (numberIn) => fields.number(({ properties }) => numberIn(properties as Readonly<Record<string, unknown>>)),
  };
}

/** Applies an earlier event once more, for what is being built alone: its memberships stay as they are. */
export function applyAgain(stored: LogEvent<ContactInputEvent>, docs: LiveDocs, catalog: SegmentCatalog, histories: ReadonlySet<string>): LiveTodo[] {
  const change = new SegmentContactChange(stored, docs, catalog);
  return change.again(stored.event.data.contact_id, (own, now) => ownAgain(stored, own, catalog, { histories, now }));
}

function ownAgain(
  stored: LogEvent<ContactInputEvent>,
  own: OwnInputs,
  catalog: SegmentCatalog,
  { histories, now }: { readonly histories: ReadonlySet<string>; readonly now: number },
): OwnInputs {
  const { event } = stored;
  if (event.type === 'CustomEventRecorded') {
    const contactSignal = { source: eventSource(event.data.name), at: Date.parse(event.data.occurred_at), properties: propertiesOf(stored) };
    return keepEvent(catalog, own, contactSignal, now, histories).own;
  }
  if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return own;
  const { said, at } = event.data;
  // Only the values that the contact still has.
  const names = said.filter(
    (name) => ownField(own.facts.values, name)?.at === at && ownField(own.facts.values, name)?.value !== null && catalog.fields.has(name),
  );
  if (names.length === 0) return own;
  const decided = names.map((name) => [name, { at, value: decidedOf(catalog, name, personalOf(stored)) }] as const);
  return { ...own, facts: { ...own.facts, values: { ...own.facts.values, ...Object.fromEntries(decided) } } };
}
