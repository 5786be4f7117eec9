import { consent, consentChannels, consentKey, consentStream, noProof } from '../../domain/consent/consent.js';
import type { ContactEvent } from '../../domain/contacts/contact.js';
import { rowOf } from '../../domain/contacts/import.js';
import { consentsOf } from '../consent/ledger.js';
import type { Context } from '../kernel.js';
import { addOne } from '../lists/add-to-list.js';
import type { ListFacts } from '../lists/lists.js';
import { suppressionOf } from '../suppressions/standing.js';
import type { LoadedClaim, NamingKey } from './claims.js';
import { type LoadedContact, loadContact } from './contact-tree.js';
import type { RowsOf } from './import-rows.js';
import { findContact } from './read-contact.js';
import type { ContactRow } from './upsert.js';

/** What a run that was broken off has done of a row. */
export interface Earlier {
  /** All that the row says is said. */
  readonly done: boolean;
  readonly outcome: 'created' | 'merged' | 'unchanged';
  /** A merge at least is made. */
  readonly merged: boolean;
  /** Those whom the row names: the one of which it was said first. */
  readonly contacts: readonly string[];
}

/**
 * Rows about the same people are done in their order. So a row is done if it left its statement in a contact that it names, or
 * if a later row did: then it had nothing to say.
 */
export async function earlierOf(part: Context, { id, options }: RowsOf, row: number, claims: readonly LoadedClaim[]): Promise<Earlier> {
  const named = new Map<string, LoadedContact>();
  for (const { holder } of claims) {
    for (let at = holder; at && !named.has(at.id); at = at.state.status === 'merged' ? await loadContact(part.log, at.state.into) : null)
      named.set(at.id, at);
  }
  const traces = [...named.values()].flatMap((contact) =>
    contact.events.flatMap(({ event, meta }) => {
      const by = rowOf(id, meta.$causationId);
      return by === null || isBare(event) ? [] : [{ contact: contact.id, type: event.type, row: by }];
    }),
  );
  const own = traces.filter((trace) => trace.row === row);
  const says = (type: string) => own.find((trace) => trace.type === type);
  const said_of = says('ContactCreated') ?? says('ContactUpdated');
  const merged = own.some(({ type }) => type === 'ContactMerged');
  const [holder] = [...named.keys()];
  const roots = [...named.values()].filter(({ state }) => state.status !== 'merged').length;
  const refused = options.on_conflict === 'reject' && roots > 1;
  const passed = !refused && traces.some((trace) => trace.row > row && (trace.type === 'ContactCreated' || trace.type === 'ContactUpdated'));
  return {
    done: said_of !== undefined || passed,
    outcome: says('ContactCreated') ? 'created' : said_of || merged ? 'merged' : 'unchanged',
    merged,
    contacts: [...new Set([...(said_of ? [said_of.contact] : []), ...(holder ? [holder] : []), ...named.keys()])],
  };
}

/** Of a contact that was made only to be merged: its claim stood there, and whoever had claimed had not made it yet. */
const isBare = ({ type, data }: ContactEvent): boolean =>
  type === 'ContactCreated' && data.said.length === 0 && Object.keys(data.values).length === 0;

/** Puts the contact on the import's lists, and its consent into the ledger. Neither takes back what a person said. */
export async function saidBesides(part: Context, { id, options }: RowsOf, contactId: string, lists: readonly ListFacts[]): Promise<void> {
  const found = await findContact(part.log, part.cause.account, contactId);
  for (const list of lists) await addOne(part, list, found, { by: 'account', source: 'import', base_url: options.base_url });
  if (!options.consent) return;
  const { status, occurred_at = part.now, ...about } = options.consent;
  const said = await consentsOf(part.log, found.whole);
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
    unlessSaid: true,
    now: part.now,
  });
}

/** Whether an address by which the row names its contact is on the do-not-contact list. */
export async function isSuppressed({ log, policy }: Pick<Context, 'log' | 'policy'>, { keys }: ContactRow): Promise<boolean> {
  const isAddress = ({ name }: NamingKey): boolean => name === 'email' || name === 'phone';
  const addresses = keys.filter((key) => isAddress(key) && (policy.mayBeSuppressed?.(key.key) ?? true));
  const found = await Promise.all(addresses.map(({ key }) => suppressionOf(log, key)));
  return found.some(({ status }) => status === 'suppressed');
}
