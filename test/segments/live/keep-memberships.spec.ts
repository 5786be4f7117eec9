import { expect } from 'chai';
import { segmentBuildStream, segmentMembershipStream } from '../../../domain/segments/live/recorded.js';
import type { Rule } from '../../../domain/segments/rule.js';
import { TODOS, todoList } from '../../../processes/runtime/todo-list.js';
import { verify } from '../../../projections/runtime/verify.js';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import { type SegmentMemberDoc, segmentMembers } from '../../../projections/segments/members.js';
import { ACCOUNT } from '../../support/test-app.js';
import { amounts, Dice, eventNames, kinds, lists, plans, randomRule, TICK_MS, textAt, zones } from './rules.js';
import { SegmentApp, type SentMessage } from './segment-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 3);
const STEPS = 24;
const SEGMENTS = 5;

const changes: readonly ((dice: Dice, house: SegmentApp, id: string) => Promise<void>)[] = [
  ...Array.from({ length: 5 }, () => (dice: Dice, house: SegmentApp, id: string) => {
    const properties = { value: dice.one(amounts), ...(dice.chance(0.6) && { kind: dice.one(kinds) }) };
    const time = house.app.clock.now() - (dice.chance(0.7) ? 0 : dice.below(12) * TICK_MS);
    return house.happen(id, dice.one(eventNames), time, properties);
  }),
  (dice, house, id) => house.set(id, 'custom_fields.plan', dice.chance(0.2) ? null : dice.one(plans)),
  (dice, house, id) => house.set(id, 'custom_fields.age', dice.below(8)),
  (dice, house, id) => house.set(id, 'custom_fields.secret', dice.chance(0.2) ? null : dice.below(8)),
  (dice, house, id) => house.set(id, 'first_name', dice.one(['Ann', 'Ben', 'ana'])),
  (dice, house, id) => house.set(id, 'custom_fields.due', textAt(house.app.clock.now() + (dice.below(24) - 12) * TICK_MS)),
  (dice, house, id) => house.set(id, 'custom_fields.birthday', dice.one(['2026-01-15', '2026-01-16', '1999-01-15', '2000-02-29'])),
  ...Array.from({ length: 2 }, () => (dice: Dice, house: SegmentApp, id: string) => house.set(id, 'timezone', dice.one([...zones, null]))),
  ...Array.from({ length: 2 }, () => (dice: Dice, house: SegmentApp) => house.zone(dice.one(zones))),
  (dice, house, id) => house.tag(id, dice.one(['vip', 'new']), dice.chance(0.6)),
  (dice, house, id) => house.list(id, dice.one(lists), dice.chance(0.6)),
  (dice, house, id) => house.consent(id, dice.one(['ConsentGranted', 'ConsentWithdrawn'] as const), house.app.clock.now() - dice.below(3) * TICK_MS),
  ...Array.from({ length: 2 }, () => (dice: Dice, house: SegmentApp, id: string) => {
    const kind = dice.one(['email', 'phone'] as const);
    return house.address(id, kind, dice.chance(0.3) ? null : `${kind}-${id}-${dice.below(2)}`);
  }),
  (dice, house, id) => house.suppress(`email-${id}-${dice.below(2)}`, dice.one(['all', 'email', 'sms']), dice.chance(0.6)),
  ...Array.from({ length: 3 }, () => async (dice: Dice, house: SegmentApp, id: string) => {
    const to = dice.chance(0.5) ? { contact: id } : { key: `email-${id}-${dice.below(2)}` };
    if (dice.chance(0.5) || house.messages.length === 0) await house.send(to, dice.one(['email', 'sms'] as const));
    if (dice.chance(0.3)) return;
    const time = house.app.clock.now() - (dice.chance(0.7) ? 0 : dice.below(12) * TICK_MS);
    await house.report(dice.one(house.messages), dice.one(['opened', 'clicked'] as const), time, dice.chance(0.3));
  }),
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
    return house.define(`seg_${n}`, randomRule(dice, below));
  },
];

/** Also while segments are being built. */
async function happenSome(dice: Dice, house: SegmentApp): Promise<void> {
  for (let more = dice.below(4); more >= 0; more--) {
    await dice.one(changes)(dice, house, dice.one(house.world.present));
    if (dice.chance(0.5)) await house.buildOn();
  }
}

