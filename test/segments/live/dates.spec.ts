import { expect } from 'chai';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import { segmentMembers } from '../../../projections/segments/members.js';
import { SegmentApp } from './segment-app.js';

describe('Memberships by dates', () => {
  it('are decided by the clocks of the contact, else of the account, and anew where these change, as a change of the rules', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.create();
    await house.set('con_2', 'timezone', 'Pacific/Auckland');
    for (const id of ['con_1', 'con_2']) await house.set(id, 'custom_fields.birthday', '2026-01-17');
    await house.define('seg_1', { type: 'date', field: 'birthday', op: 'within_last', value: 'P1D' });
    await house.pass(40 * 3_600_000);
    expect(house.at).to.equal('2026-01-17T02:00:00.000Z');
    const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
    const movesOf = async (id: string) => {
      await house.app.documents(segmentMembers, 'members');
      return (await queries.history('seg_1', id)).map(({ change, cause, at }) => `${change} ${cause} ${at}`);
    };
    expect(await movesOf('con_2')).to.deep.equal(['entered timer 2026-01-16T11:00:00.000Z']);
    expect(await movesOf('con_1')).to.deep.equal(['entered timer 2026-01-17T00:00:00.000Z']);
    await house.zone('America/Los_Angeles');
    for (const hours of [0, 12, 24]) await house.pass(hours * 3_600_000);
    await house.pass(0);
    expect(await house.difference()).to.equal(null);
    expect(await movesOf('con_2')).to.deep.equal(['entered timer 2026-01-16T11:00:00.000Z', 'left timer 2026-01-17T11:00:00.000Z']);
    expect(await movesOf('con_1')).to.deep.equal([
      ...['entered timer 2026-01-17T00:00:00.000Z', 'left rule_change 2026-01-17T02:00:00.000Z'],
      ...['entered timer 2026-01-17T08:00:00.000Z', 'left timer 2026-01-18T08:00:00.000Z'],
    ]);
    await house.zone('UTC');
    await house.define('seg_2', { type: 'date', field: 'birthday', op: 'more_than_ago', value: 'P2D' });
    await house.pass(0);
    expect(await house.difference()).to.equal(null);
    expect(await queries.state('seg_1')).to.include({ status: 'live', rules_version: 1 });
  });

  it('change by time alone after the account has another time zone, whether that changes the moment or not', async () => {
    for (const [zone, entered] of [
      ['Africa/Abidjan', '2026-01-17T00:00:00.000Z'],
      ['Europe/Berlin', '2026-01-16T23:00:00.000Z'],
      ['America/Los_Angeles', '2026-01-17T08:00:00.000Z'],
    ] as const) {
      const house = new SegmentApp();
      for (const id of ['con_1', 'con_2']) {
        await house.create();
        await house.set(id, 'custom_fields.birthday', '2026-01-17');
      }
      await house.set('con_2', 'timezone', 'Pacific/Auckland');
      await house.define('seg_1', { type: 'date', field: 'birthday', op: 'within_last', value: 'P7D' });
      await house.pass(3_600_000);
      await house.zone(zone);
      await house.pass(2 * 86_400_000);
      expect(await house.difference()).to.equal(null);
      await house.app.documents(segmentMembers, 'members');
      const queries = segmentMemberQueries({ log: house.app.log, views: house.app.views });
      const moves = async (id: string) => (await queries.history('seg_1', id)).map(({ change, cause, at }) => `${change} ${cause} ${at}`);
      expect(await moves('con_1'), zone).to.deep.equal([`entered timer ${entered}`]);
      expect(await moves('con_2'), zone).to.deep.equal(['entered timer 2026-01-16T11:00:00.000Z']);
    }
  });

  it('change by the new zone, not by time, where the date has begun there before', async () => {
    const house = new SegmentApp();
    await house.create();
    await house.set('con_1', 'custom_fields.birthday', '2026-01-17');
    await house.define('seg_1', { type: 'date', field: 'birthday', op: 'within_last', value: 'P7D' });
    await house.pass(26 * 3_600_000);
    expect(house.at).to.equal('2026-01-16T12:00:00.000Z');
    await house.zone('Pacific/Kiritimati');
    await house.pass(86_400_000);
    expect(await house.difference()).to.equal(null);
    await house.app.documents(segmentMembers, 'members');
    const history = await segmentMemberQueries({ log: house.app.log, views: house.app.views }).history('seg_1', 'con_1');
    expect(history.map(({ change, cause, at }) => [change, cause, at])).to.deep.equal([['entered', 'rule_change', '2026-01-16T12:00:00.000Z']]);
  });
});
