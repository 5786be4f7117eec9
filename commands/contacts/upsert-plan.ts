import type { OnConflict } from '../../domain/accounts/settings.js';
import type { CreationBasis } from '../../domain/consent/marketing-basis.js';
import { type ContactSource, contact, contactErased, contactStream, liveContact } from '../../domain/contacts/contact.js';
import { type ContactPatch, emptyPatch, noFacts, onlyNames, restated, withoutNames } from '../../domain/contacts/facts.js';
import type { IdentityDecision, IdentityWarning, Reach, Trust } from '../../domain/contacts/identity.js';
import { addressOf, holdsKey, shownName } from '../../domain/contacts/other-addresses.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { IdentifyingKey, LoadedClaim } from '../../log/aggregates/contacts/load-claims.js';
import type { LoadedContact } from '../../log/aggregates/contacts/load-contact.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Plan } from '../runtime/command.js';
import { claimAppends } from './claims.js';
import { appendsTo, completeLinks, planMerge } from './links.js';
import {
  type ContactRow,
  factsOf,
  identify,
  inHeldSpelling,
  isPersonalValue,
  type LoadedRow,
  notApplied,
  patchFor,
  type RowEffect,
  replacedKeys,
  rootIdOf,
  rootsOf,
  withoutClearedAddresses,
} from './row-identity.js';

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
  /** What happens if the keys identify several contacts. Default: what the account says. */
  readonly on_conflict?: OnConflict;
  /** Who says it. Default: somebody with credentials. */
  readonly trust?: Trust;
  /** Part of the id of a contact that is created without an address, because others have those of its row. */
  readonly apart?: string;
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
  /** How far the row speaks for the contact. */
  readonly reach: Reach;
  readonly warnings: readonly IdentityWarning[];
  /** Names of the row's values that the contact did not take. */
  readonly not_applied: readonly string[];
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

/** Completes one half-made link behind the claims, or of a merge of this run; none if all are complete. */
export function completeRowLinks({ paths, mergedPaths = [] }: Pick<LoadedRow, 'paths' | 'mergedPaths'>, now: string): EventAppend[] {
  for (const path of [...paths.values(), ...mergedPaths]) {
    const appends = completeLinks(path, now);
    if (appends.length > 0) return appends;
  }
  return [];
}

/**
 * Finds the contact of a row, or creates it, and applies the row's patch, as `decideIdentity` says. Claims are appended before the
 * contact, and the contact only at the revision that was loaded with them, so an address never has two contacts. Throws `conflict` if
 * the keys identify several contacts, or a contact with another email, and `on_conflict` is `reject`.
 */
export function planUpsert(
  loaded: LoadedRow,
  progress: readonly UpsertProgress[],
  asked: ContactRow,
  options: UpsertOptions,
  caller: Caller,
): Plan<UpdateOutcome, UpsertProgress> {
  const given = inHeldSpelling(asked, loaded.claims);
  const half = completeRowLinks(loaded, caller.now);
  if (half.length > 0) return { appends: half };
  const { on_conflict = loaded.on_conflict ?? 'merge' } = options;
  const decision = identify(loaded, given, { ...options, on_conflict });
  const { row, warnings } = withFreeOthers(loaded, given, decision);
  switch (decision.does) {
    case 'reject':
      throw ambiguousRow(given, decision.contact_ids);
    case 'create':
      return planCreation(loaded, progress, row, { reach: 'whole', ...decision, warnings: [...decision.warnings, ...warnings] }, options, caller);
    case 'merge':
      return planRowMerge(loaded, decision, row, options, caller.now);
    case 'update': {
      const root = rootOf(loaded, decision.contact_id);
      const { reach, placements } = decision;
      const effect = { reach, placements, warnings: [...decision.warnings, ...warnings] };
      return planUpdate({ ...loaded, root }, progress, { ...row, patch: withoutClearedAddresses(row.patch) }, options, caller.now, effect);
    }
    default:
      return decision satisfies never;
  }
}

const rootOf = (loaded: LoadedRow, id: string): LoadedContact => rootsOf(loaded).find((root) => root.id === id) as LoadedContact;