describe('keeping the memberships of segments', () => {
  it(`records what the plain reading of the history gives, at every step, and after a rebuild (${RUNS} random histories)`, async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const dice = new Dice(seed);
      // Every other one divides the list.
      const house = new SegmentApp(seed % 2 ? 1 : 5);
      for (let n = 0; n < 3; n++) await house.create();
      for (let n = 0; n < STEPS; n++) {
        await happenSome(dice, house);
        await house.pass(dice.one([0, 0, 1, TICK_MS, TICK_MS, 7_777, 60_000, 3_600_000]));
        expect(await house.difference(), `seed ${seed}, step ${n}`).to.equal(null);
      }
      const parts = { log: house.app.log, views: house.app.views };
      const { signal } = new AbortController();
      for (const projection of [todoList(house.process), segmentMembers])
        expect((await verify(projection, parts, signal)).differences, `seed ${seed}: ${projection.name}`).to.deep.equal([]);
    }
  });

  it('records when a contact entered and left, and why, to the millisecond', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.define('seg_1', { type: 'event', event: 'visit', window: { last: 'PT30S' } });
    await house.pass(0);
    const began = house.app.clock.now();
    await house.happen('con_1', 'visit', began, {});
    await house.pass(29_999);
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    await house.app.documents(segmentMembers, 'members');
    expect(await queries.isMember('seg_1', 'con_1')).to.equal(true);
    expect(await queries.state('seg_1')).to.deep.equal({ status: 'live', count: 1, rules_version: 1, live_version: 1, progress: null });
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

  it('moves a contact by rules that are newer than its last event at their moment, and by the older ones at theirs', async () => {
    const house = new SegmentApp();
    await house.create();
    const within = (last: string): Rule => ({ type: 'event', event: 'visit', window: { last } });
    await house.define('seg_1', within('PT60S'));
    await house.pass(0);
    const began = house.app.clock.now();
    await house.happen('con_1', 'visit', began, {});
    await house.pass(10_000);
    // By these nothing changes now: they move the contact before the older ones do.
    await house.define('seg_2', { type: 'not', rule: within('PT30S') });
    await house.pass(80_000);
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    await house.app.documents(segmentMembers, 'members');
    const movesIn = async (segment: string) => (await queries.history(segment, 'con_1')).map(({ change, at }) => `${change} ${at}`);
    expect(await movesIn('seg_1')).to.deep.equal([`entered ${textAt(began)}`, `left ${textAt(began + 60_000)}`]);
    expect(await movesIn('seg_2')).to.deep.equal([`entered ${textAt(began + 30_000)}`]);
    expect(await house.difference()).to.equal(null);
  });

  it('enters contacts by what happened before the segment existed, as a change of its rules', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.happen('con_1', 'purchase', house.app.clock.now(), { value: 60 });
    await house.set('con_1', 'first_name', 'Ann Lee');
    await house.pass(1_000);
    await house.define('seg_1', {
      type: 'all',
      rules: [
        { type: 'event', event: 'purchase', where: [{ property: 'value', op: 'gte', value: 50 }] },
        { type: 'attribute', field: 'first_name', op: 'eq', value: 'Ann Lee' },
      ],
    });
    await house.pass(0);
    expect(await house.difference()).to.equal(null);
    expect(house.world.membersOf('seg_1')).to.deep.equal(['con_1']);
    const [recorded] = (await house.app.log.readSealed(segmentMembershipStream('con_1'))) ?? [];
    expect(recorded?.event.data).to.have.nested.property('changes[0].cause', 'rule_change');
    const texts = JSON.stringify(await house.app.documents(todoList(house.process), TODOS));
    expect(texts).to.not.include('Ann Lee');
  });

  it('counts what is reported, while a segment is being built, of messages that were sent before', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.address('con_1', 'email', 'email-con_1-0');
    await house.send({ contact: 'con_1' }, 'sms');
    await house.send({ key: 'email-con_1-0' }, 'email', 'cmp_1');
    const [toContact, toAddress] = house.messages as [SentMessage, SentMessage];
    await house.report(toContact, 'opened', house.app.clock.now(), false);
    await house.pass(0);
    await house.define('seg_1', { type: 'message', action: 'opened', count: { op: 'eq', value: 2 } });
    await house.define('seg_2', { type: 'message', action: 'clicked', campaign_id: 'cmp_1' });
    await house.buildOn();
    await house.report(toContact, 'opened', house.app.clock.now(), false);
    await house.report(toAddress, 'clicked', house.app.clock.now(), false);
    await house.pass(0);
    expect([house.world.membersOf('seg_1'), house.world.membersOf('seg_2')]).to.deep.equal([['con_1'], ['con_1']]);
    expect(await house.difference()).to.equal(null);
    await house.report(toAddress, 'opened', house.app.clock.now(), true);
    await house.report(toAddress, 'opened', house.app.clock.now(), false);
    await house.pass(0);
    expect(house.world.membersOf('seg_1')).to.deep.equal([]);
    expect(await house.difference()).to.equal(null);
  });

  it('reads of the past only what new rules need', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    await house.set('con_1', 'first_name', 'Ann');
    const needs: unknown[] = [];
    const name: Rule = { type: 'attribute', field: 'first_name', op: 'eq', value: 'Ann' };
    const visited: Rule = { type: 'event', event: 'visit' };
    const opened: Rule = { type: 'message', action: 'opened' };
    for (const [n, rule] of [visited, name, opened, { type: 'all', rules: [visited, name] } as Rule].entries()) {
      await house.define(`seg_${n + 1}`, rule);
      await house.pass(1_000);
      const steps = (await house.app.log.readSealed(segmentBuildStream(`${ACCOUNT}-${n + 1}`))) ?? [];
      needs.push(steps.flatMap(({ event }) => (event.type === 'SegmentHistoryScanned' ? [(event.data as { needs: unknown }).needs] : [])));
    }
    const nothing = { events: [], messages: false, fields: false };
    expect(needs).to.deep.equal([[{ ...nothing, events: ['visit'] }], [{ ...nothing, fields: true }], [{ ...nothing, messages: true }], []]);
    expect(house.world.membersOf('seg_4')).to.deep.equal(['con_1']);
    expect(await house.difference()).to.equal(null);
  });

  it('reads the past also where the segment that kept it is deleted after the build was planned', async () => {
    const house = new SegmentApp();
    await house.create();
    const rule: Rule = { type: 'event', event: 'visit' };
    await house.define('seg_1', rule);
    await house.pass(0);
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    await house.pass(1_000);
    await house.define('seg_2', rule);
    // Planned by now: nothing is missing.
    await house.append('segment-seg_1', { type: 'SegmentDeleted', data: { segment_id: 'seg_1', at: house.at } });
    const build_id = `${ACCOUNT}-2`;
    const planned = { build_id, segments: [{ segment_id: 'seg_2', rules_version: 1 }], scan: 'none', at: house.at };
    await house.append(segmentBuildStream(build_id), { type: 'SegmentBuildStarted', data: planned });
    await house.pass(1_000);
    await house.app.documents(segmentMembers, 'members');
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    expect(await queries.isMember('seg_2', 'con_1')).to.equal(true);
    expect(await queries.state('seg_2')).to.include({ status: 'live', count: 1 });
  });

  it('does not count the values of a custom field that was removed and defined again', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.set('con_1', 'custom_fields.plan', 'pro');
    const removed = { field_id: 'fld_1', key: 'plan', at: house.at };
    await house.append('customFields-acc_TEST', { type: 'CustomFieldRemoved', data: removed });
    await house.define('seg_1', { type: 'attribute', field: 'plan', op: 'eq', value: 'pro' });
    await house.pass(1);
    const members = async () => (await house.app.documents<SegmentMemberDoc>(segmentMembers, 'members')).map(({ contact_id }) => contact_id);
    expect(await members()).to.deep.equal([]);
    await house.set('con_1', 'custom_fields.plan', 'pro');
    await house.pass(0);
    expect(await members()).to.deep.equal(['con_1']);
  });

  it('shows the members by the old rules until every contact is decided by the new ones, and who was in it when', async () => {
    const house = new SegmentApp();
    for (const _ of [1, 2, 3]) await house.create();
    for (const [id, plan] of [
      ['con_1', 'free'],
      ['con_2', 'free'],
      ['con_3', 'pro'],
    ] as const)
      await house.set(id, 'custom_fields.plan', plan);
    const ruleOf = (value: string): Rule => ({ type: 'attribute', field: 'plan', op: 'eq', value });
    await house.define('seg_1', ruleOf('free'));
    await house.pass(1_000);
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    const seen = async () => {
      await house.app.documents(segmentMembers, 'members');
      const ids = (await queries.members('seg_1', null)).map(({ contact_id }) => contact_id);
      const among = [...(await queries.among('seg_1', ['con_1', 'con_2', 'con_3']))];
      expect(among).to.deep.equal(ids);
      return { ids, ...(await queries.state('seg_1')) };
    };
    const first = house.at;
    await house.pass(1_000);
    expect(await seen()).to.deep.equal({ ids: ['con_1', 'con_2'], status: 'live', count: 2, rules_version: 1, live_version: 1, progress: null });
    await house.define('seg_1', ruleOf('pro'));
    // Started, and in force at once: the field is open, so nothing is read again but what depends on personal values.
    const steps: unknown[] = [];
    for (let { length } = await house.builds(); length > 0; { length } = await house.builds()) {
      await house.buildOn();
      const { progress, status, ids } = await seen();
      steps.push(progress?.step ?? status);
      if (status === 'building') expect(ids).to.deep.equal(['con_1', 'con_2']);
    }
    expect(steps.at(-1)).to.equal('live');
    expect(await seen()).to.deep.equal({ ids: ['con_3'], status: 'live', count: 1, rules_version: 2, live_version: 2, progress: null });
    const second = house.at;
    await house.pass(1_000);
    await house.set('con_3', 'custom_fields.plan', 'free');
    await house.set('con_1', 'custom_fields.plan', 'pro');
    await house.pass(1_000);
    expect((await seen()).ids).to.deep.equal(['con_1']);
    const then = async (at: string) => (await queries.membersAt('seg_1', at, (await queries.versionAt('seg_1', at)) ?? 0, null, 10)).ids;
    expect([await then(first), await then(second), await then(house.at)]).to.deep.equal([['con_1', 'con_2'], ['con_3'], ['con_1']]);
    expect(await queries.versionAt('seg_1', '2025-01-01T00:00:00.000Z')).to.equal(0);
    await house.append('segment-seg_1', { type: 'SegmentDeleted', data: { segment_id: 'seg_1', at: house.at } });
    await house.pass(0);
    expect((await seen()).ids).to.deep.equal([]);
    expect(await queries.segmentsOf('con_1')).to.deep.equal([]);
  });

  it('records a change once, also if a node that knows nothing of the record repeats it', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.define('seg_1', { type: 'event', event: 'visit', window: { last: 'PT30S' } });
    await house.pass(0);
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    const stale = await house.due();
    expect(stale).to.have.length(1);
    await house.pass(0);
    expect(await house.perform(stale, 'another')).to.deep.equal(['start']);
    expect(await house.app.history(segmentMembershipStream('con_1'))).to.deep.equal(['SegmentMembershipsChanged']);
  });

  it('does not end a membership where an event on record prolongs it, also if the timer has not seen that event', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.define('seg_1', { type: 'event', event: 'visit', window: { last: 'PT30S' } });
    await house.pass(0);
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    await house.pass(29_000);
    const stale = (await house.app.todos()).map(({ todo }) => todo);
    expect(stale).to.have.length(1);
    await house.happen('con_1', 'visit', house.app.clock.now(), {});
    await house.app.clock.advance(2_000);
    // The list has the event now, but the timer is performed as it was read before.
    expect(await house.due()).to.have.length(0);
    await house.perform(stale);
    const history = (await house.app.log.readSealed(segmentMembershipStream('con_1'))) ?? [];
    expect(history.flatMap(({ event }) => (event.data as { changes: { change: string }[] }).changes.map(({ change }) => change))).to.deep.equal([
      'entered',
    ]);
  });
});
