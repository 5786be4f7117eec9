import type { CreationBasis } from '../../domain/consent/marketing-basis.js';
import { type ContactSource, contact, contactErased, contactStream, type ExistingContact, liveContact } from '../../domain/contacts/contact.js';
import { type ContactPatch, emptyPatch, type Facts, onlyNames, withoutNames } from '../../domain/contacts/facts.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { IdentifyingKey, LoadedClaim } from '../../log/aggregates/contacts/load-claims.js';
import type { LoadedContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Plan } from '../runtime/command.js';
import { claimAppends } from './claims.js';
import { appendsTo, completeLinks, planMerge } from './links.js';

/** What a call or a row changes of a contact, in normal form. */
export interface ContactRow {
  /** What identifies the contact, the first key before the others. At least one. */
  readonly keys: readonly IdentifyingKey[];
  readonly patch: ContactPatch;
}

export interface UpdateOptions {
  readonly source: ContactSource;
  readonly import_id: string | null;
  /** Keeps values that the contact already has. */
  readonly fillOnly?: boolean;
  /** By a test key. */
  readonly test?: true;
  /** Of a contact that a form or an import makes. */
  readonly basis?: CreationBasis;
}

export interface UpsertOptions extends UpdateOptions {
  /** What happens if the keys identify several contacts. */
  readonly on_conflict: 'merge' | 'reject' | 'keep_separate';
  /** The claims as they were loaded a moment ago; an append is refused if one has changed since. */
  readonly claims?: readonly LoadedClaim[];
  /** What is appended together with a contact that is created. */
  readonly withNew?: (contact_id: string) => readonly EventAppend[];
}

export interface UpdateResult {
  /** The root. */
  readonly contact_id: string;
  /** The contact that was updated: the root, or one that is merged into it. */
  readonly about: string;
  readonly outcome: 'created' | 'merged' | 'unchanged';
}

/** The claims of a row's keys with the contacts behind them. */
export interface LoadedRow {
  readonly claims: readonly LoadedClaim[];
  /** By the name of a claim that is held: the contacts from its holder to the root. */
  readonly paths: ReadonlyMap<string, readonly LoadedContact[]>;
  /** From each contact that this run has merged to its root: its link is completed even if no claim leads to it any more. */
  readonly mergedPaths?: readonly (readonly LoadedContact[])[];
  /** Facts of the first root, unified; null if it does not exist yet. */
  readonly unified: Facts | null;
}

/** What earlier rounds have appended. */
export type UpsertProgress = RecordedMerge | PatchedRoot;

/** The younger contact has recorded the merge; the older one may not have. */
interface RecordedMerge {
  readonly merge_id: string;
  readonly absorbed: string;
}

/** Ids of the contacts that earlier rounds have merged. */
export const absorbedBy = (progress: readonly UpsertProgress[]): string[] => progress.flatMap((step) => ('absorbed' in step ? [step.absorbed] : []));

/** The row's patch is recorded; what is left are the keys that parts of the contact hold. */
interface PatchedRoot {
  readonly outcome: UpdateResult['outcome'];
  /** Keys that the patch has replaced. */
  readonly replaced: ReplacedKeys;
  /** By the name of the key, the part that holds it. */
  readonly holders: ReadonlyMap<string, string>;
}

export interface ReplacedKeys {
  readonly contact_id: string;
  readonly keys: readonly IdentifyingKey[];
}

/** The result of an upsert or update, and the keys that are no longer needed. */
export interface UpdateOutcome extends UpdateResult {
  readonly merge_ids: readonly string[];
  readonly replaced: readonly ReplacedKeys[];
}

interface Caller {
  readonly account: string;
  readonly now: string;
}

/** The roots of all holders, each once, in the order of the claims. */
export const rootsOf = ({ paths }: Pick<LoadedRow, 'paths'>): LoadedContact[] => [
  ...new Map([...paths.values()].map((path) => path.at(-1) as LoadedContact).map((root) => [root.id, root])).values(),
];

export const rootIdOf = ({ paths }: Pick<LoadedRow, 'paths'>, name: string): string | undefined => paths.get(name)?.at(-1)?.id;

