/**
 * What the rules of segments see of a contact, as plain data: each contact of a tree keeps its own, and reading unifies them along the
 * links that count. So a merge and its end need nothing but the link.
 */
import { type Consent, type Consents, consentOf, noConsents, unifyConsents } from '../../consent/consent.js';
import { type ContactNode, membersOf, unify } from '../../contacts/contact-tree.js';
import { type Facts, noFacts, unifyFacts } from '../../contacts/facts.js';
import type { ChannelName } from '../../kernel/channels.js';
import type { UtcOffsetAt } from '../../kernel/clocks.js';
import { ownField } from '../../kernel/own-fields.js';
import type { TimestampedValue } from '../../kernel/timestamped.js';
import { type Membership, type Memberships, noMemberships, unifyMemberships } from '../../lists/membership.js';
import type { ClocksOf } from '../dates.js';
import { type AddressKind, type AddressSlot, reaches, slotsOf } from '../reachability.js';
import { type History, noHistory, type Retention, unifyHistories } from './histories.js';

/** The status of a consent by `<channel>/<purpose>`. */
export type ConsentStatuses = Readonly<Record<string, TimestampedValue<Pick<Consent, 'status'>>>>;
/** By list. */
export type ListStatuses = Readonly<Record<string, TimestampedValue<Pick<Membership, 'status' | 'by'>>>>;

/** What is known of an address, whoever has it. */
export interface AddressInputs {
  /** `<channel>/<reason>` of each active suppression. */
  readonly suppressed: readonly string[];
  /** Of messages to it that named no contact. By the number of the history. */
  readonly histories: Readonly<Record<string, History>>;
}
export const noAddressInputs: AddressInputs = { suppressed: [], histories: {} };

/** An address that a contact has, by its key. */
export interface OwnAddress extends AddressInputs {
  readonly key: string;
}

/** The inputs of one contact without those that are merged into it. */
export interface OwnInputs {
  /** RFC 3339. */
  readonly created_at: string;
  readonly source: string;
  /**
   * Values by name. A personal value is not in it, but what the leaves decide of it: see `Decided`.
   */
  readonly facts: Facts;
  readonly lists: ListStatuses;
  readonly consents: ConsentStatuses;
  /** Its own addresses, by their kind. */
  readonly addresses?: Readonly<Partial<Record<AddressSlot, OwnAddress>>>;
  readonly scores?: Readonly<Record<string, number>>;
  /** By the number of the history. */
  readonly histories: Readonly<Record<string, History>>;
}

/** The input of the leaves over a history. */
export const historyInput = (name: string): string => `history/${name}`;

/** A personal value as leaves need it: the numbers of those that are true of it, and the time that it names, if one is asked for. */
export interface DecidedValue {
  readonly true_of: readonly number[];
  /** Milliseconds since 1970; of a day its midnight on clocks of UTC. */
  readonly moment?: number | null;
  /** It is a day. */
  readonly day?: true;
}
export type InputValue = { readonly is: unknown } | DecidedValue | null;

export const isDecided = (value: InputValue | undefined): value is DecidedValue => value != null && 'true_of' in value;

export const noInputs = (created_at: string, source: string): OwnInputs => ({
  created_at,
  source,
  facts: noFacts,
  lists: noMemberships,
  consents: noConsents,
  histories: {},
});

/** Of all members, each once: a key may have moved from one to another. */
function addressesOf(members: readonly ContactNode<OwnInputs>[]): readonly OwnAddress[] {
  const all: OwnAddress[] = [];
  for (const { own } of members) {
    if (!own.addresses) continue;
    for (const address of Object.values(own.addresses)) if (!all.some(({ key }) => key === address.key)) all.push(address);
  }
  return all;
}

/** What a catalog says of inputs. */
interface InputRules {
  readonly retentionOf: (history: string) => Retention | undefined;
  /** By the name of a field: the time up to which its values do not count. */
  readonly removed: Readonly<Record<string, string>>;
  readonly clocksOf: ClocksOf;
}

