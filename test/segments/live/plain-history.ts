/** What happened to contacts, as the plain reading of rules takes it. */
import { type Consents, uniteConsents } from '../../../domain/consent/consent.js';
import { type ContactNode, membersOf, unite } from '../../../domain/contacts/contact-tree.js';
import { type Facts, uniteFacts } from '../../../domain/contacts/facts.js';
import { type ChannelName, channelNames, channels } from '../../../domain/kernel/channels.js';
import { type Memberships, uniteMemberships } from '../../../domain/lists/membership.js';
import type { Known, PastEvent, PastMessageEvent, SegmentHistory } from '../../../domain/segments/history.js';

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
  readonly events: PastEvent[];
  readonly messages: PastMessageEvent[];
}

/** An address as the plain reading knows it. */
export interface RawAddress {
  /** Channels, or `all`. */
  readonly suppressed: Set<string>;
  /** To it, without a contact. */
  readonly messages: PastMessageEvent[];
}

/** The united history of a tree of contacts. */
export function historyOf(tree: ContactNode<Raw>, addressOf: (key: string) => RawAddress): SegmentHistory {
  const { id } = tree;
  const members = membersOf(tree).map(({ own }) => own);
  const known = <V>(value: V): Known<V> => ({ value, events: [] });
  const facts = unite(tree, ({ own }) => own.facts, uniteFacts);
  const lists = unite(tree, ({ own }) => own.lists, uniteMemberships);
  const values = Object.entries(facts.values).map(([name, { value }]) => [name, known(value)] as const);
  const tags = Object.keys(facts.tags).filter((tag) => facts.tags[tag]?.value);
  const { created_at, source } = tree.own;
  return {
    contact_id: id,
    fields: new Map<string, Known<unknown>>([
      ...values,
      ['tags', known(tags)],
      ['id', known(id)],
      ['created_at', known(created_at)],
      ['source', known(source)],
    ]),
    lists: new Map(Object.entries(lists).map(([list, { value }]) => [list, known(value.status)])),
    consents: unite(tree, ({ own }) => own.consents, uniteConsents),
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
