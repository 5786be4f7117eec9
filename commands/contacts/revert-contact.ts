import { ConsentWithdrawn, consent, consentKey, consentStream } from '../../domain/consent/consent.js';
import type { ContactEvent, ExistingContact } from '../../domain/contacts/contact.js';
import { applyPatch, type ContactPatch, type Facts, noFacts } from '../../domain/contacts/facts.js';
import { type RevertCounts, rowOfInvocation } from '../../domain/contacts/import.js';
import { addressOf } from '../../domain/contacts/other-addresses.js';
import { takesAddress } from '../../domain/kernel/channels.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { ListCleaned, ListUnsubscribed, membership, membershipStream } from '../../domain/lists/membership.js';
import { claimedKeysIn, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import { loadHistory } from '../../log/aggregates/load-aggregate.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { otherSpellingKeys } from '../../log/vault/address-keys.js';
import { toExpected } from '../runtime/append.js';
import type { Context, Plan } from '../runtime/command.js';
import { suppressAddress } from '../suppressions/suppress-address.js';
import { releaseKeys } from './claims.js';
import { appendsTo, removeLink } from './links.js';
import { loadPaths, loadUnified, releaseReplaced } from './upsert.js';
import { completeRowLinks, planUpdate, type UpdateOutcome, type UpsertProgress } from './upsert-plan.js';

type Outcome = keyof RevertCounts | null;

/** Removes a link that a row of the import made, unless it was removed before. */
export async function unmergeImported(part: Context, importId: string, id: string): Promise<Outcome> {
  const loaded = await loadContact(part.log, id);
  const { state } = loaded;
  const events = await loaded.events();
  const own = events.find(({ event, meta }) => event.type === 'ContactUnmerged' && meta.$causationId === part.cause.invocation)?.event;
  if (own?.type === 'ContactUnmerged') {
    await removeLink(part, own.data.from, id, own.data.merge_id);
    return 'unmerged';
  }
  if (state.status !== 'merged') return null;
  const { merge_id, into } = state;
  const made = events.some(({ event, meta }) => event.type === 'ContactMerged' && event.data.merge_id === merge_id && isOfImport(importId, meta));
  if (!made) return null;
  await removeLink(part, into, id, merge_id);
  return 'unmerged';
}

/**
 * Reverts what an import changed of one contact. A contact that it created and that has not changed since is deleted. For one that
 * existed before, each value, tag, list and consent that has not changed since is restored. Everything else stays. Null if there
 * is nothing to revert.
 */
export async function revertContact(part: Context, importId: string, id: string): Promise<Outcome> {
  const found = await part.attempt(
    () => loadReverted(part, importId, id),
    (loaded): Plan<LoadedRevert> => ({
      appends: loaded.outcome === 'deleted' ? appendsTo(loaded.contact, { type: 'Delete', now: part.now }) : [],
      result: loaded,
    }),
  );
  const { contact: of, outcome, patched, optedOut, repeated } = found;
  if (outcome === 'deleted') await releaseKeys(part, id, claimedKeysIn((of.state as ExistingContact).facts));
  if (optedOut) {
    await leaveLists(part, importId, id);
    await withdraw(part, importId, id);
  }
  if (outcome !== 'restored' || !patched) return outcome;
  await keepOptOuts(part, importId, of);
  const restored = await restore(part, importId, of);
  const left = await leaveLists(part, importId, id);
  const withdrawn = await withdraw(part, importId, id);
  return restored || left || withdrawn || repeated ? 'restored' : 'kept';
}

interface LoadedRevert {
  readonly contact: LoadedContact;
  readonly outcome: Outcome;
  /** The import has patched the contact, which is still there. */
  readonly patched: boolean;
  /** The import has made the contact, and it has opted out by it: it leaves the import's lists, and is kept otherwise. */
  readonly optedOut: boolean;
  /** An earlier run has appended to the contact. */
  readonly repeated: boolean;
}

async function loadReverted(part: Context, importId: string, id: string): Promise<LoadedRevert> {
  const contact = await loadContact(part.log, id);
  const { state } = contact;
  const events = await contact.events();
  const earlier = events.find(({ meta }) => meta.$causationId === part.cause.invocation)?.event;
  const about = { contact, patched: false, optedOut: false, repeated: earlier !== undefined };
  if (earlier?.type === 'ContactDeleted') return { ...about, outcome: 'deleted' };
  if (!events.some(({ event, meta }) => isPatchEvent(event) && isOfImport(importId, meta))) return { ...about, outcome: earlier ? 'restored' : null };
  if (state.status === 'new' || state.status === 'deleted' || state.status === 'erased') return { ...about, outcome: null };
  if (!events[0] || !isOfImport(importId, events[0].meta)) return { ...about, patched: true, outcome: 'restored' };
  const besides = [...((await part.log.readSealed(membershipStream(id))) ?? []), ...((await part.log.readSealed(consentStream(id))) ?? [])];
  const touched = [...events.filter(({ event }) => isPatchEvent(event)), ...besides].some(({ meta }) => !isOfImport(importId, meta));
  if (touched || state.status === 'merged' || state.parts.length > 0) return { ...about, outcome: 'kept' };
  // Whoever has opted out by the import stays known, or the next import would write to the person again.
  const optedOut = besides.some(({ event: { type } }) => OPT_OUTS.has(type));
  return { ...about, optedOut, outcome: optedOut ? 'kept' : 'deleted' };
}

const OPT_OUTS: ReadonlySet<string> = new Set([ConsentWithdrawn.name, ListUnsubscribed.name, ListCleaned.name]);

const isOfImport = (importId: string, { $causationId }: LogEvent['meta']): boolean => rowOfInvocation(importId, $causationId) !== null;
const isPatchEvent = ({ type }: ContactEvent): boolean => type === 'ContactCreated' || type === 'ContactUpdated';

type PatchEvent = Extract<ContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

interface LastChanges {
  /** By the name of a value or tag: whether the import was the last to change it. */
  readonly values: ReadonlyMap<string, boolean>;
  readonly tags: ReadonlyMap<string, boolean>;
  /** Names of personal values, and of values with a key. */
  readonly personal: ReadonlySet<string>;
  readonly keyed: ReadonlySet<string>;
  /** The facts without the import. */
  readonly others: Facts;
}

function lastChanges(importId: string, events: readonly LogEvent<ContactEvent>[]): LastChanges {
  const sayings = events.filter((stored): stored is LogEvent<PatchEvent> => isPatchEvent(stored.event));
  const by = sayings.map(({ event: { data }, meta }) => ({ data, imported: isOfImport(importId, meta) }));
  const last = (names: (data: PatchEvent['data']) => string[]) =>
    new Map(by.flatMap(({ data, imported }) => names(data).map((name) => [name, imported])));
  const patches = by.filter(({ imported }) => !imported).map(({ data }) => data);
  return {
    values: last(({ values, said, cleared }) => [...Object.keys(values), ...said, ...cleared]),
    tags: last(({ tags_added, tags_removed }) => [...tags_added, ...tags_removed]),
    personal: new Set(by.flatMap(({ data }) => data.said)),
    keyed: new Set(by.flatMap(({ data }) => Object.keys(data.keys))),
    others: patches.reduce((facts, data) => applyPatch(facts, { ...data, keys: data.keys as ContactPatch['keys'] }, data.at), noFacts),
  };
}

/** The patch that restores everything that the import was the last to change. */
function revertPatch({ values, tags, personal, keyed, others }: LastChanges): ContactPatch {
  const undo: ContactPatch = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: [], tags_removed: [] };
  for (const [name, imported] of values) {
    if (!imported) continue;
    const value = ownField(others.values, name)?.value ?? null;
    if (value === null) undo.cleared.push(name);
    else setOwnField(personal.has(name) ? undo.personal : undo.values, name, value);
    if (keyed.has(name)) setOwnField(undo.keys, name, ownField(others.keys, name)?.value ?? null);
  }
  undo.said.push(...Object.keys(undo.personal));
  for (const [tag, imported] of tags) {
    if (imported) (ownField(others.tags, tag)?.value ? undo.tags_added : undo.tags_removed).push(tag);
  }
  return undo;
}

