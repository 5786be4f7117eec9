/**
 * Which contact a row is about, and what becomes of its addresses. One function decides it for calls, imports, events, forms, devices
 * and messages: an address never takes over another person, and none is lost.
 */

import type { OnConflict } from '../accounts/settings.js';
import { ownField } from '../kernel/own-fields.js';
import { annotate, count, list, named, nullable, oneOf, optional, record, text } from '../kernel/schema.js';
import { type AddressRole, isAddressName, type Placement } from './other-addresses.js';

/**
 * Who says it. `credentials`: a key or a signed-in user; `confirmed`: a person who has shown that the email is theirs; `none`: anybody,
 * who may know the addresses of others.
 */
export type Trust = 'credentials' | 'confirmed' | 'none';

/** A key of a row, and what it finds. `name` is `email`, `phone` or that of a unique custom field. */
export interface RowKey {
  readonly name: string;
  readonly key: string;
  readonly found: { readonly contact_id: string; readonly role: AddressRole } | null;
}

/** What a contact that was found has by now: by the name of the key its present one, with all that is merged into it. */
export interface CandidateKeys {
  readonly id: string;
  readonly keys: Readonly<Record<string, string>>;
}

export interface IdentityQuestion {
  readonly keys: readonly RowKey[];
  readonly contacts: readonly CandidateKeys[];
  readonly trust: Trust;
  readonly on_conflict: OnConflict;
  /** Values of the row fill empty fields only. */
  readonly fillOnly: boolean;
}

/** What a caller should know of an address or identifier that stays with another contact, or of a contact found by its phone alone. */
export interface IdentityWarning {
  readonly code: 'matched_by_phone' | 'email_kept_by' | 'phone_kept_by' | 'identifier_kept_by';
  /** The name of the key. */
  readonly field: string;
  readonly contact_id: string;
}

/** A warning about the addresses of a contact or row, in the API. */
export const identityWarning = named(
  'IdentityWarning',
  record({
    row: optional(annotate(count, { description: 'The row of an import, from 1.' })),
    code: named('IdentityWarningCode', oneOf('matched_by_phone', 'email_kept_by', 'phone_kept_by', 'identifier_kept_by')),
    message: text,
    field: annotate(text, { description: 'What belongs to the other contact.' }),
    contact_id: annotate(text, { description: 'The contact that has it.' }),
    email: optional(annotate(nullable(text), { description: 'Of `matched_by_phone`: the email that the contact has among `other_emails` now.' })),
    not_applied: optional(annotate(list(text), { description: 'Of `matched_by_phone`: the names of what the contact did not take.' })),
  }),
);

/** What each warning says. */
export const identityMessages: Readonly<Record<IdentityWarning['code'], string>> = {
  matched_by_phone:
    'Its phone belongs to a contact with another email. The email is one of `other_emails` of that contact now; nothing of the contact was replaced.',
  email_kept_by: 'The email belongs to another contact, which keeps it.',
  phone_kept_by: 'The phone belongs to another contact, which keeps it.',
  identifier_kept_by: 'The identifier belongs to another contact, which keeps it.',
};

/**
 * How far the row speaks for its contact. `whole`: its values replace those of the contact. `weak`: it was found by a phone that two
 * people share; it fills empty fields and adds tags, and its lists and granted consents are not those of the contact. `unproven`: nobody
 * knows who says it; it fills empty fields, and adds tags, lists and consents.
 */
export type Reach = 'whole' | 'weak' | 'unproven';

export type IdentityDecision =
  | { readonly does: 'create'; readonly placements: ReadonlyMap<string, Placement>; readonly warnings: readonly IdentityWarning[] }
  | {
      readonly does: 'update';
      readonly contact_id: string;
      readonly reach: Reach;
      /** By the name of the key. A key without one is the contact's already, or becomes it. */
      readonly placements: ReadonlyMap<string, Placement>;
      readonly warnings: readonly IdentityWarning[];
    }
  /** Both are one; the values of the first win. The question is asked again once they are. */
  | { readonly does: 'merge'; readonly contact_id: string; readonly other_id: string }
  | { readonly does: 'reject'; readonly contact_ids: readonly string[] };

/** Decides about a row. */
export function decideIdentity(question: IdentityQuestion): IdentityDecision {
  return question.trust === 'credentials' ? withCredentials(question) : withoutCredentials(question);
}

const keptBy = (name: string, contact_id: string): IdentityWarning => ({
  code: name === 'email' ? 'email_kept_by' : name === 'phone' ? 'phone_kept_by' : 'identifier_kept_by',
  field: name,
  contact_id,
});

/** The keys that find a contact, in the order in which they name it: the caller's own identifiers, the email, the phone. */
const inOrder = (keys: readonly RowKey[]): RowKey[] => [...keys].sort((a, b) => rankOf(a) - rankOf(b));
const rankOf = ({ name }: RowKey): number => (name === 'email' ? 1 : name === 'phone' ? 2 : 0);

