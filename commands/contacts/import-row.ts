import { consent, consentChannels, consentKey, consentStream, noProof } from '../../domain/consent/consent.js';
import { type ContactEvent, contact, contactStream } from '../../domain/contacts/contact.js';
import { type ContactPatch, withoutNames } from '../../domain/contacts/facts.js';
import { type ImportOptions, rowOfInvocation } from '../../domain/contacts/import.js';
import { findContact } from '../../log/contacts/find-contact.js';
import type { IdentifyingKey, LoadedClaim } from '../../log/contacts/load-claims.js';
import { type LoadedContact, loadContact } from '../../log/contacts/load-contact.js';
import { loadConsents } from '../consent/ledger.js';
import type { Context } from '../kernel.js';
import { addContactToList } from '../lists/add-to-list.js';
import type { ListDetails } from '../lists/load-list.js';
import { suppressionLookup } from '../lookups.js';
import { loadSuppression } from '../suppressions/load-suppression.js';
import type { ContactRow } from './upsert-plan.js';

/** The import that a row belongs to. */
export interface ImportSource {
  readonly id: string;
  readonly options: ImportOptions;
}

/** What was done of a row before: by a run that was broken off, or by another one at the same time. */
export interface EarlierRuns {
  /** It left its patch in a contact that it names. */
  readonly done: boolean;
  readonly outcome: 'created' | 'merged' | 'unchanged';
  /** A merge at least is made. */
  readonly merged: boolean;
  /** Those whom the row names: the one of which it was said first. */
  readonly contacts: readonly string[];
  /** Names of values of which later rows have spoken since: they have the last word, whenever this row is done. */
  readonly overwritten: ReadonlySet<string>;
}

/** A row that had nothing to say leaves no trace, so it may be done again; then it must not take back what later rows said. */
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
  // A key that nobody has any more may have been theirs when the row was done.
  const former = claims.flatMap(({ holder, last }) => (holder || !last || named.has(last.event.data.contact_id) ? [] : [last.event.data.contact_id]));
  const known = [...named.values(), ...(await Promise.all([...new Set(former)].map((contactId) => loadContact(part.log, contactId))))];
  const traces = known.flatMap((one) =>
    one.events.flatMap(({ event, meta }) => {
      const by = rowOfInvocation(id, meta.$causationId);
      return by === null || isEmptyCreation(event) ? [] : [{ contact: one.id, event, row: by }];
    }),
  );
  const own = traces.filter((trace) => trace.row === row);
  const says = (type: string) => own.find(({ event }) => event.type === type);
  const said_of = says('ContactCreated') ?? says('ContactUpdated');
  const merged = own.some(({ event }) => event.type === 'ContactMerged');
  const roots = [...named.values()].filter(({ state }) => state.status !== 'merged').length;
  const refused = options.on_conflict === 'reject' && roots > 1;
  return {
    done: said_of !== undefined,
    outcome: says('ContactCreated') ? 'created' : said_of || merged ? 'merged' : 'unchanged',
    merged,
    contacts: [...new Set([...(said_of ? [said_of.contact] : []), ...known.map((one) => one.id)])],
    overwritten: new Set(refused ? [] : traces.filter((trace) => trace.row > row).flatMap(({ event }) => namesIn(event))),
  };
}

const namesIn = (event: ContactEvent): string[] =>
  event.type === 'ContactCreated' || event.type === 'ContactUpdated'
    ? [...event.data.said, ...Object.keys(event.data.values), ...event.data.cleared]
    : [];

/** What a row says besides what later rows have spoken of, and the claims by which its contact is found or made then. */
export function remainingOf(
  patch: ContactPatch,
  claims: readonly LoadedClaim[],
  { overwritten }: EarlierRuns,
): { row: ContactRow; known: LoadedClaim[] } {
  const known = claims.filter(({ name, holder }) => holder || !overwritten.has(name));
  return { row: { keys: known, patch: withoutNames(patch, overwritten) }, known };
}

/** Says what is left of a row to whom it named before later rows took all its keys away. False where that is nothing new. */
export async function applyToFormerContact(
  part: Context,
  { id, options }: ImportSource,
  patch: ContactPatch,
  { contacts: [former] }: EarlierRuns,
): Promise<boolean> {
  if (former === undefined) return false;
  const wish = { type: 'Update', contact_id: former, patch, source: 'import', import_id: id, now: part.now } as const;
  const { position } = await part.decide(contact, contactStream(former), { ...wish, fillOnly: options.fields_mode === 'fill_empty' });
  return position !== null;
}

/** Of a contact that was made only to be merged: its claim stood there, and whoever had claimed had not made it yet. */
const isEmptyCreation = ({ type, data }: ContactEvent): boolean =>
  type === 'ContactCreated' && data.said.length === 0 && Object.keys(data.values).length === 0;

/** Puts the contact on the import's lists, and its consent into the ledger. Neither takes back what a person said. */
export async function applyListsAndConsent(
  part: Context,
  { id, options }: ImportSource,
  contactId: string,
  lists: readonly ListDetails[],
): Promise<void> {
  const found = await findContact(part.log, part.cause.account, contactId);
  for (const list of lists) await addContactToList(part, list, found, { by: 'account', source: 'import', base_url: options.base_url });
  if (!options.consent) return;
  const { status, occurred_at = part.now, ...about } = options.consent;
  const said = await loadConsents(part.log, found.united);
  // What is said of all channels would speak for each of them.
  const spokenOf = about.channel === 'all' ? consentChannels : [about.channel];
  if (spokenOf.some((channel) => said[consentKey(channel, about.purpose)])) return;
  await part.decide(consent, consentStream(found.named.id), {
    type: 'Record',
    contact_id: found.named.id,
    ...about,
    status,
    occurred_at: new Date(occurred_at).toISOString(),
    proof: options.proof ?? noProof,
    cause: { kind: 'import', id },
    onlyIfAbsent: true,
    now: part.now,
  });
}

/** Whether an address by which the row names its contact is on the do-not-contact list. */
export async function isSuppressed({ log, use }: Pick<Context, 'log' | 'use'>, { keys }: ContactRow): Promise<boolean> {
  const isAddress = ({ name }: IdentifyingKey): boolean => name === 'email' || name === 'phone';
  const lookup = use(suppressionLookup);
  const addresses = keys.filter((key) => isAddress(key) && lookup.mightContain(key.key));
  const found = await Promise.all(addresses.map(({ key }) => loadSuppression(log, key)));
  return found.some(({ status }) => status === 'suppressed');
}
