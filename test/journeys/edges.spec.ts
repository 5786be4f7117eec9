import { expect } from 'chai';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { simulateJourney } from '../../commands/journeys/simulate-journey.js';
import { createList } from '../../commands/lists/create-list.js';
import { createSegment } from '../../commands/segments/create-segment.js';
import { numbersOf } from '../../domain/journeys/numbers.js';
import { readJob } from '../../projections/jobs/jobs.js';
import { ACCOUNT } from '../support/test-app.js';
import { workOff } from '../support/work-on-jobs.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Waits until 02:30 of the contact's clocks. */
const untilNight = {
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'local_time', time: '02:30', next: null },
  ] as never,
  settings: { reentry: { mode: 'after_exit' } } as never,
};

describe('A delay to a local time', () => {
  for (const [what, from, left] of [
    ['ends once clocks are past an hour that they skip', '2026-03-28T12:00:00Z', '2026-03-29T01'],
    ['ends in an hour that clocks repeat, once', '2026-10-24T12:00:00Z', '2026-10-25T00'],
  ] as const)
    it(what, async () => {
      const world = new JourneyApp();
      await world.publish(untilNight);
      await world.app.clock.advance(Date.parse(from) - world.app.clock.now());
      await world.event(await world.contact('ada@example.com', { timezone: 'Europe/Paris' }), 'go');
      await world.app.run(2 * DAY);
      const [one, ...others] = await world.enrollments();
      expect(others).to.deep.equal([]);
      expect(one?.exited_at?.slice(0, 13)).to.equal(left);
    });
});

