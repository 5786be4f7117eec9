import { type ConsentEvent, type Consents, consent, consentStream, consentsByChannel, unifyConsents } from '../../domain/consent/consent.js';
import type { ExistingContact } from '../../domain/contacts/contact.js';
import type { ContactNode } from '../../domain/contacts/contact-tree.js';
import { addressKeysOf, type Facts } from '../../domain/contacts/facts.js';
import type { ShownValue } from '../../domain/contacts/other-addresses.js';
import type { Relations } from '../../domain/contacts/resource.js';
import { channelNames, channels } from '../../domain/kernel/channels.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { contactList, listStream } from '../../domain/lists/list.js';
import { type Memberships, unifyMemberships } from '../../domain/lists/membership.js';
import { activeCausesOn, foremost, type Suppression } from '../../domain/suppressions/suppression.js';
import { domainEntryOf, domainOfEntry } from '../../formats/suppressions/domains.js';
import { unifyOver } from '../../log/aggregates/contacts/load-contact.js';
import { loadMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { isWithinBound, loadAggregate, type ReadBound } from '../../log/aggregates/load-aggregate.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

type RelatedContact = Pick<ExistingContact, 'id' | 'facts'>;
type WholeTree = { readonly tree: ContactNode<unknown>; readonly members: readonly RelatedContact[] };

/** A contact with its opened facts, which have the emails of all that is merged into it (`withOtherAddresses`). */
interface WholeContact extends WholeTree {
  readonly account: string;
  readonly facts: Facts;
}

/** The entries of whole domains, by their keys: many contacts of a page have one. */
export type DomainSuppressions = Map<string, Promise<Suppression>>;

/** The lists, consents and suppressions of a contact, from the log. `domains`: those that other contacts of the same page have loaded. */
export async function loadRelations(
  log: EventLog,
  whole: WholeContact,
  { until, domains = new Map() }: { readonly until?: ReadBound | undefined; readonly domains?: DomainSuppressions } = {},
): Promise<Relations> {
  const [lists, consents, suppressions] = await Promise.all([
    listsOf(log, whole, until),
    consentsOf(log, whole, until),
    suppressionsOf(log, whole, domains, until),
  ]);
  return { lists, consents, suppressed_channels: suppressions.map(({ channel }) => channel), suppressions };
}

/** Ordered by id. Deleted lists are left out. */
async function listsOf(log: EventLog, whole: WholeTree, until: ReadBound | undefined): Promise<Relations['lists']> {
  const own = async ({ id }: { readonly id: string }): Promise<Memberships> => loadMemberships(log, id, until);
  const memberships = await unifyOver(whole, own, unifyMemberships);
  const shown = await Promise.all(
    Object.entries(memberships).map(async ([id, { value }]) => {
      const { state } = await loadAggregate(log, contactList, listStream(id), { until });
      return state.status === 'active' ? [{ id, status: value.status }] : [];
    }),
  );
  return shown.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Consents count by when they were given, even if they were recorded later. */
async function consentsOf(log: EventLog, whole: WholeTree, until: ReadBound | undefined): Promise<Relations['consents']> {
  const counts = ({ event, position }: LogEvent<ConsentEvent>): boolean => isWithinBound(until, event.data.occurred_at, position);
  const where = until === undefined ? undefined : counts;
  const own = async ({ id }: { readonly id: string }): Promise<Consents> =>
    (await loadAggregate(log, consent, consentStream(id), { sealed: true, where })).state;
  return consentsByChannel(await unifyOver(whole, own, unifyConsents));
}

/**
 * What is stopped on each channel. A channel is suppressed if an address it uses is; a channel that addresses the contact
 * itself, if any address is. The entry of a whole domain stops emails to its addresses, as the gates have it.
 */
async function suppressionsOf(
  log: EventLog,
  whole: WholeContact,
  known: DomainSuppressions,
  until: ReadBound | undefined,
): Promise<Relations['suppressions']> {
  const ofDomain = (key: string): Promise<Suppression> => {
    const state = known.get(key) ?? loadSuppression(log, key, until);
    known.set(key, state);
    return state;
  };
  const [states, domains] = await Promise.all([
    Promise.all(addressKeysOf(whole.members).map(async ({ kind, key }) => ({ kind, state: await loadSuppression(log, key, until) }))),
    Promise.all(domainEntriesOf(log, whole).map(async ({ key, domain }) => ({ domain, state: await ofDomain(key) }))),
  ]);
  return channelNames.flatMap((channel) => {
    const { address } = channels[channel];
    const used: { readonly state: Suppression; readonly domain?: string }[] = states.filter(({ kind }) => address === kind || address === 'contact');
    if (channel === 'email') used.push(...domains);
    const cause = foremost(used.flatMap(({ state, domain }) => activeCausesOn(state, channel).map((one) => ({ ...one, domain }))));
    return cause ? [{ channel, scope: cause.scope, reason: cause.reason, since: cause.occurred_at, ...omitUndefined({ domain: cause.domain }) }] : [];
  });
}

const isOwnEmail = (name: string, value: ShownValue): boolean => name === 'email' || value.from === 'email';

/** The domains of the emails of a contact, each once, with the keys of their entries. `counts`: by default those that it is written to at. */
export function domainEntriesOf(
  log: EventLog,
  { account, facts }: Pick<WholeContact, 'account' | 'facts'>,
  counts: (name: string, value: ShownValue) => boolean = isOwnEmail,
): { key: string; domain: string }[] {
  const entries = Object.entries(facts.values)
    .filter(([name, value]) => counts(name, value))
    .flatMap(([, { value }]) => (typeof value === 'string' ? (domainEntryOf(value) ?? []) : []));
  return [...new Set(entries)].map((entry) => ({ key: log.addressKey(account, entry), domain: domainOfEntry(entry) ?? '' }));
}
