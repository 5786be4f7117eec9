/**
 * The facts of a contact: values by name, and tags. Merged contacts are not copied into each other: each keeps its own facts,
 * and reading unifies them. So a merge can be undone at any time.
 */

import { ERASED, isUnreadable } from '../kernel/erased.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { latest, type TimestampedValue, unifyRecords } from '../kernel/timestamped.js';
import { spelledKey, spellingName } from './phone-spellings.js';

/** Names of values: those of `contact-fields.ts`, and `custom_fields.<key>`. */
export const CUSTOM_FIELD_PREFIX = 'custom_fields.';
export const customFieldName = (key: string): string => `${CUSTOM_FIELD_PREFIX}${key}`;

/**
 * `keys` holds the key of each value that can be searched for: email, phone, unique and personal custom fields; and beside the key of a
 * phone that of its other spelling (`spellingName`).
 */
export interface Facts {
  readonly values: Readonly<Record<string, TimestampedValue>>;
  readonly keys: Readonly<Record<string, TimestampedValue<string | null>>>;
  /** True if the contact has the tag. */
  readonly tags: Readonly<Record<string, TimestampedValue<boolean>>>;
}

export const noFacts: Facts = { values: {}, keys: {}, tags: {} };

/** Of two values the latest; the union of tags. */
export const unifyFacts = (left: Facts, right: Facts, unifiedAt: string): Facts => ({
  values: unifyRecords(left.values, right.values, unifiedAt, latest),
  keys: unifyRecords(left.keys, right.keys, unifiedAt, latest),
  tags: unifyRecords(left.tags, right.tags, unifiedAt, (a, b) => (a.value === b.value ? latest(a, b) : a.value ? a : b)),
});

/** The keys that a contact has, by their names: not those of other spellings of a number that it has given up. */
export function heldKeysOf({ keys }: Pick<Facts, 'keys'>): { readonly name: string; readonly key: string }[] {
  const all = Object.entries(keys).flatMap(([name, { value }]) => (value ? [{ name, key: value }] : []));
  const numbers = new Set(all.flatMap(({ name, key }) => (spelledKey(name) === null ? [key] : [])));
  return all.filter(({ name }) => numbers.has(spelledKey(name) ?? '') || spelledKey(name) === null);
}

/** The key of the other spelling of a number, where the facts have one. */
export const otherSpellingIn = ({ keys }: Pick<Facts, 'keys'>, key: string): string | null => ownField(keys, spellingName(key))?.value ?? null;

/** The addresses that contacts can be reached at, each by the HMACs under which it may be suppressed: one for each of its spellings. */
export const addressKeysOf = (contacts: readonly { readonly facts: Facts }[]): { kind: 'email' | 'phone'; key: string }[] =>
  contacts.flatMap(({ facts }) =>
    (['email', 'phone'] as const).flatMap((kind) => {
      const key = facts.keys[kind]?.value;
      const other = key && otherSpellingIn(facts, key);
      return key ? [{ kind, key }, ...(other ? [{ kind, key: other }] : [])] : [];
    }),
  );

/** The changes of a call or row, as its event stores them. */
export interface ContactPatch {
  /** Open values, by name. */
  readonly values: Record<string, unknown>;
  /** Personal values, by name. The event seals them. */
  readonly personal: Record<string, unknown>;
  /** Names of the personal values. */
  readonly said: string[];
  /** Names of values that are removed. */
  readonly cleared: string[];
  readonly keys: Record<string, string | null>;
  readonly tags_added: string[];
  readonly tags_removed: string[];
}

export const emptyPatch: ContactPatch = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: [], tags_removed: [] };

export function applyPatch(facts: Facts, patch: ContactPatch, at: string): Facts {
  const { values, personal, said, cleared, keys, tags_added, tags_removed } = patch;
  const as = <V>(value: V): TimestampedValue<V> => ({ value, at });
  const newValues: Record<string, TimestampedValue> = { ...facts.values };
  for (const name of Object.keys(values)) setOwnField(newValues, name, as(ownField(values, name)));
  for (const name of said) setOwnField(newValues, name, as(Object.hasOwn(personal, name) ? ownField(personal, name) : ERASED));
  for (const name of cleared) setOwnField(newValues, name, as(null));
  const newKeys: Record<string, TimestampedValue<string | null>> = { ...facts.keys };
  for (const name of Object.keys(keys)) setOwnField(newKeys, name, as(ownField(keys, name) as string | null));
  return { values: newValues, keys: newKeys, tags: tags_added.length + tags_removed.length === 0 ? facts.tags : applyTags(facts.tags, patch, at) };
}

