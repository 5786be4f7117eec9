/** Contacts as the plain reading of rules sees them, and beside it their memberships, step by step. */
import { type Consents, evolve as evolveConsents, type SealedConsentEvent } from '../../../domain/consent/consent.js';
import type { ContactNode } from '../../../domain/contacts/contact-tree.js';
import { applyPatch, emptyPatch } from '../../../domain/contacts/facts.js';
import type { Membership, MembershipStatus } from '../../../domain/lists/membership.js';
import type { PastCustomEvent, PastMessageEvent, SegmentHistory } from '../../../domain/segments/history.js';
import { compileCatalog, type SegmentCatalog, type SegmentInForce } from '../../../domain/segments/live/catalog.js';
import {
  changeAddresses,
  changeConsents,
  changeFacts,
  changeListStatus,
  changeScore,
  type InputChange,
  keepEvent,
  keptIn,
} from '../../../domain/segments/live/changes.js';
import { eventSource, messageSource } from '../../../domain/segments/live/history-leaves.js';
import { type AddressInputs, noAddressInputs, noInputs, type OwnInputs } from '../../../domain/segments/live/inputs.js';
import {
  advance,
  applyTo,
  type Flip,
  type FlipCause,
  type LiveContact,
  nextLook,
  noContact,
  type TouchedInputs,
} from '../../../domain/segments/live/membership.js';
import { asksForDates, type Rule } from '../../../domain/segments/rule.js';
import { contactClocks } from '../../../formats/messages/utc-offsets.js';
import { sampleBucketOf } from '../../../log/aggregates/segments/buckets.js';
import { byCalendar, holdsByCalendar } from './date-oracle.js';
import { historyOf, newRaw, type Raw, type RawAddress } from './reference-history.js';
import { textAt } from './rules.js';
import { asked, builtAddress, builtOwn, personalNames, pickHistories } from './world-building.js';

interface Person {
  readonly id: string;
  readonly raw: Raw;
  own: OwnInputs;
  links: { readonly merge_id: string; readonly at: string; readonly part: string }[];
  into: string | null;
  gone: boolean;
}

export class LiveWorld {
  readonly #people = new Map<string, Person>();
  readonly #live = new Map<string, LiveContact>();
  readonly #numbers = new Map<string, number>();
  readonly #rawAddresses = new Map<string, RawAddress>();
  readonly #states = new Map<string, AddressInputs>();
  #segments: SegmentInForce[] = [];
  #catalog: SegmentCatalog;
  now: number;
  #ids = 0;
  #accountZone = 'UTC';
  /** Comparisons so far. */
  pairs = 0;

  constructor(start: number) {
    this.now = start;
    this.#catalog = this.#compile(0);
  }

