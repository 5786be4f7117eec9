import type { OnConflict } from '../../domain/accounts/settings.js';
import type { ExistingContact } from '../../domain/contacts/contact.js';
import { contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { applyPatch, type ContactPatch, CUSTOM_FIELD_PREFIX, type Facts, noFacts, withoutNames } from '../../domain/contacts/facts.js';
import { decideIdentity, type IdentityDecision, type IdentityWarning, type Reach, type RowKey, type Trust } from '../../domain/contacts/identity.js';
import { type AddressRole, isAddressName, otherAddressName, type Placement, placeAddresses } from '../../domain/contacts/other-addresses.js';
import { spelledKey, spellingName, spellingsOf } from '../../domain/contacts/phone-spellings.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { claimedKeysIn, type IdentifyingKey, type LoadedClaim } from '../../log/aggregates/contacts/load-claims.js';
import type { LoadedContact } from '../../log/aggregates/contacts/load-contact.js';

/** What a call or a row changes of a contact, in normal form. */
export interface ContactRow {
  /** What identifies the contact, the first key before the others. At least one. */
  readonly keys: readonly IdentifyingKey[];
  /** Its further addresses, which identify nobody. Their values are in the patch, under the same names. */
  readonly others?: readonly IdentifyingKey[];
  readonly patch: ContactPatch;
}

/** All keys of a row that a contact has to claim. */
export const claimedKeysOf = ({ keys, others = [] }: ContactRow): IdentifyingKey[] => [...keys, ...others];

/** The same as texts, with those of other spellings. */
export const keyTextsOf = (row: ContactRow): string[] => claimedKeysOf(row).flatMap(({ key, spellings = [] }) => [key, ...spellings]);

/**
 * A row whose phone somebody has in its other spelling, as if it named that one: it is the same number, so nothing of it changes. The
 * claims of such a row have the key of the spelling that the contact has.
 */
export function inHeldSpelling(row: ContactRow, claims: readonly LoadedClaim[]): ContactRow {
  const given = ownField(row.patch.keys, 'phone');
  const phone = ownField(row.patch.personal, 'phone');
  const held = claims.find(({ name, holder }) => name === 'phone' && holder !== null)?.key;
  if (!given || typeof phone !== 'string' || held === undefined || held === given) return row;
  const [, other = phone] = spellingsOf(phone);
  const keys = Object.fromEntries(Object.entries(row.patch.keys).filter(([name]) => spelledKey(name) !== given));
  const named = row.keys.map((one) => (one.name === 'phone' ? { name: 'phone', key: held, spellings: [given] } : one));
  const patch = { ...row.patch, personal: { ...row.patch.personal, phone: other }, keys: { ...keys, phone: held, [spellingName(held)]: given } };
  return { ...row, keys: named, patch };
}

/** The claims of a row's keys with the contacts behind them. */
export interface LoadedRow {
  readonly claims: readonly LoadedClaim[];
  /** By the name of a claim that is held: the contacts from its holder to the root. */
  readonly paths: ReadonlyMap<string, readonly LoadedContact[]>;
  /** From each contact that this run has merged to its root: its link is completed even if no claim leads to it any more. */
  readonly mergedPaths?: readonly (readonly LoadedContact[])[];
  /** By the id of a root its facts, unified. None for one that does not exist yet. */
  readonly unified: ReadonlyMap<string, Facts>;
  /** The custom fields of the account, where there are several roots. */
  readonly fields?: CustomFields;
  /** What the account does with rows that name several people, where it may matter. */
  readonly on_conflict?: OnConflict;
}

/** Whether the value of this name is personal data. One of a field that is gone counts as personal. */
export function isPersonalValue(name: string, fields: CustomFields): boolean {
  if (isBaseField(name)) return contactFields[name].isPersonal;
  return !name.startsWith(CUSTOM_FIELD_PREFIX) || (fields.get(name.slice(CUSTOM_FIELD_PREFIX.length))?.pii ?? true);
}

/** The roots of all holders, each once, in the order of the claims. */
export const rootsOf = ({ paths }: Pick<LoadedRow, 'paths'>): LoadedContact[] => [
  ...new Map([...paths.values()].map((path) => path.at(-1) as LoadedContact).map((root) => [root.id, root])).values(),
];

export const rootIdOf = ({ paths }: Pick<LoadedRow, 'paths'>, name: string): string | undefined => paths.get(name)?.at(-1)?.id;

interface IdentityOptions {
  readonly on_conflict: OnConflict;
  readonly trust?: Trust;
  readonly fillOnly?: boolean;
}

/** Decides which contact a row is about, and what becomes of its addresses. */
export function identify(
  loaded: LoadedRow,
  { keys }: ContactRow,
  { on_conflict, trust = 'credentials', fillOnly = false }: IdentityOptions,
): IdentityDecision {
  const identifying = new Set(keys.map(({ name }) => name));
  const rowKeys: RowKey[] = loaded.claims.flatMap(({ name, key, holder }) => {
    if (!identifying.has(name)) return [];
    const contact_id = rootIdOf(loaded, name);
    return [{ name, key, found: holder && contact_id !== undefined ? { contact_id, role: roleOf(loaded, contact_id, holder, name, key) } : null }];
  });
  const contacts = rootsOf(loaded).map(({ id }) => ({ id, keys: presentKeys(loaded.unified.get(id)) }));
  return decideIdentity({ keys: rowKeys, contacts, trust, on_conflict, fillOnly });
}

/** As what a contact has a key. One that is claimed for a contact that has not recorded it yet is its own. */
function roleOf({ unified }: LoadedRow, root: string, { state }: LoadedContact, name: string, key: string): AddressRole {
  const keys = unified.get(root)?.keys ?? {};
  if (!isAddressName(name) || !ownField(keys, name)?.value || ownField(keys, name)?.value === key || state.status === 'new') return 'primary';
  return ownField(state.facts.keys, otherAddressName(name, key, 'shared'))?.value ? 'shared' : 'other';
}

const presentKeys = (facts: Facts | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(facts?.keys ?? {}).flatMap(([name, { value }]) => (value ? [[name, value] as const] : [])));

/** How a row is applied to the contact that it is about. */
export interface RowEffect {
  readonly reach: Reach;
  /** Null: every value is stored as it is. */
  readonly placements: ReadonlyMap<string, Placement> | null;
  /** Keys of addresses that do not stay as further ones where they are replaced. */
  readonly forget?: ReadonlySet<string>;
  readonly warnings: readonly IdentityWarning[];
}

/** The row's values as the contact stores them, and without those that it does not take. */
export function patchFor(contact: LoadedContact, patch: ContactPatch, { placements, forget }: RowEffect): ContactPatch {
  if (!placements) return patch;
  const nowhere = [...placements].flatMap(([name, to]) => (to === 'nowhere' && !isAddressName(name) ? [name] : []));
  return placeAddresses(withoutNames(patch, new Set(nowhere)), placements, factsOf(contact), forget);
}

export const factsOf = ({ state }: Pick<LoadedContact, 'state'>): Facts => (state.status === 'new' ? noFacts : (state as ExistingContact).facts);

/** Keys that the contact had and that it does not have any more after the patch. */
export function replacedKeys(of: LoadedContact, patch: ContactPatch): IdentifyingKey[] {
  const before = factsOf(of);
  const kept = new Set(claimedKeysIn(applyPatch(before, patch, '')).map(({ key }) => key));
  return claimedKeysIn(before).filter(({ key }) => !kept.has(key));
}

/** A row never takes an address away, whatever it leaves empty: only a request that names the contact does. */
export const withoutClearedAddresses = (patch: ContactPatch): ContactPatch =>
  patch.cleared.some(isAddressName) ? { ...patch, cleared: patch.cleared.filter((name) => !isAddressName(name)), keys: withValues(patch) } : patch;

const withValues = ({ keys }: ContactPatch): ContactPatch['keys'] =>
  Object.fromEntries(Object.entries(keys).filter(([name, key]) => key !== null || !isAddressName(name)));

/** The names of the row's values that a contact does not take, because it has others or because the row does not speak for it. */
export function notApplied(facts: Facts | undefined, { patch }: ContactRow, { reach, placements }: RowEffect): string[] {
  if (reach === 'whole') return [];
  const given = { ...patch.values, ...patch.personal };
  const isOther = (name: string, value: unknown): boolean => {
    const present = ownField(facts?.values ?? {}, name)?.value ?? null;
    return present !== null && JSON.stringify(present) !== JSON.stringify(value);
  };
  const names = Object.keys(given).filter((name) => {
    // The contact has the email already, or takes it beside its own.
    if (name === 'email') return false;
    return placements?.get(name) === 'nowhere' || (!isAddressName(name) && isOther(name, ownField(given, name)));
  });
  return names.sort();
}
