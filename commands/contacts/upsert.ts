import { type ContactSource, contact, contactErased, contactStream, type ExistingContact } from '../../domain/contacts/contact.js';
import { type ContactPatch, emptyPatch, noFacts } from '../../domain/contacts/facts.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { type IdentifyingKey, type LoadedClaim, loadClaims } from '../../log/contacts/load-claims.js';
import type { LoadedContact } from '../../log/contacts/load-contact.js';
import { type UnitedContact, uniteContact } from '../../log/contacts/unite-contact.js';
import type { EventAppend } from '../../log/event-log.js';
import { hashId } from '../../log/ids.js';
import { tryAppend, tryAppendAll } from '../append.js';
import type { Context } from '../kernel.js';
import { appendClaims, claimAppends, loadLikelyClaims, releaseKeys } from './claims.js';
import { completeLinksToRoot, mergeContacts } from './merge.js';

/** What a call or a row says of a contact, in its one spelling. */
export interface ContactRow {
  /** What names the contact, the most telling first. At least one. */
  readonly keys: readonly IdentifyingKey[];
  readonly patch: ContactPatch;
}

export interface UpsertOptions {
  readonly source: ContactSource;
  readonly import_id: string | null;
  /** Values that are there already stay. */
  readonly fillOnly?: boolean;
  /** What becomes of a row whose keys name two contacts. */
  readonly on_conflict: 'merge' | 'reject' | 'keep_separate';
  /** The claims of the row's keys as they were a moment ago: that they still are so shows where something is appended. */
  readonly claims?: readonly LoadedClaim[];
}

export interface Upserted {
  /** The contact as which it answers. */
  readonly contact_id: string;
  /** The contact of which it was said: the same, or one that is merged into it. */
  readonly about: string;
  readonly outcome: 'created' | 'merged' | 'unchanged';
  readonly merge_ids: readonly string[];
}

/** Many may say something of the same few contacts at once; each of them gets on in one round of all. */
export const MAX_ROUNDS = 100;

/**
 * Finds the contact that a row names, or makes it, and says of it what the row says. However many do so at the same time,
 * and wherever one of them is killed: an address never has two contacts. The keys are claimed first; what is said is
 * appended only to the contact as it stood before they were. Throws `conflict` where the row names two contacts and may
 * not merge them.
 */
export const upsertContact = (context: Context, row: ContactRow, options: UpsertOptions): Promise<Upserted> =>
  context.exclusively(
    row.keys.map(({ key }) => key),
    () => upsertExclusively(context, row, options),
  );

async function upsertExclusively(context: Context, row: ContactRow, options: UpsertOptions): Promise<Upserted> {
  const merge_ids: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const claims = round === 0 ? (options.claims ?? (await loadLikelyClaims(context, row.keys))) : await loadClaims(context, row.keys);
    const found = await findRoots(context, claims);
    const [first, second] = found.roots;
    if (first && second && options.on_conflict !== 'keep_separate') {
      if (options.on_conflict === 'reject') throw ambiguousRow(row, found.roots);
      const unborn = found.roots.filter(({ state }) => state.status === 'new');
      const merge_id = unborn.length === 0 ? await mergeContacts(context, first, second, 'row') : await createMissing(context, unborn, options);
      if (merge_id !== null) merge_ids.push(merge_id);
      continue;
    }
    const done = first ? await applyToContact(context, row, claims, found, options) : await create(context, row, claims, options);
    if (done) return { ...done, merge_ids };
  }
  throw new DomainError('conflict', 'Others say something of the same contacts at the same moment. Try again.');
}

export interface FoundRoots {
  /** The contacts as which the holders answer, each once, in the order of the row's keys. */
  readonly roots: readonly LoadedContact[];
  /** By the name of the key: the root of its holder. */
  readonly rootOfKey: ReadonlyMap<string, string>;
}

export async function findRoots(context: Context, claims: readonly LoadedClaim[]): Promise<FoundRoots> {
  const roots = new Map<string, LoadedContact>();
  const rootOfKey = new Map<string, string>();
  for (const { name, holder } of claims) {
    if (!holder) continue;
    const root = await completeLinksToRoot(context, holder);
    roots.set(root.id, root);
    rootOfKey.set(name, root.id);
  }
  return { roots: [...roots.values()], rootOfKey };
}

export type UpdateResult = Omit<Upserted, 'merge_ids'>;

/** The id of a contact that begins with these keys, none of which anybody has. */
function newContactId({ cause }: Context, keys: readonly IdentifyingKey[], claims: readonly LoadedClaim[]): string {
  const [naming] = keys as [IdentifyingKey];
  return hashId('con', cause.account, naming.key, claims[0]?.state.claims ?? 0);
}

/** Null where somebody else was faster. */
async function create(
  context: Context,
  { keys, patch }: ContactRow,
  claims: readonly LoadedClaim[],
  options: UpsertOptions,
): Promise<UpdateResult | null> {
  const id = newContactId(context, keys, claims);
  const appends = creationAppends(context, { id, claims, patch, source: options.source, import_id: options.import_id });
  return appends && (await tryAppendAll(context, appends)) ? { contact_id: id, about: id, outcome: 'created' } : null;
}

interface Creation {
  readonly id: string;
  readonly claims: readonly LoadedClaim[];
  readonly patch: ContactPatch;
  readonly source: ContactSource;
  readonly import_id: string | null;
}

/** What makes a contact: the claims of its keys, then what is said of it. Null where a key is somebody else's already. */
export function creationAppends(context: Pick<Context, 'now'>, { id, claims, patch, source, import_id }: Creation): EventAppend[] | null {
  const claimed = claimAppends(context, claims, id);
  const events = contact.decide({ type: 'Update', contact_id: id, patch, source, import_id, now: context.now }, contact.initial);
  return claimed && [...claimed, { stream: contactStream(id), expected: 'no-stream', events }];
}

