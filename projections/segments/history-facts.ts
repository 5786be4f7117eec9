/** What a contact is, for rules: fields, lists, consents, reachability, each with the events that made it so. */
import {
  type ConsentEvent,
  type Consents,
  consent,
  consentStream,
  evolve as evolveConsents,
  noConsents,
  unifyConsents,
} from '../../domain/consent/consent.js';
import { contactStream, type ExistingContact } from '../../domain/contacts/contact.js';
import type { ContactNode } from '../../domain/contacts/contact-tree.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { addressKeysOf, type Facts } from '../../domain/contacts/facts.js';
import { type ChannelName, channelNames, channels } from '../../domain/kernel/channels.js';
import { contactList, listStream } from '../../domain/lists/list.js';
import { type MembershipEvent, type MembershipStatus, type Memberships, membershipStream } from '../../domain/lists/membership.js';
import { customKeyOf } from '../../domain/segments/fields.js';
import type { SourcedValue } from '../../domain/segments/history.js';
import { reaches } from '../../domain/segments/reachability.js';
import { activeCausesOn, suppressionStream } from '../../domain/suppressions/suppression.js';
import { unifyOver } from '../../log/aggregates/contacts/load-contact.js';
import { isWithinBound, loadAggregate, type ReadBound, recordedAt } from '../../log/aggregates/load-aggregate.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { NamedEvents } from './named-events.js';

/** A unified contact, from the log or from the read model. */
export interface WholeContact {
  readonly tree: ContactNode<unknown>;
  /** The root first. */
  readonly members: readonly Pick<ExistingContact, 'id' | 'source' | 'created_at' | 'facts'>[];
  readonly facts: Facts;
}

/** Which events set a value: by its name, and the time at which it was set. */
export type SettingEvents = (name: string, at: string) => readonly string[];
export const noEvents: SettingEvents = () => [];

/** The fields as a contact shows them: a custom field that was removed, and perhaps defined again, starts without values. */
export function contactFieldsOf({ members, facts }: WholeContact, fields: CustomFields, eventsOf: SettingEvents): Map<string, SourcedValue<unknown>> {
  const root = members[0] as WholeContact['members'][number];
  const created = eventsOf('created', root.created_at);
  const known = new Map<string, SourcedValue<unknown>>();
  for (const name of ['id', 'source', 'created_at'] as const) known.set(name, { value: root[name], events: created });
  for (const [name, { value, at }] of Object.entries(facts.values)) {
    const key = customKeyOf(name);
    const field = key === null ? undefined : fields.get(key);
    if (key === null || (field && at >= field.created_at)) known.set(name, { value, events: eventsOf(name, at) });
  }
  const tags = Object.entries(facts.tags);
  const events = tags.flatMap(([tag, { at }]) => eventsOf(`tags/${tag}`, at));
  known.set('tags', { value: tags.flatMap(([tag, { value }]) => (value ? [tag] : [])).sort(), events: [...new Set(events)] });
  return known;
}

