/**
 * The addresses of a contact beside its email and its phone. Each is a value of its own, named by its key: so addresses of contacts that
 * are merged are together, and are apart again after an unmerge. Its claim is that of every address, so all look-ups find it.
 *
 * Names are stored, so they never change.
 */

import { ownField, setOwnField } from '../kernel/own-fields.js';
import type { TimestampedValue } from '../kernel/timestamped.js';
import { type ContactPatch, type Facts, heldKeysOf } from './facts.js';
import { spelledKey, spellingName } from './phone-spellings.js';

export type AddressName = 'email' | 'phone';
export const addressNames = ['email', 'phone'] as const satisfies readonly AddressName[];

/** The lists of further addresses, as requests, answers, files and templates name them. */
export const otherAddressFields = {
  other_emails: { of: 'email', columns: ['other_email', 'additional_emails', 'secondary_email'], description: 'Further email addresses.' },
  other_phones: { of: 'phone', columns: ['other_phone', 'additional_phones', 'secondary_phone'], description: 'Further phone numbers.' },
} as const satisfies Readonly<Record<string, { readonly of: AddressName; readonly columns: readonly string[]; readonly description: string }>>;

/** The name of a list of further addresses. */
export type OtherAddressField = keyof typeof otherAddressFields;
export const otherAddressNames = Object.keys(otherAddressFields) as readonly OtherAddressField[];
export const isOtherAddressField = (text: string): text is OtherAddressField => Object.hasOwn(otherAddressFields, text);

/** The list that has the further addresses of a kind. */
export const otherFieldOf = (name: AddressName): OtherAddressField => (name === 'email' ? 'other_emails' : 'other_phones');

/**
 * As what a contact has an address: to write to; as a further one; or as one of somebody with the same phone, who was only found by that
 * (`shared`). A row that names a shared one says nothing of the contact itself.
 */
export type AddressRole = 'primary' | 'other' | 'shared';

const prefixes: Readonly<Record<AddressName, Readonly<Record<Exclude<AddressRole, 'primary'>, string>>>> = {
  email: { other: 'other_emails.', shared: 'shared_emails.' },
  phone: { other: 'other_phones.', shared: 'shared_phones.' },
};

export const isAddressName = (name: string): name is AddressName => name === 'email' || name === 'phone';

/** The name of the value that holds an address as a further one. `key` is its HMAC. */
export const otherAddressName = (name: AddressName, key: string, role: 'other' | 'shared' = 'other'): string => `${prefixes[name][role]}${key}`;

/** The kind of the address that a value of this name is, `email` for `other_emails.…`; null for values that are no address. */
export function addressOf(name: string): AddressName | null {
  if (isAddressName(name)) return name;
  return addressNames.find((kind) => Object.values(prefixes[kind]).some((prefix) => name.startsWith(prefix))) ?? null;
}

/** The name that a value of this name has in requests and answers: `other_emails` for `other_emails.…` and `shared_emails.…`. */
export function shownName(name: string): string {
  const kind = isAddressName(name) ? null : addressOf(name);
  return kind === null ? name : otherFieldOf(kind);
}

/** Every name under which a contact may hold a key. */
export function namesOfKey(name: string, key: string): string[] {
  const kind = addressOf(name);
  return kind === null ? [name] : [kind, otherAddressName(kind, key), otherAddressName(kind, key, 'shared')];
}

/** Whether a contact has the key as it is, under whatever name. */
export const holdsItself = ({ keys }: Pick<Facts, 'keys'>, name: string, key: string): boolean =>
  namesOfKey(name, key).some((one) => ownField(keys, one)?.value === key);

/** Whether a contact has the key, under whatever name, or another spelling of the same number. */
export const holdsKey = (facts: Pick<Facts, 'keys'>, name: string, key: string): boolean =>
  holdsItself(facts, name, key) ||
  Object.keys(facts.keys).some((one) => {
    const number = spelledKey(one);
    return number !== null && ownField(facts.keys, one)?.value === key && holdsItself(facts, name, number);
  });

/** Whether a contact has an address only as that of somebody with the same phone. */
export const isSharedKey = ({ keys }: Pick<Facts, 'keys'>, name: AddressName, key: string): boolean =>
  ownField(keys, name)?.value !== key && ownField(keys, otherAddressName(name, key, 'shared'))?.value === key;

/** The name of a key; `phone` for that of another spelling of a number. */
export const plainKeyName = (name: string): string => (spelledKey(name) === null ? name : 'phone');

/** The kind of the address whose key facts hold under this name, other spellings of a number included; null for keys of no address. */
export const kindOfKey = (name: string): AddressName | null => addressOf(plainKeyName(name));