function withCredentials(question: IdentityQuestion): IdentityDecision {
  const keys = inOrder(question.keys);
  const by = keys.find(({ found }) => found !== null);
  if (!by?.found) return { does: 'create', placements: new Map(), warnings: [] };
  const email = keys.find(({ name }) => name === 'email');
  const contact = contactIn(question, by.found.contact_id);
  const isOther = by.name === 'phone' && email !== undefined && contact.keys.email !== undefined;
  const isWeak = isOther || (by.name === 'email' && by.found.role === 'shared');
  if (isOther && question.on_conflict === 'reject') return { does: 'reject', contact_ids: [contact.id] };
  if (isOther && question.on_conflict === 'keep_separate')
    return { does: 'create', placements: new Map([['phone', 'nowhere']]), warnings: [keptBy('phone', contact.id)] };

  const further = keys.filter(({ found }) => found && found.contact_id !== contact.id);
  const conflict = further.length > 0 ? decideConflict(question, by, contact, further, isWeak) : null;
  if (conflict) return conflict;
  const warnings = further.map(({ name, found }) => keptBy(name, found?.contact_id ?? ''));
  const placements = new Map(keys.map((key) => [key.name, placementOf(question, by, contact, key, isWeak)] as const));
  if (!isWeak) return { does: 'update', contact_id: contact.id, reach: 'whole', placements, warnings };
  const matched: IdentityWarning = { code: 'matched_by_phone', field: 'email', contact_id: contact.id };
  return { does: 'update', contact_id: contact.id, reach: 'weak', placements, warnings: [matched, ...warnings] };
}

const contactIn = ({ contacts }: IdentityQuestion, id: string): CandidateKeys => contacts.find((one) => one.id === id) ?? { id, keys: {} };

/** Keys of the row find other contacts, too. Null where these keep them. */
function decideConflict(
  question: IdentityQuestion,
  by: RowKey,
  contact: CandidateKeys,
  further: readonly RowKey[],
  isWeak: boolean,
): IdentityDecision | null {
  const ids = [...new Set(further.map(({ found }) => found?.contact_id ?? ''))];
  if (question.on_conflict === 'reject') return { does: 'reject', contact_ids: [contact.id, ...ids] };
  if (question.on_conflict === 'keep_separate' || isWeak) return null;
  const other = further.find(({ name, found }) => isOnePerson(question, by, contact, name, contactIn(question, found?.contact_id ?? '')));
  return other?.found ? { does: 'merge', contact_id: contact.id, other_id: other.found.contact_id } : null;
}

/** Whether the contact that a further key of the row finds is the same person: nothing that says who they are differs. */
function isOnePerson(question: IdentityQuestion, by: RowKey, contact: CandidateKeys, name: string, other: CandidateKeys): boolean {
  if (!isAddressName(by.name) && ownField(other.keys, by.name) !== undefined) return false;
  const hasEmail = contact.keys.email !== undefined || question.keys.some((key) => key.name === 'email');
  return name !== 'phone' || !hasEmail || other.keys.email === undefined;
}

/** Where a key of the row goes in a contact that takes it. */
function placementOf({ fillOnly }: IdentityQuestion, by: RowKey, contact: CandidateKeys, { name, key, found }: RowKey, isWeak: boolean): Placement {
  if (found && found.contact_id !== contact.id) return 'nowhere';
  // A weak row's own identifier would name the contact from then on.
  if (!isAddressName(name)) return isWeak && !found ? 'nowhere' : 'primary';
  const present = ownField(contact.keys, name);
  if (present === undefined || present === key) return 'primary';
  if (!isAddressName(by.name) && !fillOnly) return 'primary';
  if (found) return found.role === 'shared' ? 'shared' : 'other';
  return isWeak ? 'shared' : 'other';
}

/** By the email alone. A new contact takes what nobody has; one that there is takes no address and no identifier. */
function withoutCredentials(question: IdentityQuestion): IdentityDecision {
  const { keys } = question;
  const email = keys.find(({ name }) => name === 'email');
  if (!email?.found) {
    const placements = new Map(keys.map(({ name, found }) => [name, found ? ('nowhere' as const) : ('primary' as const)]));
    return { does: 'create', placements, warnings: keys.flatMap(({ name, found }) => (found ? [keptBy(name, found.contact_id)] : [])) };
  }
  const { contact_id, role } = email.found;
  const present = contactIn(question, contact_id).keys;
  const placements = new Map<string, Placement>(keys.map(({ name, key }) => [name, ownField(present, name) === key ? 'primary' : 'nowhere']));
  const warnings = keys.flatMap(({ name, found }) => (found && found.contact_id !== contact_id ? [keptBy(name, found.contact_id)] : []));
  if (role === 'shared') return { does: 'update', contact_id, reach: 'weak', placements, warnings };
  return { does: 'update', contact_id, reach: question.trust === 'confirmed' ? 'whole' : 'unproven', placements, warnings };
}