/** The row without those further addresses that somebody has, if in another spelling. A row that does not speak for its contact adds none. */
function withFreeOthers(loaded: LoadedRow, row: ContactRow, decision: IdentityDecision): { row: ContactRow; warnings: readonly IdentityWarning[] } {
  const others = row.others ?? [];
  if (others.length === 0) return { row, warnings: [] };
  const own = decision.does === 'update' ? decision.contact_id : undefined;
  const foreign = others.filter(({ name }) => (rootIdOf(loaded, name) ?? own) !== own);
  const isRespelled = ({ name, key }: IdentifyingKey) => loaded.claims.some((claim) => claim.name === name && claim.holder && claim.key !== key);
  const dropped = decision.does === 'update' && decision.reach !== 'whole' ? others : [...foreign, ...others.filter(isRespelled)];
  const names = new Set(dropped.map(({ name }) => name));
  return {
    row: { ...row, others: others.filter(({ name }) => !names.has(name)), patch: withoutNames(row.patch, names) },
    warnings: foreign.map(({ name }) => ({
      code: addressOf(name) === 'email' ? 'email_kept_by' : 'phone_kept_by',
      field: shownName(name),
      contact_id: rootIdOf(loaded, name) ?? '',
    })),
  };
}

/** Merges two contacts that a row says are one. What the first has and the row does not say is said of it again: it wins. */
function planRowMerge(
  loaded: LoadedRow,
  { contact_id, other_id }: { readonly contact_id: string; readonly other_id: string },
  row: ContactRow,
  options: UpsertOptions,
  now: string,
): Plan<UpdateOutcome, UpsertProgress> {
  const [first, second] = [rootOf(loaded, contact_id), rootOf(loaded, other_id)];
  if (options.test) throw liveContact(second.id);
  const missing = [first, second].filter(({ state }) => state.status === 'new');
  if (missing.length > 0) return { appends: missing.flatMap((one) => createMissing(one, options, now)) };
  const said = new Set([...Object.keys(row.patch.values), ...Object.keys(row.patch.personal)]);
  const isPersonal = (name: string): boolean => isPersonalValue(name, loaded.fields ?? new Map());
  const patch = restated(loaded.unified.get(first.id), loaded.unified.get(second.id), { except: said, isPersonal });
  if (patch) return { appends: appendsTo(first, { type: 'Update', contact_id: first.id, patch, unified: noFacts, ...sourceOf(options), now }) };
  const { appends, merge_id, absorbed } = planMerge(first, second, 'row', now);
  return appends.length > 0 ? { appends, progress: { merge_id, absorbed } } : { appends };
}