/** Tags are chosen by callers and may be `__proto__` or `constructor`; names of values are ours or have our prefix. */
function applyTags(tags: Facts['tags'], { tags_added, tags_removed }: ContactPatch, at: string): Facts['tags'] {
  const as = (value: boolean) => (tag: string) => [tag, { value, at }] as const;
  return { ...tags, ...Object.fromEntries([...tags_added.map(as(true)), ...tags_removed.map(as(false))]) };
}

const isComposite = (value: unknown): boolean => typeof value === 'object' && value !== null;
const same = (a: unknown, b: unknown): boolean =>
  (a ?? null) === (b ?? null) || (isComposite(a) && isComposite(b) && JSON.stringify(a) === JSON.stringify(b));
const valueIn = (facts: Facts, name: string): unknown => ownField(facts.values, name)?.value ?? null;

/**
 * The part of a patch that changes something, or null. `facts` are those of the unified contact. `fillOnly` keeps values that are
 * already set.
 */
export function effectivePatch(facts: Facts, patch: ContactPatch, fillOnly = false): ContactPatch | null {
  const isChange = (name: string, value: unknown): boolean => {
    const present = valueIn(facts, name);
    return !same(present, value) && !(fillOnly && present !== null);
  };
  const values = pick(patch.values, isChange);
  const personal = pick(patch.personal, isChange);
  const cleared = patch.cleared.filter((name) => isChange(name, null));
  const changed = new Set([...Object.keys(values), ...Object.keys(personal), ...cleared]);
  const keys = pickKeys(patch.keys, (name) => changed.has(name));
  const tags_added = patch.tags_added.filter((tag) => ownField(facts.tags, tag)?.value !== true);
  const tags_removed = patch.tags_removed.filter((tag) => ownField(facts.tags, tag)?.value === true);
  if (changed.size === 0 && tags_added.length === 0 && tags_removed.length === 0) return null;
  return { values, personal, said: Object.keys(personal), cleared, keys, tags_added, tags_removed };
}

/**
 * The values of one contact that another one has set to something else since, in a patch that says them again; null if there are none.
 * `except` names those that are said anyway. Applied to `facts`, they are the latest where the two are merged.
 */
export function restated(
  facts: Facts | undefined,
  others: Facts | undefined,
  { except, isPersonal }: { readonly except: ReadonlySet<string>; readonly isPersonal: (name: string) => boolean },
): ContactPatch | null {
  const values: Record<string, unknown> = {};
  const personal: Record<string, unknown> = {};
  const keys: Record<string, string | null> = {};
  for (const [name, { value, at }] of Object.entries(facts?.values ?? {})) {
    const other = ownField(others?.values ?? {}, name);
    if (value === null || except.has(name) || !other || other.at <= at || same(other.value, value) || isUnreadable(value)) continue;
    setOwnField(isPersonal(name) ? personal : values, name, value);
    const key = ownField(facts?.keys ?? {}, name)?.value;
    if (!key) continue;
    setOwnField(keys, name, key);
    const spelling = facts && otherSpellingIn(facts, key);
    if (spelling) setOwnField(keys, spellingName(key), spelling);
  }
  if (Object.keys(values).length === 0 && Object.keys(personal).length === 0) return null;
  return { ...emptyPatch, values, personal, said: Object.keys(personal), keys };
}

/** The patch without some values. */
export const withoutNames = (patch: ContactPatch, names: ReadonlySet<string>): ContactPatch =>
  names.size === 0 ? patch : narrow(patch, (name) => !names.has(name));

/** The patch with only some values and without tags. */
export const onlyNames = (patch: ContactPatch, names: ReadonlySet<string>): ContactPatch => ({
  ...narrow(patch, (name) => names.has(name)),
  tags_added: [],
  tags_removed: [],
});

function narrow(patch: ContactPatch, wanted: (name: string) => boolean): ContactPatch {
  const personal = pick(patch.personal, wanted);
  const cleared = patch.cleared.filter(wanted);
  return { ...patch, values: pick(patch.values, wanted), personal, said: Object.keys(personal), cleared, keys: pickKeys(patch.keys, wanted) };
}

/** The wanted keys, and those of other spellings of the numbers among them. */
function pickKeys(keys: ContactPatch['keys'], wanted: (name: string) => boolean): ContactPatch['keys'] {
  const picked = pick(keys, (name) => spelledKey(name) === null && wanted(name));
  if (Object.keys(keys).every((name) => spelledKey(name) === null)) return picked;
  const numbers = new Set(Object.values(picked));
  return { ...picked, ...pick(keys, (name) => spelledKey(name) !== null && numbers.has(spelledKey(name))) };
}

function pick<V>(record: Record<string, V>, wanted: (name: string, value: V) => boolean): Record<string, V> {
  const all = Object.entries(record);
  const picked = all.filter(([name, value]) => wanted(name, value));
  return picked.length === all.length ? record : Object.fromEntries(picked);
}
