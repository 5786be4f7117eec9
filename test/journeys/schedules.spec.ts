import { expect } from 'chai';
import { nextOccurrence } from '../../commands/journeys/occurrences.js';
import { createSegment } from '../../commands/segments/create-segment.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The times of a schedule after another one, as local times. */
const timesOf = (cron: string, from: string, n: number): string[] => {
  const found: string[] = [];
  for (let at = Date.parse(from); found.length < n; ) {
    const next = nextOccurrence({ cron }, at, 'Europe/Paris') as string;
    found.push(next);
    at = Date.parse(next);
  }
  return found;
};

describe('The times of a schedule', () => {
  it('follow the clocks of its zone into summer and back', () => {
    expect(timesOf('0 9 * * *', '2026-03-28T00:00:00Z', 3)).to.deep.equal([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
    expect(timesOf('0 9 * * *', '2026-10-24T00:00:00Z', 2)).to.deep.equal(['2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z']);
  });
  it('come once a day where clocks skip their hour, and where they repeat it', () => {
    const days = (from: string) => timesOf('30 2 * * *', from, 3).map((at) => at.slice(0, 10));
    expect(days('2026-03-28T00:00:00Z')).to.deep.equal(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(days('2026-10-24T12:00:00Z')).to.deep.equal(['2026-10-25', '2026-10-26', '2026-10-27']);
  });
  it('are days of the month that exist', () => {
    expect(timesOf('0 12 29 2 *', '2026-01-01T00:00:00Z', 1)).to.deep.equal(['2028-02-29T11:00:00.000Z']);
    expect(nextOccurrence({ at: '2026-01-01T00:00:00+01:00' }, Date.parse('2025-01-01T00:00:00Z'), 'UTC')).to.equal('2025-12-31T23:00:00.000Z');
    expect(nextOccurrence({ at: '2026-01-01T00:00:00Z' }, Date.parse('2026-01-01T00:00:00Z'), 'UTC')).to.equal(null);
  });
});

async function withSegment() {
  const world = new JourneyApp();
  const vip = { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' };
  const { output } = await world.app.execute(createSegment, { name: 'VIP', rules: vip } as never);
  const segment_id = output.id;
  const ada = await world.contact('ada@example.com', { tags: ['vip'] });
  await world.contact('bob@example.com');
  await world.app.run(1);
  return { world, segment_id, ada };
}
const mail = { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: null };
const after_exit = { settings: { reentry: { mode: 'after_exit' } } as never };

describe('A journey with a schedule', () => {
  it('starts for the contacts that are in its segment at each time, once each, and not while it is paused', async () => {
    const { world, segment_id, ada } = await withSegment();
    const on = { type: 'schedule', cron: '0 9 * * *', segment_id };
    const journey = await world.publish({ nodes: [{ id: 't', kind: 'trigger', on, next: 's' }, mail] as never, ...after_exit });
    await world.app.run(1.5 * DAY);
    const started = async () => (await world.enrollments(journey)).map(({ contact_id, started_at }) => [contact_id, started_at.slice(0, 13)]);
    expect(await started()).to.deep.equal([[ada, '2026-01-16T09']]);
    const bob = await world.contact('bob@example.com', { tags: ['vip'] });
    await world.app.run(DAY);
    expect(await started()).to.have.deep.members([
      [ada, '2026-01-16T09'],
      [ada, '2026-01-17T09'],
      [bob, '2026-01-17T09'],
    ]);
    const about = { journey_id: journey, account_id: ACCOUNT, now: '' };
    await world.command({ type: 'Pause', ...about });
    await world.app.run(2 * DAY);
    await world.app.clock.advance(2 * DAY);
    expect(await started()).to.have.length(3);
    await world.command({ type: 'Resume', ...about });
    await world.app.run(DAY);
    expect(await started()).to.have.length(5);
  });
});

describe('A journey for who enters a segment', () => {
  for (const include_existing of [false, true])
    it(`starts ${include_existing ? 'also' : 'not'} for those who are in it when it is published${include_existing ? ', if it says so' : ''}`, async () => {
      const { world, segment_id, ada } = await withSegment();
      const on = { type: 'segment_entered', segment_id, include_existing };
      const journey = await world.publish({ nodes: [{ id: 't', kind: 'trigger', on, next: 's' }, mail] as never });
      await world.app.run(HOUR);
      expect((await world.enrollments(journey)).map(({ contact_id }) => contact_id)).to.deep.equal(include_existing ? [ada] : []);
      const bob = await world.contact('bob@example.com', { tags: ['vip'] });
      await world.app.run(HOUR);
      expect((await world.enrollments(journey)).map(({ contact_id }) => contact_id)).to.deep.equal(include_existing ? [ada, bob] : [bob]);
    });
});