const sourceOf = ({ source, import_id, test }: UpdateOptions) => ({ source, import_id, ...(test && { test }) });

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
  effect: RowEffect,
  options: UpsertOptions,
  { account, now }: Caller,
): Plan<UpdateOutcome, UpsertProgress> {
  const [first] = keys as [IdentifyingKey];
  const free = claims.filter(({ name, holder }) => !holder && Object.hasOwn(patch.keys, name) && effect.placements?.get(name) !== 'nowhere');
  const naming = free[0] ?? { key: `${first.key}/${options.apart ?? ''}`, state: { claims: 0 } };
  const id = hashId('con', account, naming.key, naming.state.claims);
  const kept = new Set(claims.flatMap(({ name }) => (free.some((one) => one.name === name) ? [] : [name])));
  const appends = creationAppends({
    id,
    claims: free,
    patch: withoutNames(patch, kept),
    ...sourceOf(options),
    ...(options.basis && { basis: options.basis }),
    now,
  });
  if (!appends) return { appends: [] };
  const { reach, warnings } = effect;
  const not_applied = [...kept].map(shownName).sort();
  const result = resultOf({ contact_id: id, about: id, outcome: 'created', reach, warnings, not_applied }, progress);
  return { appends: [...appends, ...(options.withNew?.(id) ?? [])], result };
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

/** Values are stored as they are. */
const asTheyAre: RowEffect = { reach: 'whole', placements: null, warnings: [] };

/**
 * Applies a row to a contact and its parts: a key that a part holds is updated there, everything else in `named` or in the
 * holder of the first key. Throws `contact_erased`.
 */
export function planUpdate(
  loaded: LoadedUpdate,
  progress: readonly UpsertProgress[],
  row: ContactRow,
  { fillOnly = false, ...options }: UpdateOptions,
  now: string,
  effect: RowEffect = asTheyAre,
): Plan<UpdateOutcome, UpsertProgress> {
  const { claims, root, named } = loaded;
  // The parts were deleted with it: the next round finds the keys free.
  if (root.state.status === 'deleted') return { appends: [] };
  if (root.state.status === 'erased') throw contactErased(root.id);
  const unified = loaded.unified.get(root.id);
  const isTaken = ({ name }: LoadedClaim): boolean => (rootIdOf(loaded, name) ?? root.id) === root.id && Object.hasOwn(row.patch.keys, name);
  const own = claims.filter(isTaken);
  const about = named ?? holderOf(loaded, root);
  const asked = { ...(unified && { unified }), fillOnly: fillOnly || effect.reach !== 'whole', ...sourceOf(options), now };
  const update = (to: LoadedContact, patch: ContactPatch) => appendsTo(to, { type: 'Update', contact_id: to.id, patch, ...asked });
  const ofParts = own.filter(({ holder }) => holder && holder.id !== about.id);
  const partAppends = groupByHolder(ofParts).flatMap(([holder, names]) => update(holder, patchFor(holder, onlyNames(row.patch, names), effect)));

  const patched = patchedRoot(progress);
  const { reach, warnings } = effect;
  const result = { contact_id: root.id, about: about.id, reach, warnings, not_applied: notApplied(unified, row, effect) };
  if (patched && ofParts.length === patched.holders.size && ofParts.every(({ name, holder }) => patched.holders.get(name) === holder?.id))
    return { appends: partAppends, result: resultOf({ ...result, outcome: patched.outcome }, progress) };

  const foreign = claims.filter((claim) => !own.includes(claim) || ofParts.includes(claim));
  const patch = patchFor(about, withoutNames(row.patch, new Set(foreign.map(({ name }) => name))), effect);
  const isNew = ({ name, key, holder }: LoadedClaim): boolean => !holder || (holder.id === about.id && !holdsKey(factsOf(about), name, key));
  const claimed = claimAppends({ now }, own.filter(isNew).filter(isPlaced(effect)), about.id);
  if (!claimed) return { appends: [] };
  const updates = update(about, patch);
  const outcome = patched && patched.outcome !== 'unchanged' ? patched.outcome : outcomeOf(root, updates);
  const replaced = { contact_id: about.id, keys: updates.length > 0 ? replacedKeys(about, { ...emptyPatch, keys: recordedKeys(updates) }) : [] };
  const appends = [...claimed, ...updates];
  // Parts have a round of their own: two rows that update each other's contacts would otherwise repeat their patches forever.
  if (appends.length > 0 && ofParts.length > 0)
    return { appends, progress: { outcome, replaced, holders: new Map(ofParts.map(({ name, holder }) => [name, holder?.id ?? ''])) } };
  return { appends: [...appends, ...partAppends], result: resultOf({ ...result, outcome }, progress, replaced) };
}

/** The holder of the first key of the row that this contact or a part of it has. */
const holderOf = (loaded: LoadedRow, root: LoadedContact): LoadedContact =>
  loaded.claims.find(({ name, holder }) => holder && rootIdOf(loaded, name) === root.id)?.holder as LoadedContact;

const isPlaced =
  ({ placements }: RowEffect) =>
  ({ name }: LoadedClaim): boolean =>
    placements?.get(name) !== 'nowhere';

/** The keys that an update records: a row that only fills leaves a key as it is. */
const recordedKeys = (updates: readonly EventAppend[]): ContactPatch['keys'] =>
  Object.fromEntries(updates.flatMap(({ events }) => events.flatMap(({ data }) => Object.entries((data as ContactPatch).keys))));

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

function ambiguousRow({ keys }: ContactRow, contact_ids: readonly string[]): DomainError {
  const names = keys.map(({ name }) => name).join(' and ');
  if (contact_ids.length > 1) return new DomainError('conflict', `This row names ${contact_ids.length} contacts by its ${names}.`, { contact_ids });
  return new DomainError(
    'conflict',
    'Another contact with another email has this phone. Leave the phone out, or merge the two if they are one person.',
    {
      contact_ids,
    },
  );
}