  get roots(): string[] {
    return [...this.#people.values()].filter(({ gone, into }) => !gone && into === null).map(({ id }) => id);
  }
  get present(): string[] {
    return [...this.#people.values()].filter(({ gone }) => !gone).map(({ id }) => id);
  }
  get merged(): string[] {
    return [...this.#people.values()].filter(({ gone, into }) => !gone && into !== null).map(({ id }) => id);
  }
  get segmentIds(): string[] {
    return this.#segments.map(({ id }) => id);
  }

  /** Puts a version of a segment in force, or removes the segment; what is new of it is built from everything that happened. */
  define(id: string, rule: Rule | null): void {
    const known = this.#segments.find((segment) => segment.id === id);
    const others = this.#segments.filter((segment) => segment !== known);
    const stamp = this.#catalog.stamp + 1;
    const n = known?.n ?? Number(id.slice(4));
    this.#segments = rule ? [...others, { id, n, version: (known?.version ?? 0) + 1, rule, since: stamp }] : others;
    const before = this.#catalog;
    this.#catalog = this.#compile(stamp);
    const built = new Set([...this.#catalog.histories.keys()].filter((name) => !before.histories.has(name)));
    const building = { catalog: this.#catalog, now: this.now, histories: built, stateOf: (key: string) => this.#states.get(key) };
    for (const [key, address] of this.#rawAddresses) this.#states.set(key, builtAddress(address, building, key));
    for (const person of this.#people.values()) person.own = builtOwn(person, building);
    for (const [root, live] of this.#live) if (live.tree) this.#live.set(root, { ...live, tree: this.#treeOf(root) });
  }

  /** The account has another time zone: all rules over dates are put in force again. */
  zone(zone: string): void {
    if (zone === this.#accountZone) return;
    this.#accountZone = zone;
    const stamp = this.#catalog.stamp + 1;
    this.#segments = this.#segments.map((segment) => (asksForDates(segment.rule) ? { ...segment, zoned: stamp } : segment));
    this.#catalog = this.#compile(stamp);
  }

  #compile(stamp: number): SegmentCatalog {
    const numbers = (key: string): number => {
      const known = this.#numbers.get(key) ?? this.#numbers.size;
      this.#numbers.set(key, known);
      return known;
    };
    return compileCatalog(stamp, this.#segments, { numbers, bucketOf: sampleBucketOf, clocksOf: contactClocks(this.#accountZone) });
  }

  create(): string {
    this.#ids += 1;
    const id = `con_${this.#ids}`;
    const created_at = textAt(this.now);
    const raw = newRaw(created_at);
    this.#people.set(id, { id, raw, own: noInputs(created_at, 'api'), links: [], into: null, gone: false });
    this.#live.set(id, noContact);
    this.#apply(id, { cause: 'attribute', all: true });
    return id;
  }

  /** Custom events of a contact and of all that is merged into it. */
  readonly eventsOf = (root: string): readonly PastCustomEvent[] => this.#historyOf(root).events;

  happen(id: string, event: Omit<PastCustomEvent, 'id'> & { readonly id?: string }): void {
    const person = this.#person(id);
    person.raw.events.push({ id: `evt_${++this.#ids}`, ...event });
    const properties = asked(event.properties as Record<string, unknown>);
    this.#change(person, keepEvent(this.#catalog, person.own, { source: eventSource(event.name), at: event.time, properties }, this.now), 'event');
  }

  message(id: string, event: Omit<PastMessageEvent, 'id'>): void {
    const person = this.#person(id);
    person.raw.messages.push({ ...event, id: `evt_${++this.#ids}` });
    this.#change(
      person,
      keepEvent(this.#catalog, person.own, { source: messageSource(event.action), at: event.time, properties: asked({ ...event }) }, this.now),
      'event',
    );
  }

  /** Null clears. */
  set(id: string, name: string, value: unknown): void {
    const person = this.#person(id);
    const at = textAt(this.now);
    const isPersonal = personalNames.has(name) && value !== null;
    const patch =
      value === null
        ? { ...emptyPatch, cleared: [name] }
        : isPersonal
          ? { ...emptyPatch, said: [name], personal: { [name]: value } }
          : { ...emptyPatch, values: { [name]: value } };
    person.raw.facts = applyPatch(person.raw.facts, patch, at);
    this.#change(person, changeFacts(this.#catalog, person.own, patch, asked(patch.personal), at), 'attribute');
  }

  tag(id: string, tag: string, add: boolean): void {
    const person = this.#person(id);
    const patch = add ? { ...emptyPatch, tags_added: [tag] } : { ...emptyPatch, tags_removed: [tag] };
    person.raw.facts = applyPatch(person.raw.facts, patch, textAt(this.now));
    this.#change(person, changeFacts(this.#catalog, person.own, patch, asked({}), textAt(this.now)), 'attribute');
  }

  list(id: string, list: string, status: MembershipStatus, by: Membership['by']): void {
    const person = this.#person(id);
    const value = { status, by, contact_id: id, source: '', request_id: null, requested_at: null };
    person.raw.lists = { ...person.raw.lists, [list]: { value, at: textAt(this.now) } };
    this.#change(person, changeListStatus(person.own, list, { value: { status, by }, at: textAt(this.now) }), 'attribute');
  }

  consent(id: string, event: SealedConsentEvent): void {
    const person = this.#person(id);
    person.raw.consents = evolveConsents(person.raw.consents, event);
    this.#change(person, changeConsents(person.own, evolveConsents(person.own.consents as Consents, event)), 'attribute');
  }

  /** Gives a contact an address that it alone has, or takes its address away. */
  address(id: string, kind: 'email' | 'phone', key: string | null): void {
    const person = this.#person(id);
    const { [kind]: _, ...others } = person.raw.addresses;
    person.raw.addresses = key === null ? others : { ...others, [kind]: key };
    const patch = key === null ? { ...emptyPatch, cleared: [kind] } : { ...emptyPatch, said: [kind], personal: { [kind]: key } };
    person.raw.facts = applyPatch(person.raw.facts, patch, textAt(this.now));
    const values = changeFacts(this.#catalog, person.own, patch, asked(patch.personal), textAt(this.now));
    const { own, inputs } = changeAddresses(values.own, { [kind]: key }, (one) => this.#states.get(one));
    this.#change(person, { own, inputs: [...values.inputs, ...inputs], fields: values.fields }, 'attribute');
  }

  suppress(key: string, channel: string, isOn: boolean): void {
    const { suppressed } = this.addressOf(key);
    if (isOn) suppressed.add(channel);
    else suppressed.delete(channel);
    const known = this.#states.get(key) ?? noAddressInputs;
    this.#states.set(key, { ...known, suppressed: [...suppressed].map((one) => `${one}/manual`) });
    this.#copyAddress(key, 'attribute');
  }

  /** What became of a message that named no contact. */
  messageTo(key: string, event: Omit<PastMessageEvent, 'id'>): void {
    this.addressOf(key).messages.push({ ...event, id: `evt_${++this.#ids}` });
    const known = this.#states.get(key) ?? noAddressInputs;
    const contactSignal = { source: messageSource(event.action), at: event.time, properties: asked({ ...event }) };
    this.#states.set(key, { ...known, ...pickHistories(keptIn(this.#catalog, known.histories, contactSignal, this.now)) });
    this.#copyAddress(key, 'event');
  }

  readonly addressOf = (key: string): RawAddress => {
    const known = this.#rawAddresses.get(key) ?? { suppressed: new Set(), messages: [] };
    this.#rawAddresses.set(key, known);
    return known;
  };

  #copyAddress(key: string, cause: FlipCause): void {
    for (const person of this.#people.values()) {
      const kind = (['email', 'phone'] as const).find((one) => person.own.addresses?.[one]?.key === key);
      if (kind && !person.gone)
        this.#change(
          person,
          changeAddresses(person.own, { [kind]: key }, (one) => this.#states.get(one)),
          cause,
        );
    }
  }

  score(id: string, value: number): void {
    const person = this.#person(id);
    person.raw.scores = { churn: value };
    this.#change(person, changeScore(person.own, 'churn', value), 'attribute');
  }

  merge(from: string, into: string): void {
    const [part, whole] = [this.#person(from), this.#person(into)];
    part.into = into;
    whole.links = [...whole.links, { merge_id: `mrg_${++this.#ids}`, at: textAt(this.now), part: from }];
    this.#end(from, 'merge');
    this.#apply(this.#rootOf(into), { cause: 'merge', all: true });
  }

  unmerge(id: string): void {
    const part = this.#person(id);
    const whole = this.#person(part.into as string);
    whole.links = whole.links.filter((link) => link.part !== id);
    part.into = null;
    if (this.roots.includes(this.#rootOf(whole.id))) this.#apply(this.#rootOf(whole.id), { cause: 'merge', all: true });
    this.#live.set(id, { ...noContact, now: this.#live.get(id)?.now ?? 0 });
    this.#apply(id, { cause: 'merge', all: true });
  }

  /** Deletion or erasure. */
  end(id: string): void {
    const person = this.#person(id);
    const root = this.#rootOf(id);
    person.gone = true;
    if (person.into !== null) {
      const whole = this.#person(person.into);
      whole.links = whole.links.filter(({ part }) => part !== id);
      person.into = null;
    }
    if (root === id) this.#end(id, 'attribute');
    else if (this.roots.includes(root)) this.#apply(root, { cause: 'attribute', all: true });
  }

  /** Who is in a segment by the plain reading, by id. */
  membersOf(segment: string): string[] {
    const rule = this.#surroundings.ruleOf(segment);
    return this.roots.filter((id) => rule && holdsByCalendar(rule, this.#historyOf(id), this.now, this.#surroundings)).sort();
  }

  /** Compares every contact with the plain reading of every rule. `store`: whether the time moves for good. */
  check(store: boolean): string | null {
    for (const id of this.roots) {
      const live = this.#live.get(id) as LiveContact;
      const next = nextLook(this.#catalog, live);
      const isNew = live.stamp !== this.#catalog.stamp;
      const { contact, flips } = advance(this.#catalog, live, this.now);
      if (store) this.#live.set(id, contact);
      const timed = flips.filter(({ cause }) => cause === 'timer');
      const expected = next !== null && next.at <= this.now ? next.at : undefined;
      if (!isNew && next?.flips !== false && timed[0]?.at !== expected) return `${id}: next flip at ${next?.at}, was ${timed[0]?.at}`;
      const problem = this.#compare(id, contact) ?? this.#compareFlips(id, timed);
      if (problem) return problem;
    }
    return null;
  }

  #compare(id: string, contact: LiveContact): string | null {
    const history = this.#historyOf(id);
    for (const segment of this.#segments) {
      this.pairs += 1;
      const holds = holdsByCalendar(segment.rule, history, this.now, this.#surroundings);
      if (contact.members.includes(segment.n) !== holds) return `${id} ${JSON.stringify(segment)}: ${holds} at ${textAt(this.now)}`;
    }
    return null;
  }

  /** Each flip by time is at the very moment at which the rule changes. */
  #compareFlips(id: string, flips: readonly Flip[]): string | null {
    const history = this.#historyOf(id);
    for (const { n, change, at } of flips) {
      const { rule } = this.#segments.find((segment) => segment.n === n) as SegmentInForce;
      const [was, is] = [at - 1, at].map((moment) => holdsByCalendar(rule, history, moment, this.#surroundings));
      if (was === is || is !== (change === 'entered')) return `${id} ${change} ${n} at ${textAt(at)}, not then: ${JSON.stringify(rule)}`;
    }
    return null;
  }

  get #surroundings() {
    return byCalendar((id) => this.#segments.find((segment) => segment.id === id)?.rule, this.#accountZone);
  }

  readonly #person = (id: string): Person => this.#people.get(id) as Person;

  #rootOf(id: string): string {
    const { into } = this.#person(id);
    return into === null ? id : this.#rootOf(into);
  }

  #treeOf<T = OwnInputs>(id: string, ownOf: (person: Person) => T = ({ own }) => own as T): ContactNode<T> {
    const person = this.#person(id);
    const links = person.links.map(({ merge_id, at, part }) => ({ merge_id, at, contact: this.#treeOf(part, ownOf) }));
    return { id, own: ownOf(person), links };
  }

  #change(person: Person, { own, inputs, fields }: InputChange, cause: FlipCause): void {
    person.own = own;
    this.#apply(this.#rootOf(person.id), { cause, inputs, fields });
  }

  #apply(root: string, touched: TouchedInputs): void {
    if (this.#person(root).gone) return;
    const { contact } = applyTo(this.#catalog, this.#live.get(root) as LiveContact, this.now, this.#treeOf(root), touched);
    // As it is stored.
    this.#live.set(root, { ...contact, quiet_until: nextLook(this.#catalog, contact)?.at ?? Number.MAX_SAFE_INTEGER });
  }

  #end(id: string, cause: FlipCause): void {
    const { contact } = applyTo(this.#catalog, this.#live.get(id) as LiveContact, this.now, null, { cause });
    if (contact.members.length > 0) throw new Error(`${id} is still a member`);
    this.#live.set(id, contact);
  }

  #historyOf(id: string): SegmentHistory {
    return historyOf(
      this.#treeOf(id, ({ raw }) => raw),
      this.addressOf,
    );
  }
}
