import { consent, consentKey, consentStream } from '../../domain/consent/consent.js';
import { type ContactEvent, contact, contactStream, type ExistingContact } from '../../domain/contacts/contact.js';
import { applyPatch, type ContactPatch, type Facts, noFacts } from '../../domain/contacts/facts.js';
import { type RevertCounts, rowOfInvocation } from '../../domain/contacts/import.js';
import { membership, membershipStream } from '../../domain/lists/membership.js';
import { identifyingKeysOf, loadClaims } from '../../log/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadRoot } from '../../log/contacts/load-contact.js';
import { loadAggregate } from '../../log/load-aggregate.js';
import type { LogEvent } from '../../log/log-event.js';
import { tryAppend } from '../append.js';
import type { Context } from '../kernel.js';
import { releaseKeys } from './claims.js';
import { release, unlink } from './merge.js';
import { applyToContact, findRoots, MAX_ROUNDS } from './upsert.js';

type Outcome = keyof RevertCounts | null;

/** Takes a link away that a row of the import made, unless somebody has taken it away before. */
export async function unmergeImported(part: Context, importId: string, id: string): Promise<Outcome> {
  const { events, state } = await loadContact(part.log, id);
  const own = events.find(({ event, meta }) => event.type === 'ContactUnmerged' && meta.$causationId === part.cause.invocation)?.event;
  if (own?.type === 'ContactUnmerged') {
    await release(part, own.data.from, id, own.data.merge_id);
    return 'unmerged';
  }
  if (state.status !== 'merged') return null;
  const { merge_id, into } = state;
  const made = events.some(({ event, meta }) => event.type === 'ContactMerged' && event.data.merge_id === merge_id && isOfImport(importId, meta));
  if (!made) return null;
  await unlink(part, id, merge_id);
  await release(part, into, id, merge_id);
  return 'unmerged';
}

/**
 * Takes back what an import said of one contact. One that it made, and of which nobody said anything since, is deleted. Of one
 * that was there before, each value, tag, list and consent that nobody spoke of since is as it was before the import.
 * Everything else is kept. Null where nothing is to be done.
 */
export async function revertContact(part: Context, importId: string, id: string): Promise<Outcome> {
  const loaded = await loadContact(part.log, id);
  const { state, events, revision } = loaded;
  const earlier = events.find(({ meta }) => meta.$causationId === part.cause.invocation)?.event;
  if (earlier?.type === 'ContactDeleted') {
    await releaseKeys(part, id, identifyingKeysOf(state as ExistingContact));
    return 'deleted';
  }
  if (!events.some(({ event, meta }) => isPatchEvent(event) && isOfImport(importId, meta))) return earlier ? 'restored' : null;
  if (state.status === 'new' || state.status === 'deleted' || state.status === 'erased') return null;
  const besides = [...((await part.log.readSealed(membershipStream(id))) ?? []), ...((await part.log.readSealed(consentStream(id))) ?? [])];
  const created = events[0] !== undefined && isOfImport(importId, events[0].meta);
  if (created) {
    const touched = [...events.filter(({ event }) => isPatchEvent(event)), ...besides].some(({ meta }) => !isOfImport(importId, meta));
    if (touched || state.status === 'merged' || state.parts.length > 0) return 'kept';
    const deleted = contact.decide({ type: 'Delete', now: part.now }, state);
    // Somebody said something of it at this very moment.
    if (!(await tryAppend(part, contactStream(id), revision, deleted))) return revertContact(part, importId, id);
    await releaseKeys(part, id, identifyingKeysOf(state));
    return 'deleted';
  }
  const restored = await restore(part, importId, loaded);
  const left = await leaveLists(part, importId, id);
  const withdrawn = await withdraw(part, importId, id);
  return restored || left || withdrawn || earlier ? 'restored' : 'kept';
}

const isOfImport = (importId: string, { $causationId }: LogEvent['meta']): boolean => rowOfInvocation(importId, $causationId) !== null;
const isPatchEvent = ({ type }: ContactEvent): boolean => type === 'ContactCreated' || type === 'ContactUpdated';

type PatchEvent = Extract<ContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>;

