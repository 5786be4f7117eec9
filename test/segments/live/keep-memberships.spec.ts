import { expect } from 'chai';
import type { AnyEvent } from '../../../domain/kernel/event.js';
import { isKept } from '../../../domain/segments/live/definitions.js';
import { segmentMembershipStream } from '../../../domain/segments/live/recorded.js';
import type { Rule } from '../../../domain/segments/rule.js';
import { keepMemberships } from '../../../processes/segments/keep-memberships.js';
import { TODOS, todoList } from '../../../processes/todo-list.js';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import { type SegmentMemberDoc, segmentMembers } from '../../../projections/segments/members.js';
import { verify } from '../../../projections/verify.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';
import { Dice, eventNames, lists, plans, randomRule, TICK_MS, textAt } from './rules.js';
import { LiveWorld, personalNames } from './world.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 3);
const STEPS = 40;
const SEGMENTS = 5;

/** An app and the plain reading of what happens in it. */
class House {
  readonly process = keepMemberships({ views: () => this.app.views });
  readonly app: TestApp = new TestApp([this.process]);
  readonly world = new LiveWorld(this.app.clock.now());
  readonly #revisions = new Map<string, number>();
  readonly #versions = new Map<string, number>();
  readonly #links = new Map<string, { merge_id: string; into: string }>();
  #appends = 0;

  get at(): string {
    return textAt(this.app.clock.now());
  }

  /** Lets time pass; all that is due is done. */
  async pass(ms: number): Promise<void> {
    await this.app.run(ms);
    this.world.now = this.app.clock.now();
  }

  async append(stream: string, event: AnyEvent): Promise<void> {
    const revision = this.#revisions.get(stream);
    this.#revisions.set(stream, (revision ?? -1) + 1);
    await this.app.log.append(stream, revision ?? 'no-stream', [event], {
      ...{ $correlationId: 'c', $causationId: 'c', account: ACCOUNT, actor: { kind: 'operator', id: 'test' }, occurredAt: this.at },
      invocation: `append-${++this.#appends}`,
    });
  }