/** Completes one half-made link behind the claims, or of a merge of this run; none if all are complete. */
export function completeRowLinks({ paths, mergedPaths = [] }: Pick<LoadedRow, 'paths' | 'mergedPaths'>, now: string): EventAppend[] {
  for (const path of [...paths.values(), ...mergedPaths]) {
    const appends = completeLinks(path, now);
    if (appends.length > 0) return appends;
  }
  return [];
}

/**
 * Finds the contact of a row, or creates it, and applies the row's patch. Claims are appended before the contact, and the
 * contact only at the revision that was loaded with them, so an address never has two contacts. Throws `conflict` if the keys
 * identify several contacts and `on_conflict` is `reject`.
 */
export function planUpsert(
  loaded: LoadedRow,
  progress: readonly UpsertProgress[],
  row: ContactRow,
  options: UpsertOptions,
  caller: Caller,
): Plan<UpdateOutcome, UpsertProgress> {
  const half = completeRowLinks(loaded, caller.now);
  if (half.length > 0) return { appends: half };
  const roots = rootsOf(loaded);
  const [first, second] = roots;
  if (!first) return planCreation(loaded, progress, row, options, caller);
  if (!second || options.on_conflict === 'keep_separate') return planUpdate({ ...loaded, root: first }, progress, row, options, caller.now);
  if (options.on_conflict === 'reject') throw ambiguousRow(row, roots);
  if (options.test) throw liveContact(second.id);
  const missing = roots.filter(({ state }) => state.status === 'new');
  if (missing.length > 0) return { appends: missing.flatMap((one) => createMissing(one, options, caller.now)) };
  const { appends, merge_id, absorbed } = planMerge(first, second, 'row', caller.now);
  return appends.length > 0 ? { appends, progress: { merge_id, absorbed } } : { appends };
}

/** Creates a contact that has a claim and no events: the run that claimed it was interrupted, or is about to create it. */
const createMissing = (missing: LoadedContact, { source, import_id, basis, test }: UpdateOptions, now: string): EventAppend[] =>
  appendsTo(missing, {
    ...{ type: 'Update', contact_id: missing.id, patch: emptyPatch, source, import_id },
    ...(basis && { basis }),
    ...(test && { test }),
    now,
  });

function planCreation(
  { claims }: LoadedRow,
  progress: readonly UpsertProgress[],
  { keys, patch }: ContactRow,
  options: UpsertOptions,
  { account, now }: Caller,
): Plan<UpdateOutcome, UpsertProgress> {
  const [first] = keys as [IdentifyingKey];
  const id = hashId('con', account, first.key, claims[0]?.state.claims ?? 0);
  const { source, import_id, basis, test } = options;
  const appends = creationAppends({ id, claims, patch, source, import_id, ...(basis && { basis }), ...(test && { test }), now });
  if (!appends) return { appends: [] };
  return { appends: [...appends, ...(options.withNew?.(id) ?? [])], result: resultOf({ contact_id: id, about: id, outcome: 'created' }, progress) };
}

interface Creation {
  readonly id: string;
  readonly claims: readonly LoadedClaim[];
  readonly patch: ContactPatch;
  readonly source: ContactSource;
  readonly import_id: string | null;
  readonly basis?: CreationBasis;
  readonly test?: true;
  readonly now: string;
}

/** The claims of a new contact's keys, then the contact. Null if one of the keys belongs to another contact. */
export function creationAppends({ id, claims, ...creation }: Creation): EventAppend[] | null {
  const claimed = claimAppends({ now: creation.now }, claims, id);
  const events = contact.decide({ type: 'Update', contact_id: id, ...creation }, contact.initial);
  return claimed && [...claimed, { stream: contactStream(id), expected: 'no-stream', events }];
}

/** A row whose contact is known. `named` is the contact to update; without it, the holder of the first key. */
export interface LoadedUpdate extends LoadedRow {
  readonly root: LoadedContact;
  readonly named?: LoadedContact;
}

/**
 * Applies a row to a contact and its parts: a key that a part holds is updated there, everything else in `named` or in the
 * holder of the first key. Throws `contact_erased`.
 */