interface LastChanges {
  /** By the name of a value, or of a tag: whether the import spoke of it last. */
  readonly values: ReadonlyMap<string, boolean>;
  readonly tags: ReadonlyMap<string, boolean>;
  /** Names of values that are sealed, and of those that have a key. */
  readonly personal: ReadonlySet<string>;
  readonly keyed: ReadonlySet<string>;
  /** What the others said. */
  readonly others: Facts;
}

function lastChanges(importId: string, { events }: LoadedContact): LastChanges {
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

/** What has to be said so that everything of which the import spoke last is as it was before it. */
function revertPatch({ values, tags, personal, keyed, others }: LastChanges): ContactPatch {
  const undo: ContactPatch = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: [], tags_removed: [] };
  for (const [name, imported] of values) {
    if (!imported) continue;
    const value = others.values[name]?.value ?? null;
    if (value === null) undo.cleared.push(name);
    else (personal.has(name) ? undo.personal : undo.values)[name] = value;
    if (keyed.has(name)) undo.keys[name] = others.keys[name]?.value ?? null;
  }
  undo.said.push(...Object.keys(undo.personal));
  for (const [tag, imported] of tags) {
    if (imported) (others.tags[tag]?.value ? undo.tags_added : undo.tags_removed).push(tag);
  }
  return undo;
}

/** An address that another contact has by now stays with that one. */
async function restore(part: Context, importId: string, of: LoadedContact): Promise<boolean> {
  const things = identifyingKeysOf(of.state as ExistingContact).map(({ key }) => key);
  return part.exclusively([of.id, ...things], async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const named = await loadContact(part.log, of.id);
      const root = await loadRoot(part.log, named);
      if (root.state.status !== 'active') return false;
      const patch = revertPatch(lastChanges(importId, named));
      const keys = Object.entries(patch.keys).flatMap(([name, key]) => (key ? [{ name, key }] : []));
      const claims = await loadClaims(part, keys);
      const { rootOfKey } = await findRoots(part, claims);
      const options = { source: 'import', import_id: null } as const;
      const done = await applyToContact(part, { keys, patch }, claims, { roots: [root], rootOfKey }, options, named);
      if (done) return done.outcome !== 'unchanged';
    }
    return false;
  });
}

async function leaveLists(part: Context, importId: string, id: string): Promise<boolean> {
  const stream = membershipStream(id);
  const { state, revision, events } = await loadAggregate(part.log, membership, stream);
  const last = new Map(events.map(({ event, meta }) => [event.data.list_id, meta]));
  const lists = [...last].filter(([, meta]) => isOfImport(importId, meta)).map(([list_id]) => list_id);
  const leaving = lists.flatMap((list_id) => {
    const status = state[list_id]?.value.status;
    if (status !== 'subscribed' && status !== 'pending') return [];
    return membership.decide({ type: 'Unsubscribe', contact_id: id, list_id, by: 'account', source: 'import_revert', now: part.now }, state);
  });
  if (leaving.length === 0) return events.some(({ meta }) => meta.$causationId === part.cause.invocation);
  return (await tryAppend(part, stream, revision, leaving)) || leaveLists(part, importId, id);
}

/** The ledger forgets nothing: what the import put into it is withdrawn. */
async function withdraw(part: Context, importId: string, id: string): Promise<boolean> {
  const stream = consentStream(id);
  const { state, revision, events } = await loadAggregate(part.log, consent, stream);
  const last = new Map(events.map((stored) => [consentKey(stored.event.data.channel, stored.event.data.purpose), stored]));
  const withdrawing = [...last.values()].flatMap(({ event, meta }) => {
    if (!isOfImport(importId, meta) || event.type === 'ConsentWithdrawn') return [];
    const { at: _, ...said } = event.data;
    const about = { ...said, source: 'import_revert', cause: { kind: 'import', id: importId } as const, occurred_at: part.now, now: part.now };
    return consent.decide({ type: 'Record', ...about, status: 'withdrawn' }, state);
  });
  if (withdrawing.length === 0) return events.some(({ meta }) => meta.$causationId === part.cause.invocation);
  return (await tryAppend(part, stream, revision, withdrawing)) || withdraw(part, importId, id);
}