/** Every key that contacts have an address by, the further ones and those of other spellings included. */
export const allAddressKeysOf = (contacts: readonly { readonly facts: Facts }[]): { kind: AddressName; key: string }[] =>
  contacts.flatMap(({ facts }) =>
    heldKeysOf(facts).flatMap(({ name, key }) => {
      const kind = kindOfKey(name);
      return kind === null ? [] : [{ kind, key }];
    }),
  );

/** A value that was said under another name than it is shown under. */
export type ShownValue = TimestampedValue & { readonly from?: string };

/**
 * The unified facts of a contact with the addresses of its members that are not its email or its phone: each as a further one, under the
 * name that it was said under (`from`).
 */
export function withOtherAddresses(unified: Facts, members: readonly { readonly facts: Facts }[]): Facts {
  const values: Record<string, ShownValue> = { ...unified.values };
  for (const { facts } of members) {
    for (const name of addressNames) {
      const key = ownField(facts.keys, name)?.value;
      const own = ownField(facts.values, name);
      if (key && own && own.value !== null && key !== ownField(unified.keys, name)?.value)
        setOwnField(values, otherAddressName(name, key), { ...own, from: name });
    }
  }
  return { ...unified, values };
}

/** The further addresses in facts that have those of all members, in alphabetical order. */
export function otherAddressesOf({ values }: Facts, field: OtherAddressField): string[] {
  const { of } = otherAddressFields[field];
  const primary = ownField(values, of)?.value;
  const found = Object.entries(values).flatMap(([name, { value }]) => (addressOf(name) === of && typeof value === 'string' ? [value] : []));
  return [...new Set(found)].filter((address) => address !== primary).sort();
}

/** Where the address of a row goes: one of the roles, or nowhere. */
export type Placement = AddressRole | 'nowhere';

/**
 * The patch with each address where it belongs. A contact that gets another primary address keeps the one that it had as a further one,
 * unless it is one of those to forget, by their keys. `own` are the facts of the contact that takes the patch.
 */
export function placeAddresses(
  patch: ContactPatch,
  placements: ReadonlyMap<string, Placement>,
  own: Facts,
  forget: ReadonlySet<string> = new Set(),
): ContactPatch {
  const placed: OpenPatch = { personal: { ...patch.personal }, keys: { ...patch.keys }, cleared: [...patch.cleared] };
  for (const name of addressNames) {
    const value = ownField(patch.personal, name);
    const key = ownField(patch.keys, name);
    if (patch.cleared.includes(name)) keepFormer(placed, own, name, forget);
    if (value === undefined || !key) continue;
    const to = placements.get(name) ?? 'primary';
    if (to === 'primary') makePrimary(placed, own, { name, key }, forget);
    else makeFurther(placed, own, { name, key, value }, to);
  }
  return { ...patch, ...placed, said: Object.keys(placed.personal) };
}

/** A patch that is being made. */
interface OpenPatch {
  readonly personal: Record<string, unknown>;
  readonly keys: Record<string, string | null>;
  readonly cleared: string[];
}

/** The primary address that the contact has by itself becomes a further one, unless it is the new number in its other spelling. */
function keepFormer({ personal, keys }: OpenPatch, own: Facts, name: AddressName, forget: ReadonlySet<string>): void {
  const before = ownField(own.keys, name)?.value;
  const had = ownField(own.values, name)?.value;
  const next = ownField(keys, name);
  if (!before || typeof had !== 'string' || forget.has(before)) return;
  if (next && ownField(keys, spellingName(next)) === before) return;
  setOwnField(personal, otherAddressName(name, before), had);
  setOwnField(keys, otherAddressName(name, before), before);
}

/** What the contact had before stays as a further address; the new one is none any more. */
function makePrimary(
  { personal, keys, cleared }: OpenPatch,
  own: Facts,
  { name, key }: { name: AddressName; key: string },
  forget: ReadonlySet<string>,
): void {
  if (ownField(own.keys, name)?.value !== key) keepFormer({ personal, keys, cleared }, own, name, forget);
  for (const role of ['other', 'shared'] as const) {
    const further = otherAddressName(name, key, role);
    if (!ownField(own.keys, further)?.value) continue;
    cleared.push(further);
    setOwnField(keys, further, null);
  }
}

/** What the contact has as its own does not become somebody else's. */
function makeFurther(
  { personal, keys }: OpenPatch,
  own: Facts,
  { name, key, value }: { name: AddressName; key: string; value: unknown },
  to: Exclude<Placement, 'primary'>,
): void {
  delete personal[name];
  delete keys[name];
  if (to === 'nowhere' || holdsKey(own, name, key)) return;
  setOwnField(personal, otherAddressName(name, key, to), value);
  setOwnField(keys, otherAddressName(name, key, to), key);
}