/** The unified inputs of a contact and of all that is merged into it. */
export class UnifiedInputs {
  readonly #facts: Facts;
  readonly #lists: ListStatuses;
  readonly #consents: ConsentStatuses;
  readonly #histories = new Map<string, History>();
  readonly #members: readonly ContactNode<OwnInputs>[];
  readonly #addresses: readonly OwnAddress[];

  constructor(
    readonly tree: ContactNode<OwnInputs>,
    private readonly catalog: InputRules,
    private readonly now: number,
  ) {
    this.#members = membersOf(tree);
    this.#addresses = addressesOf(this.#members);
    this.#facts = unify(tree, ({ own }) => own.facts, unifyFacts);
    this.#lists = unify(
      tree,
      ({ own }) => own.lists,
      (a, b, at) => unifyMemberships(a as Memberships, b as Memberships, at),
    );
    this.#consents = unify(
      tree,
      ({ own }) => own.consents,
      (a, b, at) => unifyConsents(a as Consents, b as Consents, at),
    );
  }

  get id(): string {
    return this.tree.id;
  }

  value(name: string): InputValue {
    const { own } = this.tree;
    if (name === 'tags') return { is: this.tags };
    if (name === 'id') return { is: this.id };
    if (name === 'source' || name === 'created_at') return { is: own[name] };
    const known = ownField(this.#facts.values, name);
    const removed = ownField(this.catalog.removed, name);
    return !known || (removed !== undefined && known.at <= removed) ? null : (known.value as InputValue);
  }

  /** Of its time zone, or else of its account. */
  get clocks(): UtcOffsetAt {
    return this.catalog.clocksOf(this.zone);
  }

  /** Its own time zone; undefined where it has none. */
  get zone(): string | undefined {
    const zone = this.value('timezone');
    return zone && 'is' in zone && typeof zone.is === 'string' ? zone.is : undefined;
  }

  get tags(): readonly string[] {
    const { tags } = this.#facts;
    return Object.keys(tags).filter((tag) => ownField(tags, tag)?.value);
  }

  listStatus(list: string): string | undefined {
    return ownField(this.#lists, list)?.value.status;
  }

  consent(channel: string, purpose: string): string {
    return consentOf(this.#consents as Consents, channel, purpose);
  }

  isReachable(channel: ChannelName): boolean {
    const has = (kind: AddressKind): boolean => (this.#facts.values[kind]?.value ?? null) !== null;
    const isOn = (one: string): boolean => one.startsWith(`${channel}/`) || one.startsWith('all/');
    const isSuppressed = (kind: AddressKind) =>
      this.#members.some(({ own }) => slotsOf[kind].some((slot) => own.addresses?.[slot]?.suppressed.some(isOn)));
    return reaches(channel, has, isSuppressed);
  }

  /** Undefined if the contact has no such score. */
  score(name: string): number | undefined {
    return ownField(this.tree.own.scores, name);
  }

  /** The names of all histories that are not empty. */
  get historyNames(): string[] {
    const [only] = this.#members;
    if (only && this.#members.length === 1 && this.#addresses.length === 0) return Object.keys(only.own.histories);
    const own = this.#members.flatMap(({ own }) => Object.keys(own.histories));
    return [...new Set([...own, ...this.#addresses.flatMap(({ histories }) => Object.keys(histories))])];
  }

  history(name: string): History {
    const known = this.#histories.get(name);
    if (known) return known;
    const retention = this.catalog.retentionOf(name);
    const parts = [...this.#members.map(({ own }) => own), ...this.#addresses];
    const histories = parts.map((part) => ownField(part.histories, name) ?? noHistory);
    const unified = retention ? histories.reduce((a, b) => unifyHistories(a, b, retention, this.now)) : noHistory;
    this.#histories.set(name, unified);
    return unified;
  }
}
