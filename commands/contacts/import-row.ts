import { type ContactEvent, contact, contactStream } from '../../domain/contacts/contact.js';
import { type ContactPatch, withoutNames } from '../../domain/contacts/facts.js';
import { type ImportSource, rowOfInvocation } from '../../domain/contacts/import.js';
import type { ListDetails } from '../../domain/lists/list.js';
import type { IdentifyingKey, LoadedClaim } from '../../log/aggregates/contacts/load-claims.js';
import { findContact, type LoadedContact, loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { addContactToList } from '../lists/add-to-list.js';
import type { Context } from '../runtime/command.js';
import { recordImportedConsentIfAbsent } from './import-consent.js';
import { optOutOwnAddresses } from './own-addresses.js';
import { type ContactRow, identify, inHeldSpelling, notApplied } from './row-identity.js';
import { loadRow } from './upsert.js';
import type { UpdateResult } from './upsert-plan.js';

/** What an interrupted or concurrent run has already done for a row. */
export interface EarlierRuns {
  /** The row's patch is recorded. */
  readonly done: boolean;
  readonly outcome: 'created' | 'merged' | 'unchanged';
  /** At least one merge is recorded. */
  readonly merged: boolean;
  /** The contacts that the row names; the one it updated first. */
  readonly contacts: readonly string[];
  /** Names of values that later rows have changed since: later rows win. */
  readonly overwritten: ReadonlySet<string>;
}

/** A row that changed nothing leaves no trace and is processed again; it must not overwrite the values of later rows. */
export async function findEarlierRuns(
  part: Context,
  { id, options }: ImportSource,
  row: number,
  claims: readonly LoadedClaim[],
): Promise<EarlierRuns> {
  const named = new Map<string, LoadedContact>();
  for (const { holder } of claims) {
    for (let at = holder; at && !named.has(at.id); at = at.state.status === 'merged' ? await loadContact(part.log, at.state.into) : null)
      named.set(at.id, at);
  }
  // A key that is free now may have belonged to one of these contacts when the row was processed.
  const legacy = claims.flatMap(({ holder, last }) => (holder || !last || named.has(last.event.data.contact_id) ? [] : [last.event.data.contact_id]));
  const known = [...named.values(), ...(await Promise.all([...new Set(legacy)].map((contactId) => loadContact(part.log, contactId))))];
  const pasts = await Promise.all(known.map(async (one) => ({ contact: one.id, events: await one.events() })));
  const traces = pasts.flatMap(({ contact, events }) =>
    events.flatMap(({ event, meta }) => {
      const by = rowOfInvocation(id, meta.$causationId);
      return by === null || isEmptyCreation(event) ? [] : [{ contact, event, row: by }];
    }),
  );
  const own = traces.filter((trace) => trace.row === row);
  const findOwn = (type: string) => own.find(({ event }) => event.type === type);
  const updated = findOwn('ContactCreated') ?? findOwn('ContactUpdated');
  const merged = own.some(({ event }) => event.type === 'ContactMerged');
  const roots = [...named.values()].filter(({ state }) => state.status !== 'merged').length;
  const refused = options.on_conflict === 'reject' && roots > 1;
  return {
    done: updated !== undefined,
    outcome: findOwn('ContactCreated') ? 'created' : updated || merged ? 'merged' : 'unchanged',
    merged,
    contacts: [...new Set([...(updated ? [updated.contact] : []), ...known.map((one) => one.id)])],
    overwritten: new Set(refused ? [] : traces.filter((trace) => trace.row > row).flatMap(({ event }) => namesIn(event))),
  };
}

const namesIn = (event: ContactEvent): string[] =>
  event.type === 'ContactCreated' || event.type === 'ContactUpdated'
    ? [...event.data.said, ...Object.keys(event.data.values), ...event.data.cleared]
    : [];

/** The part of a row that later rows have not overwritten, and the claims that find or create its contact. */
export function remainingOf(
  { keys, others = [], patch }: ContactRow,
  claims: readonly LoadedClaim[],
  { overwritten }: EarlierRuns,
): { row: ContactRow; known: LoadedClaim[] } {
  const known = claims.filter(({ name, holder }) => holder || !overwritten.has(name));
  const isKnown = ({ name }: IdentifyingKey): boolean => known.some((claim) => claim.name === name);
  return { row: { keys: keys.filter(isKnown), others: others.filter(isKnown), patch: withoutNames(patch, overwritten) }, known };
}

/** What an upsert has found out about a row. */
export type RowIdentity = Pick<UpdateResult, 'reach' | 'warnings' | 'not_applied'>;

/** The same of a row that an earlier run has applied: its contact has its email as one of somebody else. */
export async function identityOfDone(part: Context, claims: readonly LoadedClaim[], given: ContactRow): Promise<RowIdentity> {
  const row = inHeldSpelling(given, claims);
  const loaded = await loadRow(part, claims);
  const decision = identify(loaded, row, { on_conflict: 'merge' });
  if (decision.does !== 'update') return { reach: 'whole', warnings: [], not_applied: [] };
  const { reach, warnings } = decision;
  return { reach, warnings, not_applied: notApplied(loaded.unified.get(decision.contact_id), row, decision) };
}

/** Applies the rest of a row to the contact it named before later rows took all its keys. False if that changes nothing. */
export async function applyToLegacyContact(
  part: Context,
  { id, options }: ImportSource,
  patch: ContactPatch,
  { contacts: [legacy] }: EarlierRuns,
): Promise<boolean> {
  if (legacy === undefined) return false;
  const by = part.cause.test && ({ test: true } as const);
  const update = { type: 'Update', contact_id: legacy, patch, source: 'import', import_id: id, ...by, now: part.now } as const;
  const { position } = await part.decide(contact, contactStream(legacy), { ...update, fillOnly: options.fields_mode === 'fill_empty' });
  return position !== null;
}

/** A contact that was created only to be merged: another run had claimed its key and not created it yet. */
const isEmptyCreation = ({ type, data }: ContactEvent): boolean =>
  type === 'ContactCreated' && data.said.length === 0 && Object.keys(data.values).length === 0;

/** How an import adds a contact to a list: with its proof, where it says that its people have confirmed. */
export function additionBy({ id, options }: ImportSource): Parameters<typeof addContactToList>[3] {
  const confirmed = options.confirmed && options.proof && { proof: options.proof, cause: { kind: 'import', id } as const };
  return { by: 'account', source: 'import', base_url: options.base_url, ...(options.test && { test: true }), ...(confirmed && { confirmed }) };
}

/** Adds the contact to the import's lists and records its consent. Neither overrides what a person decided. */
export async function applyListsAndConsent(
  part: Context,
  { id, options }: ImportSource,
  contactId: string,
  lists: readonly ListDetails[],
): Promise<void> {
  const found = await findContact(part.log, part.cause.account, contactId);
  for (const list of lists) await addContactToList(part, list, found, additionBy({ id, options }));
  if (!options.consent) return;
  const { occurred_at, ...about } = options.consent;
  await recordImportedConsentIfAbsent(part, { id, options }, found, { ...about, at: occurred_at, proof: options.proof });
}

/**
 * What an import says of all its people, for a row that speaks for somebody else than its contact: the contact joins no list and grants
 * nothing. An opt-out holds for the row's own addresses. Returns the names of what is not applied.
 */
export async function applyToOwnAddress(
  part: Context,
  { id, options }: ImportSource,
  { patch }: ContactRow,
  lists: readonly ListDetails[],
): Promise<string[]> {
  const { consent: given } = options;
  const left = lists.length > 0 ? ['lists'] : [];
  if (given === null) return left;
  if (given.status !== 'withdrawn') return [...left, 'consents'];
  const { channel, occurred_at } = given;
  await optOutOwnAddresses(part, patch, { channel, source: `import ${id}`, via: 'import', occurred_at });
  return left;
}

/** Whether an address of the row is suppressed. */
export async function isSuppressed({ log, ports }: Pick<Context, 'log' | 'ports'>, { keys }: ContactRow): Promise<boolean> {
  const isAddress = ({ name }: IdentifyingKey): boolean => name === 'email' || name === 'phone';
  const lookup = ports.lookups.suppressions;
  const addresses = keys.filter(isAddress).flatMap(({ key, spellings = [] }) => [key, ...spellings]);
  const found = await Promise.all(addresses.filter((key) => lookup.mightContain(key)).map((key) => loadSuppression(log, key)));
  return found.some(({ status }) => status === 'suppressed');
}
