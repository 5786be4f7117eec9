/** What happened to contacts, as the plain reading of rules takes it. */
import { type Consents, unifyConsents } from '../../../domain/consent/consent.js';
import { type ContactNode, membersOf, unify } from '../../../domain/contacts/contact-tree.js';
import { type Facts, unifyFacts } from '../../../domain/contacts/facts.js';
import { type ChannelName, channelNames, channels } from '../../../domain/kernel/channels.js';
import { type Memberships, unifyMemberships } from '../../../domain/lists/membership.js';
import type { PastCustomEvent, PastMessageEvent, SegmentHistory, SourcedValue } from '../../../domain/segments/history.js';

/** Of one contact without those that are merged into it. */
export interface Raw {
  readonly created_at: string;
  readonly source: string;
  facts: Facts;
  lists: Memberships;
  consents: Consents;
  /** The keys of its addresses. */
  addresses: Partial<Record<'email' | 'phone', string>>;
  scores: Record<string, number>;
  readonly events: PastCustomEvent[];
  readonly messages: PastMessageEvent[];
}

/** An address as the plain reading knows it. */
export interface RawAddress {
  /** Channels, or `all`. */
  readonly suppressed: Set<string>;
  /** To it, without a contact. */
  readonly messages: PastMessageEvent[];
}

/** The unified history of a tree of contacts. */
export function historyOf(tree: ContactNode<Raw>, addressOf: (key: string) => RawAddress): SegmentHistory {
  const { id } = tree;
  const members = membersOf(tree).map(({ own }) => own);
  const known = <V>(value: V): SourcedValue<V> => ({ value, events: [] });
  const facts = unify(tree, ({ own }) => own.facts, unifyFacts);
  const lists = unify(tree, ({ own }) => own.lists, unifyMemberships);
  const values = Object.entries(facts.values).map(([name, { value }]) => [name, known(value)] as const);
  const tags = Object.keys(facts.tags).filter((tag) => facts.tags[tag]?.value);
  const { created_at, source } = tree.own;
  return {
    contact_id: id,
    fields: new Map<string, SourcedValue<unknown>>([
      ...values,
      ['tags', known(tags)],
      ['id', known(id)],
      ['created_at', known(created_at)],
      ['source', known(source)],
    ]),
    lists: new Map(Object.entries(lists).map(([list, { value }]) => [list, known(value.status)])),
    consents: unify(tree, ({ own }) => own.consents, unifyConsents),
    reachable: new Map(channelNames.map((channel) => [channel, known(isReachable(channel, members, facts, addressOf))])),
    events: members.flatMap(({ events }) => events),
    messages: [
      ...members.flatMap(({ messages }) => messages),
      ...[...new Set(members.flatMap(({ addresses }) => Object.values(addresses)))].flatMap((key) => addressOf(key).messages),
    ],
    scores: new Map(Object.entries(tree.own.scores)),
  };
}

function isReachable(channel: ChannelName, members: readonly Raw[], facts: Facts, addressOf: (key: string) => RawAddress): boolean {
  const { address } = channels[channel];
  const kinds = address === 'contact' ? (['email', 'phone'] as const) : [address];
  const used = members.flatMap(({ addresses }) => kinds.flatMap((kind) => addresses[kind] ?? []));
  const isSuppressed = used.some((key) => ['all', channel].some((one) => addressOf(key).suppressed.has(one)));
  const has = address === 'contact' ? channel === 'in_app' : (facts.values[address]?.value ?? null) !== null;
  return has && !isSuppressed;
}

/** Of a contact of whom nothing is known yet. */
export const newRaw = (created_at: string): Raw => ({
  ...{ created_at, source: 'api', facts: { values: {}, keys: {}, tags: {} }, lists: {}, consents: {}, addresses: {}, scores: {} },
  ...{ events: [], messages: [] },
});