/** Claimed by somebody who has not made it yet, and perhaps never will: whoever meets it does, and looks again. */
async function createMissing(context: Context, unborn: readonly LoadedContact[], options: UpsertOptions): Promise<null> {
  for (const contact of unborn) await appendPatch(context, contact, emptyPatch, options, null);
  return null;
}

/**
 * The contact is known. Keys that a part of it holds are said of that part; all else of `named`, or else of the one that
 * the first key names. Null where somebody else was faster.
 */
export async function applyToContact(
  context: Context,
  row: ContactRow,
  claims: readonly LoadedClaim[],
  found: FoundRoots,
  options: Omit<UpsertOptions, 'on_conflict'>,
  named?: LoadedContact,
): Promise<UpdateResult | null> {
  const [root] = found.roots as [LoadedContact];
  // With all its parts, and after them: whoever seemed to be one of them is found anew, if he is there still.
  if (root.state.status === 'deleted') return null;
  if (root.state.status === 'erased') throw contactErased(root.id);
  const own = claims.filter(({ name }) => (found.rootOfKey.get(name) ?? root.id) === root.id);
  const about = named ?? (own.find(({ holder }) => holder)?.holder as LoadedContact);
  const whole = root.state.status === 'new' ? null : await uniteContact(context.log, root);
  const toClaim = own.filter((claim) => !claim.holder || (claim.holder.id === about.id && !hasRecorded(about, claim)));
  if (toClaim.length > 0 && !(await appendClaims(context, toClaim, about.id))) return null;

  const ofParts = own.filter(({ holder }) => holder && holder.id !== about.id);
  const foreign = claims.filter((claim) => !own.includes(claim) || ofParts.includes(claim));
  const said = await appendPatch(context, about, without(row.patch, namesOf(foreign)), options, whole);
  if (!said) return null;
  for (const claim of ofParts) if (!(await applyToPart(context, claim, row.patch, options, whole))) return null;
  const outcome = root.state.status === 'new' ? 'created' : said === 'news' ? 'merged' : 'unchanged';
  return { contact_id: root.id, about: about.id, outcome };
}

/**
 * Says of a part what it alone is named by. What the row says besides is recorded already, so this is not given up because
 * others say something of the part at the same moment: two rows would else undo each other's rounds for ever. False where
 * the part does not hold the key any more.
 */
async function applyToPart(
  context: Context,
  held: LoadedClaim,
  patch: ContactPatch,
  options: Omit<UpsertOptions, 'on_conflict'>,
  whole: UnitedContact | null,
): Promise<boolean> {
  for (let claim: LoadedClaim | undefined = held; claim?.holder?.id === held.holder?.id; [claim] = await loadClaims(context, [held])) {
    if (!claim?.holder) return false;
    if (await appendPatch(context, claim.holder, only(patch, held.name), options, whole)) return true;
  }
  return false;
}

const hasRecorded = ({ state }: LoadedContact, { name, key }: IdentifyingKey): boolean =>
  state.status !== 'new' && state.facts.keys[name]?.value === key;
const namesOf = (keys: readonly IdentifyingKey[]): ReadonlySet<string> => new Set(keys.map(({ name }) => name));

/** Appends what is news to the contact as it was loaded; null where it has changed since. */
async function appendPatch(
  context: Context,
  { id, state, revision }: LoadedContact,
  patch: ContactPatch,
  { source, import_id, fillOnly = false }: Omit<UpsertOptions, 'on_conflict'>,
  whole: UnitedContact | null,
): Promise<'news' | 'nothing' | null> {
  const now = context.now;
  const facts = whole ? { united: whole.facts } : {};
  const events = contact.decide({ type: 'Update', contact_id: id, patch, ...facts, fillOnly, source, import_id, now }, state);
  if (events.length === 0) return 'nothing';
  if (!(await tryAppend(context, contactStream(id), revision, events))) return null;
  const replaced = state.status === 'new' ? [] : replacedKeys(state, patch);
  if (replaced.length > 0) await releaseKeys(context, id, replaced);
  return 'news';
}

const replacedKeys = ({ facts }: ExistingContact, { keys }: ContactPatch): IdentifyingKey[] =>
  Object.entries(keys).flatMap(([name, key]) => {
    const before = (facts ?? noFacts).keys[name]?.value;
    return before && before !== key ? [{ name, key: before }] : [];
  });

/** What a row says, but for some values. */
export function without(patch: ContactPatch, names: ReadonlySet<string>): ContactPatch {
  return names.size === 0 ? patch : narrowed(patch, (name) => !names.has(name));
}

const only = (patch: ContactPatch, name: string): ContactPatch => ({
  ...narrowed(patch, (other) => other === name),
  tags_added: [],
  tags_removed: [],
});

function narrowed(patch: ContactPatch, wanted: (name: string) => boolean): ContactPatch {
  const some = <V>(record: Record<string, V>): Record<string, V> => Object.fromEntries(Object.entries(record).filter(([name]) => wanted(name)));
  const personal = some(patch.personal);
  const cleared = patch.cleared.filter(wanted);
  return { ...patch, values: some(patch.values), personal, said: Object.keys(personal), cleared, keys: some(patch.keys) };
}

function ambiguousRow({ keys }: ContactRow, roots: readonly LoadedContact[]): DomainError {
  const names = keys.map(({ name }) => name).join(' and ');
  return new DomainError('conflict', `This row names ${roots.length} contacts by its ${names}.`, { contact_ids: roots.map(({ id }) => id) });
}
