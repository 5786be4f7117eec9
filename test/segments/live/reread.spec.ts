import { expect } from 'chai';
import { matchesOccurrence, starts } from '../../../domain/journeys/contact-signal.js';
import { readNow } from '../../../domain/segments/earlier-reading.js';
import type { MembershipsChanged } from '../../../domain/segments/live/recorded.js';
import { segmentMembershipStream } from '../../../domain/segments/live/recorded.js';
import type { Rule } from '../../../domain/segments/rule.js';
import { contactSignalsOf } from '../../../log/aggregates/journeys/contact-signals.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import { todoList } from '../../../processes/runtime/todo-list.js';
import { rereadRules } from '../../../processes/segments/reread-rules.js';
import { customEvents } from '../../../projections/events/projection.js';
import { verify } from '../../../projections/runtime/verify.js';
import { explainMembership } from '../../../projections/segments/explain.js';
import { segmentMembers } from '../../../projections/segments/members.js';
import { segmentMembersAt } from '../../../projections/segments/members-at.js';
import { ACCOUNT } from '../../support/test-app.js';
import { SegmentApp } from './segment-app.js';

const named = (op: 'eq' | 'not_exists', value?: string): Rule => ({ type: 'attribute', field: 'first_name', op, ...(value && { value }) });
const priced: Rule = { type: 'event', event: 'paid', where: [{ property: 'total', op: 'gte', value: 10 }] };
const cheap: Rule = { type: 'not', rule: { type: 'segment', segment_id: 'seg_2', is_member: true } };
const reachable: Rule = { type: 'reachable', channel: 'sms', is: true };

/** Two contacts, of whom the rules say something else as they are read now, and five segments. */
async function earlierHouse(): Promise<SegmentApp> {
  const house = new SegmentApp();
  for (const name of ['ANN', '']) {
    await house.create();
    await house.set(house.world.roots.at(-1) as string, 'first_name', name);
  }
  await house.happen('con_1', 'paid', house.app.clock.now(), { total: '10.00' });
  await house.defineEarlier('seg_1', named('eq', 'Ann'));
  await house.defineEarlier('seg_2', priced);
  await house.defineEarlier('seg_3', cheap);
  await house.defineEarlier('seg_4', named('not_exists'));
  await house.defineEarlier('seg_5', reachable);
  await house.pass(10_000);
  expect(await house.difference()).to.equal(null);
  return house;
}

const recordsOf = async (house: SegmentApp, id: string): Promise<LogEvent<MembershipsChanged>[]> =>
  ((await house.app.log.readSealed(segmentMembershipStream(id))) ?? []) as LogEvent<MembershipsChanged>[];