/** An opt-out that the import has recorded of the contact goes on for an address that the contact had by the import alone. */
async function keepOptOuts(part: Context, importId: string, of: LoadedContact): Promise<void> {
  const { events } = await loadHistory(part.log, consent, consentStream(of.id));
  const withdrawn = events.filter(({ event, meta }) => event.type === 'ConsentWithdrawn' && isOfImport(importId, meta));
  if (withdrawn.length === 0 || of.state.status === 'new') return;
  const { keys } = revertPatch(lastChanges(importId, await of.events()));
  for (const kind of ['email', 'phone'] as const) {
    const address_key = ownField((of.state as ExistingContact).facts.keys, kind)?.value;
    if (!address_key || !Object.hasOwn(keys, kind)) continue;
    const value = ownField((of.state as ExistingContact).facts.values, kind)?.value;
    const address = typeof value === 'string' ? value : null;
    for (const { event } of withdrawn) {
      const { channel, occurred_at } = event.data;
      if (!takesAddress(channel, kind)) continue;
      const entry = { channel, reason: 'unsubscribed', scope: 'marketing', source: 'import', via: 'import', occurred_at } as const;
      await suppressAddress.handle({ address, address_key, ...entry }, part);
    }
  }
}

/** Restores the values of a contact. An address that another contact has by now stays with that one. */
async function restore(part: Context, importId: string, of: LoadedContact): Promise<boolean> {
  const keys = claimedKeysIn((of.state as ExistingContact).facts).map(({ key }) => key);
  const load = async () => {
    const named = await loadContact(part.log, of.id);
    const root = await loadRoot(part.log, named);
    const patch = revertPatch(lastChanges(importId, await named.events()));
    const rowKeys = Object.entries(patch.keys).flatMap(([name, key]) => (key ? [{ name, key, spellings: spellingsIn(part, patch, name) }] : []));
    const claims = await loadClaims(part, rowKeys);
    const unified = root.state.status === 'active' ? await loadUnified(part, [root]) : new Map<string, Facts>();
    return { row: { keys: rowKeys, patch }, update: { named, root, unified, claims, paths: await loadPaths(part, claims) } };
  };
  return part.exclusively([of.id, ...keys], async () => {
    const updated = await part.attempt<Awaited<ReturnType<typeof load>>, UpdateOutcome | null, UpsertProgress>(load, ({ row, update }, progress) => {
      if (update.root.state.status !== 'active') return { appends: [], result: null };
      const half = completeRowLinks(update, part.now);
      if (half.length > 0) return { appends: half };
      return planUpdate(update, progress, row, { source: 'import', import_id: null }, part.now);
    });
    return updated !== null && (await releaseReplaced(part, updated)).outcome !== 'unchanged';
  });
}