describe('What starts no journey', () => {
  const welcome = {
    nodes: [{ id: 't', kind: 'trigger', on: { type: 'contact_created' }, next: null }] as never,
  };

  it('is an import of contacts', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(welcome);
    const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
    const rows = Array.from({ length: 50 }, (_, i) => ({ row: i + 1, contact: { email: `row-${i}@example.com` } }));
    const { output } = await world.app.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => rows });
    await workOff(world.app, output.job_id);
    await world.app.run(HOUR);
    expect((await readJob(world.app.log, ACCOUNT, output.job_id)).result).to.include({ created: 50 });
    expect(await world.enrollments(journey)).to.deep.equal([]);
    await world.contact('ada@example.com');
    await world.app.run(HOUR);
    expect(await world.enrollments(journey)).to.have.length(1);
  });

  for (const include_existing of [false, true])
    it(`is a segment that contacts enter by an import${include_existing ? ', unless the journey asks for who is there already' : ''}`, async () => {
      const world = new JourneyApp();
      const vip = { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' };
      const segment = (await world.app.execute(createSegment, { name: 'VIP', rules: vip } as never)).output.id;
      const on = { type: 'segment_entered', segment_id: segment, include_existing };
      const journey = await world.publish({ nodes: [{ id: 't', kind: 'trigger', on, next: null }] as never });
      await world.app.run(HOUR);
      const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
      const rows = Array.from({ length: 5 }, (_, i) => ({ row: i + 1, contact: { email: `row-${i}@example.com`, tags: ['vip'] } }));
      const { output } = await world.app.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => rows });
      await workOff(world.app, output.job_id);
      await world.app.run(HOUR);
      expect(await world.enrollments(journey)).to.have.length(include_existing ? 5 : 0);
      await world.contact('ada@example.com', { tags: ['vip'] });
      await world.app.run(HOUR);
      expect(await world.enrollments(journey)).to.have.length(include_existing ? 6 : 1);
    });

  it('is an import, unless it says so: then contacts that it creates, moves into segments and adds to lists start their journeys', async () => {
    const world = new JourneyApp();
    const vip = { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' };
    const segment_id = (await world.app.execute(createSegment, { name: 'VIP', rules: vip } as never)).output.id;
    const list_id = (await world.app.execute(createList, { name: 'News', description: null, opt_in: 'single' } as never)).output.id;
    const triggers = [{ type: 'contact_created' }, { type: 'segment_entered', segment_id }, { type: 'list_added', list_id }];
    const journeys: string[] = [];
    for (const on of triggers) journeys.push(await world.publish({ nodes: [{ id: 't', kind: 'trigger', on, next: null }] as never }));
    const ada = await world.contact('ada@example.com');
    await world.app.run(HOUR);
    const started = async () => {
      const all = await world.enrollments();
      return journeys.map((id) => all.filter(({ journey_id }) => journey_id === id).length);
    };
    expect(await started()).to.deep.equal([1, 0, 0]);
    const options = { list_ids: [list_id], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
    const rows = (name: string) => ['ada', name].map((one, i) => ({ row: i + 1, contact: { email: `${one}@example.com`, tags: ['vip'] } }));
    for (const [name, start_journeys] of [
      ['bob', {}],
      ['eve', { start_journeys: true }],
    ] as const) {
      const { output } = await world.app.execute(acceptImport, {
        options: { ...options, list_ids: [list_id], ...start_journeys },
        rows: () => rows(name),
      });
      await workOff(world.app, output.job_id);
      await world.app.run(HOUR);
      expect((await readJob(world.app.log, ACCOUNT, output.job_id)).result).to.include({ created: 1, failed: 0 });
      expect(await started(), name).to.deep.equal(name === 'bob' ? [1, 0, 0] : [2, 1, 1]);
    }
    expect((await world.enrollments()).filter(({ contact_id }) => contact_id === ada)).to.have.length(1);
  });

  it('is an event that lies more than a day back; it is recorded why', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(untilNight);
    const ada = await world.contact('ada@example.com');
    const past = (ms: number) => ({ contact: { id: ada }, event: 'go', occurred_at: world.at(world.app.clock.now() - ms) });
    await world.app.execute(recordEvent, past(DAY + 1_000) as never);
    await world.app.run(1);
    expect(await world.stats(journey)).to.deep.include({ started: 0, refused: { late: 1 } });
    await world.app.execute(recordEvent, past(DAY - HOUR) as never);
    await world.app.run(1);
    expect(await world.stats(journey)).to.deep.include({ started: 1, refused: { late: 1 } });
  });

  it('is an event that lies further back than the account says, in a simulation, too', async () => {
    const world = new JourneyApp({ ports: { events: { startWindow: () => 'PT2H' } } });
    const journey = await world.publish(untilNight);
    const begin = world.app.clock.now();
    const past = async (name: string, ms: number) => {
      const contact = { id: await world.contact(`${name}@example.com`) };
      await world.app.clock.advance(1_000);
      await world.app.execute(recordEvent, { contact, event: 'go', occurred_at: world.at(world.app.clock.now() - ms) } as never);
      await world.app.run(1);
    };
    await past('ada', 3 * HOUR);
    await past('bob', HOUR);
    expect(await world.stats(journey)).to.deep.include({ started: 1, refused: { late: 1 } });
    await world.app.clock.advance(1_000);
    const { output } = await world.app.execute(simulateJourney, { journey_id: journey, request: { from: world.at(begin) } });
    expect(output.job === null && numbersOf(output.counts)).to.deep.include({ started: 1, refused: { late: 1 } });
  });
});

describe('An erasure in the middle of a journey', () => {
  it('ends it, and nothing is sent', async () => {
    const world = new JourneyApp();
    await world.publish({
      nodes: [
        { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'd' },
        { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 's' },
        { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: null },
      ] as never,
    });
    const ada = await world.contact('ada@example.com');
    await world.event(ada, 'go');
    await world.app.run(HOUR / 2);
    await world.app.execute(eraseContact, { contact_id: ada });
    await world.app.run(2 * HOUR);
    const [one] = await world.enrollments();
    expect(one).to.include({ status: 'exited', reason: 'contact_deleted' });
    expect(await world.messages(one?.id ?? '')).to.deep.equal([]);
  });
});