/** The events of the members' own streams that set their values. */
export async function settingEvents(
  log: EventLog,
  { members }: WholeContact,
  until: ReadBound | undefined,
  named: NamedEvents,
): Promise<SettingEvents> {
  const byValue = new Map<string, string[]>();
  const note = (name: string, at: string, id: string): void => void byValue.set(`${name}@${at}`, [...(byValue.get(`${name}@${at}`) ?? []), id]);
  for (const { id: contact } of members) {
    // Which values an event set can be read without opening it.
    const events = (await log.readSealed(contactStream(contact))) ?? [];
    for (const stored of events) {
      const { event, position } = stored;
      if ((event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') || !isWithinBound(until, recordedAt(stored), position)) continue;
      const { at, values, said, cleared, tags_added, tags_removed } = event.data as SetValues;
      const id = named.note(stored, at);
      if (event.type === 'ContactCreated') note('created', at, id);
      for (const name of [...Object.keys(values), ...said, ...cleared]) note(name, at, id);
      for (const tag of [...tags_added, ...tags_removed]) note(`tags/${tag}`, at, id);
    }
  }
  return (name, at) => byValue.get(`${name}@${at}`) ?? [];
}

interface SetValues {
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly said: readonly string[];
  readonly cleared: readonly string[];
  readonly tags_added: readonly string[];
  readonly tags_removed: readonly string[];
}

const CHANGES_MEMBERSHIP: ReadonlySet<string> = new Set<MembershipEvent['type']>([
  'SubscriptionRequested',
  'ListSubscribed',
  'ListUnsubscribed',
  'ListResubscribed',
  'ListCleaned',
]);

/** The events behind memberships. */
export async function membershipSettingEvents(
  log: EventLog,
  { members }: WholeContact,
  until: ReadBound | undefined,
  named: NamedEvents,
): Promise<SettingEvents> {
  const byList = new Map<string, string>();
  for (const { id } of members) {
    for (const stored of ((await log.readSealed(membershipStream(id))) ?? []) as LogEvent<MembershipEvent>[]) {
      if (!CHANGES_MEMBERSHIP.has(stored.event.type) || !isWithinBound(until, recordedAt(stored), stored.position)) continue;
      const { list_id, at } = stored.event.data;
      byList.set(`${list_id}@${at}`, named.note(stored, at));
    }
  }
  return (name, at) => [byList.get(`${name}@${at}`) ?? []].flat();
}

/** By list. A list that is deleted has no members. */
export async function listsOf(
  log: EventLog,
  memberships: Memberships,
  until: ReadBound | undefined,
  eventsOf: SettingEvents,
): Promise<Map<string, SourcedValue<MembershipStatus>>> {
  const known = await Promise.all(
    Object.entries(memberships).map(async ([id, { value, at }]) => {
      const { state } = await loadAggregate(log, contactList, listStream(id), { until });
      return state.status === 'active' ? [[id, { value: value.status, events: eventsOf(id, at) }] as const] : [];
    }),
  );
  return new Map(known.flat());
}

/** What was recorded up to `until`. With `named`, entries have the ids that callers know. */
export async function consentsOf(log: EventLog, whole: WholeContact, until: ReadBound | undefined, named: NamedEvents | null): Promise<Consents> {
  if (!named && until === undefined)
    return unifyOver(whole, async ({ id }) => (await loadAggregate(log, consent, consentStream(id), { sealed: true })).state, unifyConsents);
  const own = async ({ id }: { readonly id: string }): Promise<Consents> => {
    const stored = ((await log.readSealed(consentStream(id))) ?? []) as LogEvent<ConsentEvent>[];
    const counting = stored.filter(({ event, position }) => isWithinBound(until, event.data.at, position));
    return counting.reduce((known, one) => evolveConsents(known, one.event, named?.note(one, one.event.data.occurred_at) ?? null), noConsents);
  };
  return unifyOver(whole, own, unifyConsents);
}

/** See `reaches`. */
export async function reachableOf(
  log: EventLog,
  whole: WholeContact,
  until: ReadBound | undefined,
  named: NamedEvents | null,
  eventsOf: SettingEvents,
): Promise<Map<ChannelName, SourcedValue<boolean>>> {
  const addresses = await Promise.all(
    addressKeysOf(whole.members).map(async ({ kind, key }) => {
      const stored = named ? ((await log.readSealed(suppressionStream(key))) ?? []) : [];
      const last = stored.filter((one) => isWithinBound(until, recordedAt(one), one.position)).at(-1);
      return { kind, state: await loadSuppression(log, key, until), event: last && named ? [named.note(last, recordedAt(last))] : [] };
    }),
  );
  const known = channelNames.map((channel) => {
    const { address } = channels[channel];
    const used = addresses.filter(({ kind }) => address === kind || address === 'contact');
    const suppressed = used.filter(({ state }) => activeCausesOn(state, channel).length > 0);
    const value = reaches(
      channel,
      (kind) => hasAddress(whole.facts, kind),
      (kind) => suppressed.some((one) => one.kind === kind),
    );
    const at = address === 'contact' ? undefined : whole.facts.values[address]?.at;
    const events = [...(at === undefined ? [] : eventsOf(address, at)), ...suppressed.flatMap(({ event }) => event)];
    return [channel, { value, events }] as const;
  });
  return new Map(known);
}

const hasAddress = ({ values }: Facts, kind: 'email' | 'phone'): boolean => (values[kind]?.value ?? null) !== null;