export function planUpdate(
  loaded: LoadedUpdate,
  progress: readonly UpsertProgress[],
  row: ContactRow,
  options: UpdateOptions,
  now: string,
): Plan<UpdateOutcome, UpsertProgress> {
  const { claims, root, named, unified } = loaded;
  // The parts were deleted with it: the next round finds the keys free.
  if (root.state.status === 'deleted') return { appends: [] };
  if (root.state.status === 'erased') throw contactErased(root.id);
  const own = claims.filter(({ name }) => (rootIdOf(loaded, name) ?? root.id) === root.id);
  const about = named ?? (own.find(({ holder }) => holder)?.holder as LoadedContact);
  const update = (to: LoadedContact, patch: ContactPatch) =>
    appendsTo(to, { type: 'Update', contact_id: to.id, patch, ...(unified && { unified }), now, ...options });
  const ofParts = own.filter(({ holder }) => holder && holder.id !== about.id);
  const partAppends = groupByHolder(ofParts).flatMap(([holder, names]) => update(holder, onlyNames(row.patch, names)));

  const patched = patchedRoot(progress);
  const result = { contact_id: root.id, about: about.id };
  if (patched && ofParts.length === patched.holders.size && ofParts.every(({ name, holder }) => patched.holders.get(name) === holder?.id))
    return { appends: partAppends, result: resultOf({ ...result, outcome: patched.outcome }, progress) };

  const toClaim = own.filter((claim) => !claim.holder || (claim.holder.id === about.id && !hasRecorded(about, claim)));
  const claimed = claimAppends({ now }, toClaim, about.id);
  if (!claimed) return { appends: [] };
  const foreign = claims.filter((claim) => !own.includes(claim) || ofParts.includes(claim));
  const patch = withoutNames(row.patch, new Set(foreign.map(({ name }) => name)));
  const updates = update(about, patch);
  const outcome = patched && patched.outcome !== 'unchanged' ? patched.outcome : outcomeOf(root, updates);
  const replaced = { contact_id: about.id, keys: updates.length > 0 ? replacedKeys(about, patch) : [] };
  const appends = [...claimed, ...updates];
  // Parts have a round of their own: two rows that update each other's contacts would otherwise repeat their patches forever.
  if (appends.length > 0 && ofParts.length > 0)
    return { appends, progress: { outcome, replaced, holders: new Map(ofParts.map(({ name, holder }) => [name, holder?.id ?? ''])) } };
  return { appends: [...appends, ...partAppends], result: resultOf({ ...result, outcome }, progress, replaced) };
}

const outcomeOf = (root: LoadedContact, updates: readonly EventAppend[]): UpdateResult['outcome'] =>
  root.state.status === 'new' ? 'created' : updates.length > 0 ? 'merged' : 'unchanged';

const patchedRoot = (progress: readonly UpsertProgress[]): PatchedRoot | undefined =>
  progress.findLast((step): step is PatchedRoot => 'holders' in step);

const resultOf = (result: UpdateResult, progress: readonly UpsertProgress[], ...replaced: readonly ReplacedKeys[]): UpdateOutcome => ({
  ...result,
  merge_ids: progress.flatMap((step) => ('merge_id' in step ? [step.merge_id] : [])),
  replaced: [...progress.flatMap((step) => ('holders' in step ? [step.replaced] : [])), ...replaced],
});

function groupByHolder(claims: readonly LoadedClaim[]): [holder: LoadedContact, names: Set<string>][] {
  const groups = new Map<string, [LoadedContact, Set<string>]>();
  for (const { name, holder } of claims) {
    if (!holder) continue;
    const group = groups.get(holder.id) ?? [holder, new Set<string>()];
    group[1].add(name);
    groups.set(holder.id, group);
  }
  return [...groups.values()];
}

const hasRecorded = ({ state }: LoadedContact, { name, key }: IdentifyingKey): boolean =>
  state.status !== 'new' && ownField(state.facts.keys, name)?.value === key;

/** Keys that the contact had and that the patch replaces or clears. */
function replacedKeys({ state }: LoadedContact, { keys }: ContactPatch): IdentifyingKey[] {
  if (state.status === 'new') return [];
  const { facts }: ExistingContact = state;
  return Object.entries(keys).flatMap(([name, key]) => {
    const before = ownField(facts.keys, name)?.value;
    return before && before !== key ? [{ name, key: before }] : [];
  });
}

function ambiguousRow({ keys }: ContactRow, roots: readonly LoadedContact[]): DomainError {
  const names = keys.map(({ name }) => name).join(' and ');
  return new DomainError('conflict', `This row names ${roots.length} contacts by its ${names}.`, { contact_ids: roots.map(({ id }) => id) });
}
