import { type ConsentEvent, type Consents, consent, consentStream, consentsByChannel, unifyConsents } from '../../domain/consent/consent.js';
import type { ExistingContact } from '../../domain/contacts/contact.js';
import type { ContactNode } from '../../domain/contacts/contact-tree.js';
import { addressKeysOf } from '../../domain/contacts/facts.js';
import type { Relations } from '../../domain/contacts/resource.js';
import { channelNames, channels } from '../../domain/kernel/channels.js';
import { contactList, listStream } from '../../domain/lists/list.js';
import { type Memberships, unifyMemberships } from '../../domain/lists/membership.js';
import { activeCausesOn, foremost } from '../../domain/suppressions/suppression.js';
import { unifyOver } from '../../log/aggregates/contacts/unify-contact.js';
import { loadMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { isWithinBound, type ReadBound } from '../../log/aggregates/loaded-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

type RelatedContact = Pick<ExistingContact, 'id' | 'facts'>;
type WholeTree = { readonly tree: ContactNode<unknown>; readonly members: readonly RelatedContact[] };

/** The lists, consents and suppressions of a contact, from the log. */
export async function loadRelations(log: EventLog, whole: WholeTree, until?: ReadBound): Promise<Relations> {
  const [lists, consents, suppressions] = await Promise.all([
    listsOf(log, whole, until),
    consentsOf(log, whole, until),
    suppressionsOf(log, whole.members, until),
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
 * itself, if any address is.
 */
async function suppressionsOf(
  log: EventLog,
  members: readonly Pick<ExistingContact, 'facts'>[],
  until: ReadBound | undefined,
): Promise<Relations['suppressions']> {
  const states = await Promise.all(addressKeysOf(members).map(async ({ kind, key }) => ({ kind, state: await loadSuppression(log, key, until) })));
  return channelNames.flatMap((channel) => {
    const { address } = channels[channel];
    const used = states.filter(({ kind }) => address === kind || address === 'contact');
    const cause = foremost(used.flatMap(({ state }) => activeCausesOn(state, channel)));
    return cause ? [{ channel, scope: cause.scope, reason: cause.reason, since: cause.occurred_at }] : [];
  });
}