/** The keys of the other spellings of a number of a patch. */
function spellingsIn({ addresses, cause }: Context, { personal }: ContactPatch, name: string): string[] {
  const phone = addressOf(name) === 'phone' ? ownField(personal, name) : null;
  return typeof phone === 'string' ? otherSpellingKeys(addresses, cause.account, phone) : [];
}

/** Takes the contact off the lists that the import was the last to put it on. */
function leaveLists(part: Context, importId: string, id: string): Promise<boolean> {
  const stream = membershipStream(id);
  return part.attempt(
    () => loadHistory(part.log, membership, stream),
    ({ state, revision, events }) => {
      const last = new Map(events.map(({ event, meta }) => [event.data.list_id, meta]));
      const lists = [...last].filter(([, meta]) => isOfImport(importId, meta)).map(([list_id]) => list_id);
      const leaving = lists.flatMap((list_id) => {
        const status = ownField(state, list_id)?.value.status;
        if (status !== 'subscribed' && status !== 'pending') return [];
        return membership.decide({ type: 'Unsubscribe', contact_id: id, list_id, by: 'account', source: 'import_revert', now: part.now }, state);
      });
      return changesOf(part, { stream, revision, events }, leaving);
    },
  );
}

/** Withdraws the consents that the import was the last to record. The ledger keeps both. */
function withdraw(part: Context, importId: string, id: string): Promise<boolean> {
  const stream = consentStream(id);
  return part.attempt(
    () => loadHistory(part.log, consent, stream),
    ({ state, revision, events }) => {
      const last = new Map(events.map((stored) => [consentKey(stored.event.data.channel, stored.event.data.purpose), stored]));
      const withdrawing = [...last.values()].flatMap(({ event, meta }) => {
        if (!isOfImport(importId, meta) || event.type === 'ConsentWithdrawn') return [];
        const { at: _, ...given } = event.data;
        const cause = { kind: 'import', id: importId } as const;
        const withdrawn = { ...given, source: 'import_revert', cause, occurred_at: part.now, now: part.now };
        return consent.decide({ type: 'Record', ...withdrawn, status: 'withdrawn' }, state);
      });
      return changesOf(part, { stream, revision, events }, withdrawing);
    },
  );
}

/** Appends what a stream needs; true if it needs something, or if an earlier run has appended it. */
function changesOf(part: Context, at: { stream: string; revision: number; events: readonly LogEvent[] }, needed: readonly AnyEvent[]): Plan<boolean> {
  if (needed.length > 0) return { appends: [{ stream: at.stream, expected: toExpected(at.revision), events: needed }], result: true };
  return { appends: [], result: at.events.some(({ meta }) => meta.$causationId === part.cause.invocation) };
}
