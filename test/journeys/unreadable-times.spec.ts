import { expect } from 'chai';
import { simulateJourney } from '../../commands/journeys/simulate-journey.js';
import { testEnroll } from '../../commands/journeys/test-enroll.js';
import { findEnrollment } from '../../projections/journeys/explain.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const reminder = (more: object = {}) => ({
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'booked' }, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'until', field: 'properties.starts_at', offset: '-P2D', next: 's', ...more },
    { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'Soon', message: 'Soon', next: null },
  ] as never,
  settings: { reentry: { mode: 'after_exit' } } as never,
});

describe('A delay until a value that names no time', () => {
  it('is left at once with the reason, and nothing is sent, whatever the node says of times that are over', async () => {
    for (const if_past of ['continue', 'exit']) {
      const world = new JourneyApp();
      const journey = await world.publish(reminder({ if_past }));
      const contact = await world.contact('ada@example.com');
      const given = ['29.03.2027', 'tomorrow', '', true, null, undefined, '2027-02-30', '20270329T090000Z'];
      for (const starts_at of given) {
        await world.event(contact, 'booked', starts_at === undefined ? {} : { starts_at });
        await world.app.run(HOUR);
      }
      const found = await world.enrollments(journey);
      expect(found.map(({ status, reason }) => [status, reason])).to.deep.equal(given.map(() => ['exited', 'unreadable_time']));
      expect(await world.path(found[0]?.id ?? '')).to.deep.equal(['started', 'enter d', 'exited unreadable_time']);
      const shown = await findEnrollment(world.app.log, ACCOUNT, found[0]?.id ?? '');
      expect(shown?.path.at(-1)).to.include({ node: 'd', outcome: 'exited:unreadable_time' });
      const { explanation, enrollments } = await world.explain(journey, contact);
      expect(explanation).to.contain('unreadable_time, at the node d: the value whose time it waits for is missing, or names no time');
      expect(enrollments[0]).to.include({ reason: 'unreadable_time' });
      expect((await world.stats(journey))?.exited).to.deep.equal({ unreadable_time: given.length });
    }
  });

  it('is shown by a simulation and by a dry run', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(reminder());
    const contact = await world.contact('ada@example.com');
    const begin = world.app.clock.now();
    await world.event(contact, 'booked', { starts_at: 'soon' });
    await world.app.run(HOUR);
    const { output } = await world.app.execute(simulateJourney, { journey_id: journey, request: { from: world.at(begin - HOUR), sample: 1 } });
    if (output.job) throw new Error('expected a result');
    expect(output.sample[0]).to.include({ ended: 'unreadable_time' });
    expect(output.sample[0]?.path.at(-1)).to.include({ node: 'd', outcome: 'exited:unreadable_time' });
    const request = { contact: { email: 'eve@example.com' }, trigger: { properties: { starts_at: 'soon' } } };
    const dry = (await world.app.execute(testEnroll, { journey_id: journey, request: request as never })).output;
    expect(dry).to.include({ ended: 'unreadable_time' });
    expect(dry.path.at(-1)).to.include({ node: 'd', outcome: 'exited:unreadable_time' });
  });

  it('is not what a field is that every contact has: the time of its creation', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(reminder({ field: 'created_at', offset: 'P1D' }));
    await world.event(await world.contact('ada@example.com', { timezone: 'Europe/Berlin' }), 'booked');
    const created = world.app.clock.now();
    await world.app.run(48 * HOUR);
    const [one] = await world.enrollments(journey);
    expect(await world.path(one?.id ?? '')).to.include(`timer ${world.at(created + 24 * HOUR)}`);
    expect(one?.reason).to.equal('completed');
  });
});

describe('A timer of a wait', () => {
  it('comes after days of the clocks of the contact, or after hours', async () => {
    for (const [timeout, due] of [
      ['P1D', '2026-03-29T10:00:00.000Z'],
      ['PT24H', '2026-03-29T11:00:00.000Z'],
    ] as const) {
      const world = new JourneyApp();
      await world.app.clock.advance(Date.parse('2026-03-28T11:00:00Z') - world.app.clock.now());
      await world.publish({
        nodes: [
          { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'w' },
          { id: 'w', kind: 'wait', for: [{ id: 'met', on: { type: 'event', event: 'seen' }, next: null }], timeout, on_timeout: null },
        ] as never,
      });
      await world.event(await world.contact('ada@example.com', { timezone: 'Europe/Berlin' }), 'go');
      await world.app.run(HOUR);
      const [one] = await world.enrollments();
      expect(await world.path(one?.id ?? '')).to.include(`timer ${due}`);
    }
  });
});