  async define(id: string, rules: Rule | null): Promise<void> {
    const version = (this.#versions.get(id) ?? 0) + 1;
    const about = { segment_id: id, at: this.at };
    if (rules === null) return;
    this.#versions.set(id, version);
    const event =
      version === 1
        ? { type: 'SegmentCreated', data: { ...about, name: id, rules } }
        : { type: 'SegmentUpdated', data: { ...about, rules, rules_version: version } };
    await this.append(`segment-${id}`, event);
    this.world.define(id, rules);
  }

  async create(): Promise<void> {
    const id = this.world.create();
    await this.append(`contact-${id}`, { type: 'ContactCreated', data: this.#patch(id, {}) });
  }

  async happen(id: string, name: string, time: number, properties: Record<string, unknown>): Promise<void> {
    this.world.happen(id, { name, time, properties });
    const event_id = `evt_${this.#appends}`;
    const data = { event_id, contact_id: id, name, properties, occurred_at: textAt(time), at: this.at };
    await this.append(`event-${event_id}`, { type: 'CustomEventRecorded', data });
  }

  async set(id: string, name: string, value: unknown): Promise<void> {
    this.world.set(id, name, value);
    const patch =
      value === null ? { cleared: [name] } : personalNames.has(name) ? { said: [name], personal: { [name]: value } } : { values: { [name]: value } };
    await this.append(`contact-${id}`, { type: 'ContactUpdated', data: this.#patch(id, patch) });
  }

  async tag(id: string, tag: string, add: boolean): Promise<void> {
    this.world.tag(id, tag, add);
    await this.append(`contact-${id}`, { type: 'ContactUpdated', data: this.#patch(id, add ? { tags_added: [tag] } : { tags_removed: [tag] }) });
  }

  async list(id: string, list: string, subscribed: boolean): Promise<void> {
    this.world.list(id, list, subscribed ? 'subscribed' : 'unsubscribed', 'person');
    const data = { contact_id: id, list_id: list, source: 'api', by: 'person', at: this.at };
    const event = subscribed ? { type: 'ListSubscribed', data: { ...data, request_id: null } } : { type: 'ListUnsubscribed', data };
    await this.append(`membership-${id}`, event);
  }

  async consent(id: string, type: 'ConsentGranted' | 'ConsentWithdrawn', occurredAt: number): Promise<void> {
    const about = { contact_id: id, channel: 'email', purpose: 'marketing', lawful_basis: 'consent', cause: { kind: 'api', id: null } };
    const data = { ...about, occurred_at: textAt(occurredAt), at: this.at };
    this.world.consent(id, { type, data: { ...data, sealed: '' } } as unknown as Parameters<LiveWorld['consent']>[1]);
    await this.append(`consent-${id}`, { type, data: { ...data, source: 'api', proof: null } });
  }

  async merge(from: string, into: string): Promise<void> {
    const merge_id = `mrg_${this.#appends}`;
    this.#links.set(from, { merge_id, into });
    this.world.merge(from, into);
    await this.append(`contact-${from}`, { type: 'ContactMerged', data: { contact_id: from, into, merge_id, because: 'request', at: this.at } });
    await this.append(`contact-${into}`, { type: 'ContactAbsorbed', data: { contact_id: into, absorbed: from, merge_id, at: this.at } });
  }

  async unmerge(id: string): Promise<void> {
    const { merge_id, into } = this.#links.get(id) as { merge_id: string; into: string };
    this.world.unmerge(id);
    await this.append(`contact-${id}`, { type: 'ContactUnmerged', data: { contact_id: id, from: into, merge_id, at: this.at } });
    await this.append(`contact-${into}`, { type: 'ContactReleased', data: { contact_id: into, absorbed: id, merge_id, at: this.at } });
  }

  /** A contact without others. */
  async erase(id: string): Promise<void> {
    this.world.end(id);
    await this.append(`contact-${id}`, { type: 'ContactErased', data: { contact_id: id, erasure_id: `era_${id}`, at: this.at } });
    await this.app.run(0);
    await this.app.vault.erase(id);
    const data = { erasure_id: `era_${id}`, contact_ids: [id], address_keys: [], at: this.at };
    await this.append(`erasure-era_${id}`, { type: 'ErasureCompleted', data });
  }

  /** Null where every segment has the members that it must have. */
  async difference(): Promise<string | null> {
    const members = await this.app.documents<SegmentMemberDoc>(segmentMembers, 'members');
    for (const segment of this.world.segmentIds) {
      const is = members.filter(({ segment_id }) => segment_id === segment).map(({ contact_id }) => contact_id);
      const must = this.world.membersOf(segment);
      if (is.sort().join() !== must.join()) return `${segment} at ${this.at}: has ${is.join()}, must have ${must.join()}`;
    }
    return null;
  }

  #patch(id: string, patch: object): object {
    const empty = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: [], tags_removed: [] };
    return { contact_id: id, source: 'api', import_id: null, ...empty, ...patch, at: this.at };
  }
}

function keptRule(dice: Dice, segments: readonly string[]): Rule {
  for (;;) {
    const rule = randomRule(dice, segments);
    if (isKept(rule)) return rule;
  }
}

const changes: readonly ((dice: Dice, house: House, id: string) => Promise<void>)[] = [
  ...Array.from({ length: 5 }, () => (dice: Dice, house: House, id: string) => {
    const properties = { value: dice.below(5) * 10, ...(dice.chance(0.6) && { kind: dice.one(['a', 'b', 'ab']) }) };
    const time = house.app.clock.now() - (dice.chance(0.7) ? 0 : dice.below(12) * TICK_MS);
    return house.happen(id, dice.one(eventNames), time, properties);
  }),
  (dice, house, id) => house.set(id, 'custom_fields.plan', dice.chance(0.2) ? null : dice.one(plans)),
  (dice, house, id) => house.set(id, 'custom_fields.age', dice.below(8)),
  (dice, house, id) => house.set(id, 'custom_fields.secret', dice.chance(0.2) ? null : dice.below(8)),
  (dice, house, id) => house.set(id, 'first_name', dice.one(['Ann', 'Ben', 'ana'])),
  (dice, house, id) => house.set(id, 'custom_fields.due', textAt(house.app.clock.now() + (dice.below(24) - 12) * TICK_MS)),
  (dice, house, id) => house.tag(id, dice.one(['vip', 'new']), dice.chance(0.6)),
  (dice, house, id) => house.list(id, dice.one(lists), dice.chance(0.6)),
  (dice, house, id) => house.consent(id, dice.one(['ConsentGranted', 'ConsentWithdrawn'] as const), house.app.clock.now() - dice.below(3) * TICK_MS),
  async (dice, house) => {
    const { roots } = house.world;
    const [a, b] = [dice.one(roots), dice.one(roots)];
    if (a !== b) await house.merge(a, b);
  },
  async (dice, house) => {
    const { merged } = house.world;
    if (merged.length > 0) await house.unmerge(dice.one(merged));
  },
  async (_, house) => {
    if (house.world.present.length < 5) await house.create();
  },
  async (dice, house) => {
    const alone = house.world.merged.length === 0 && house.world.roots.length > 2;
    if (alone && dice.chance(0.3)) await house.erase(dice.one(house.world.roots));
  },
  (dice, house) => {
    const n = 1 + dice.below(SEGMENTS);
    const below = house.world.segmentIds.filter((id) => Number(id.slice(4)) < n);
    return house.define(`seg_${n}`, keptRule(dice, below));
  },
];

describe('keeping the memberships of segments', () => {
  it(`records what the plain reading of the history gives, at every step, and after a rebuild (${RUNS} random histories)`, async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const dice = new Dice(seed);
      const house = new House();
      for (let n = 0; n < 3; n++) await house.create();
      for (let n = 0; n < STEPS; n++) {
        await dice.one(changes)(dice, house, dice.one(house.world.present));
        await house.pass(dice.one([0, 0, 1, TICK_MS, TICK_MS, 7_777, 60_000]));
        expect(await house.difference(), `seed ${seed}, step ${n}`).to.equal(null);
      }
      const parts = { log: house.app.log, views: house.app.views };
      const { signal } = new AbortController();
      for (const projection of [todoList(house.process), segmentMembers])
        expect((await verify(projection, parts, signal)).differences, `seed ${seed}: ${projection.name}`).to.deep.equal([]);
    }
  });

  it('tells when a contact entered and left, and why, to the millisecond', async () => {
    const house = new House();
    await house.create();
    await house.define('seg_1', { type: 'event', event: 'visit', window: { last: 'PT30S' } });
    await house.pass(0);
    const began = house.app.clock.now();
    await house.happen('con_1', 'visit', began, {});
    await house.pass(29_999);
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    await house.app.documents(segmentMembers, 'members');
    expect(await queries.isMember('seg_1', 'con_1')).to.equal(true);
    expect(await queries.state('seg_1')).to.deep.equal({ status: 'live', count: 1 });
    expect((await queries.members('seg_1', null)).map(({ contact_id }) => contact_id)).to.deep.equal(['con_1']);
    await house.pass(1);
    await house.pass(0);
    await house.app.documents(segmentMembers, 'members');
    expect(await queries.isMember('seg_1', 'con_1')).to.equal(false);
    const history = await queries.history('seg_1', 'con_1');
    expect(history.map(({ change, cause, at }) => ({ change, cause, at }))).to.deep.equal([
      { change: 'entered', cause: 'event', at: textAt(began) },
      { change: 'left', cause: 'timer', at: textAt(began + 30_000) },
    ]);
    const [visit] = (await house.app.log.readSealed('event-evt_2')) ?? [];
    expect(history[0]?.event_id).to.equal(visit?.id).and.not.equal(undefined);
  });

  it('enters contacts by what happened before the segment existed, as a change of its rules', async () => {
    const house = new House();
    await house.create();
    await house.happen('con_1', 'purchase', house.app.clock.now(), { value: 60 });
    await house.set('con_1', 'first_name', 'Ann');
    await house.pass(1_000);
    await house.define('seg_1', {
      type: 'all',
      rules: [
        { type: 'event', event: 'purchase', where: [{ property: 'value', op: 'gte', value: 50 }] },
        { type: 'attribute', field: 'first_name', op: 'eq', value: 'Ann' },
      ],
    });
    await house.pass(0);
    expect(await house.difference()).to.equal(null);
    expect(house.world.membersOf('seg_1')).to.deep.equal(['con_1']);
    const [recorded] = (await house.app.log.readSealed(segmentMembershipStream('con_1'))) ?? [];
    expect(recorded?.event.data).to.have.nested.property('changes[0].cause', 'rule_change');
    const texts = JSON.stringify(await house.app.documents(todoList(house.process), TODOS));
    expect(texts).to.not.include('Ann');
  });

  it('records a change once, also if a node that knows nothing of the record repeats it', async () => {
    const house = new House();
    await house.create();
    await house.define('seg_1', { type: 'event', event: 'visit', window: { last: 'PT30S' } });
    await house.pass(0);
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    const stale = (await house.app.todos()).filter(({ todo }) => todo.due_at <= house.app.clock.now());
    expect(stale).to.have.length(1);
    await house.pass(0);
    const outcomes = await house.process.perform(stale.map(({ todo }) => todo) as never, {
      ...{ log: house.app.log, clock: house.app.clock, epoch: 1, signal: new AbortController().signal },
      execute: (command, input, { about, ...cause }) => house.app.execute(command, input, { ...cause, invocation: `another/${about}` }),
    });
    expect(outcomes).to.deep.equal(['start']);
    expect(await house.app.history(segmentMembershipStream('con_1'))).to.deep.equal(['SegmentMembershipsChanged']);
  });
});