describe('reading recorded rules anew', () => {
  it('keeps what they meant until then, and gives them once the meaning of now, as new rules of their segments', async () => {
    const house = await earlierHouse();
    const memberships = () => house.world.segmentIds.sort().map((id) => house.world.membersOf(id));
    expect(memberships()).to.deep.equal([[], [], ['con_1', 'con_2'], [], []]);
    house.processes.push(rereadRules);
    await house.pass(10_000);
    for (const [id, rule] of [
      ['seg_1', named('eq', 'Ann')],
      ['seg_2', priced],
      ['seg_4', named('not_exists')],
    ] as const)
      house.world.define(id, readNow(rule));
    expect(memberships()).to.deep.equal([['con_1'], ['con_1'], ['con_2'], ['con_2'], []]);
    expect(await house.difference()).to.equal(null);
    expect(await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await house.app.history(`segment-seg_${n}`)).length))).to.deep.equal([2, 2, 1, 2, 1]);
    const [, reread] = (await house.app.log.read('segment-seg_1')) ?? [];
    expect(reread?.event.data).to.deep.include({ rules: named('eq', 'Ann'), rules_version: 2, reread: true });
    await house.pass(100_000);
    expect((await house.app.history('segment-seg_1')).length).to.equal(2);
    const parts = { log: house.app.log, views: house.app.views };
    for (const projection of [todoList(house.process), segmentMembers])
      expect((await verify(projection, parts, new AbortController().signal)).differences, projection.name).to.deep.equal([]);
  });

  it('is a change of rules that starts no journey, also none that takes those who are there already, and ends no wait', async () => {
    const house = await earlierHouse();
    house.processes.push(rereadRules);
    await house.pass(10_000);
    const changes = (await Promise.all(['con_1', 'con_2'].map((id) => recordsOf(house, id)))).flat();
    const moved = changes.flatMap(({ event }) => event.data.changes).filter(({ reread }) => reread);
    expect(moved.map(({ segment_id, change, cause, event_id }) => [segment_id, change, cause, event_id])).to.deep.equal([
      ['seg_1', 'entered', 'rule_change', null],
      ['seg_2', 'entered', 'rule_change', null],
      ['seg_3', 'left', 'rule_change', null],
      ['seg_4', 'entered', 'rule_change', null],
    ]);
    const signals = changes.flatMap((stored) => contactSignalsOf(stored)).filter(({ origin }) => origin === 'reread');
    expect(signals).to.have.length(4);
    for (const signal of signals)
      for (const type of ['segment_entered', 'segment_left'] as const)
        for (const segment_id of house.world.segmentIds) {
          expect(starts({ type, segment_id, include_existing: true }, signal)).to.equal(false);
          expect(matchesOccurrence({ type, segment_id }, signal, null)).to.equal(false);
        }
  });

  it('leaves new rules of a caller what they are, before it and after it', async () => {
    const house = await earlierHouse();
    const version2 = { type: 'SegmentUpdated', data: { segment_id: 'seg_4', rules: named('eq', 'ann'), rules_version: 2, at: house.at } };
    await house.app.log.append('segment-seg_4', 0, [version2], {
      ...{ $correlationId: 'c', $causationId: 'c', account: ACCOUNT, actor: { kind: 'operator', id: 'test' }, occurredAt: house.at },
      invocation: 'by-a-caller',
    });
    house.world.define('seg_4', named('eq', 'ann'));
    house.processes.push(rereadRules);
    await house.pass(10_000);
    house.world.define('seg_1', named('eq', 'Ann'));
    house.world.define('seg_2', priced);
    expect(await house.difference()).to.equal(null);
    expect(await house.app.history('segment-seg_4')).to.deep.equal(['SegmentCreated', 'SegmentUpdated']);
    const changes = (await recordsOf(house, 'con_1')).flatMap(({ event }) => event.data.changes);
    expect(changes.filter(({ segment_id }) => segment_id === 'seg_4').map(({ cause, reread }) => [cause, reread])).to.deep.equal([
      ['rule_change', undefined],
    ]);
  });

  it('answers about the time before as it did then', async () => {
    const house = await earlierHouse();
    const until = house.at;
    await house.pass(60_000);
    house.processes.push(rereadRules);
    await house.pass(10_000);
    await house.app.documents(customEvents, 'events');
    await house.app.documents(segmentMembers, 'members');
    const { log, views, clock } = house.app;
    const explain = (at: string | undefined) =>
      explainMembership(log, views, { account: ACCOUNT, segment_id: 'seg_2', contact_id: 'con_1', until: at, now: clock.now() });
    const [then, now] = [await explain(until), await explain(undefined)];
    expect([then.version, then.is_member, now.version, now.is_member]).to.deep.equal([1, false, 2, true]);
    expect([then.explanation?.rule, now.explanation?.rule]).to.deep.equal([priced, priced]);
    const asked = { account: ACCOUNT, segment_id: 'seg_3', until, after: null, limit: 10, budgetMs: 5_000 };
    const { found } = await segmentMembersAt({ log, views, clock }, asked);
    expect(found.map(({ item }) => item.root.id)).to.deep.equal(['con_1', 'con_2']);
  });

  it('makes days of the contact of dates that were those of UTC', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.set('con_1', 'timezone', 'Pacific/Auckland');
    await house.set('con_1', 'custom_fields.birthday', '2026-01-16');
    const begun: Rule = { type: 'date', field: 'birthday', op: 'within_last', value: 'P1D' };
    await house.defineEarlier('seg_1', begun);
    await house.pass(2 * 3_600_000);
    expect(await house.difference()).to.equal(null);
    expect(house.world.membersOf('seg_1')).to.deep.equal([]);
    house.processes.push(rereadRules);
    await house.pass(10_000);
    house.world.define('seg_1', begun);
    expect(await house.difference()).to.equal(null);
    expect(house.world.membersOf('seg_1')).to.deep.equal(['con_1']);
    const changes = (await recordsOf(house, 'con_1')).flatMap(({ event }) => event.data.changes);
    expect(changes.map(({ change, cause, reread }) => [change, cause, reread])).to.deep.equal([['entered', 'rule_change', true]]);
    // Another time zone of the account later is no reading anew.
    await house.set('con_1', 'timezone', null);
    await house.zone('Europe/Berlin');
    await house.pass(14 * 3_600_000);
    await house.zone('America/Los_Angeles');
    await house.pass(0);
    expect(await house.difference()).to.equal(null);
    const later = (await recordsOf(house, 'con_1')).flatMap(({ event }) => event.data.changes).slice(1);
    expect(later.map(({ change, cause, reread }) => [change, cause, reread])).to.deep.equal([
      ['left', 'attribute', undefined],
      ['entered', 'timer', undefined],
      ['left', 'rule_change', undefined],
    ]);
  });
});
