import { expect } from 'chai';
import fc from 'fast-check';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { enrollByRequest } from '../../commands/journeys/enroll-by-request.js';
import { simulateJourney } from '../../commands/journeys/simulate-journey.js';
import { noNumbers, numbersOf } from '../../domain/journeys/numbers.js';
import { JourneyApp } from './journey-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 5);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const names = ['ada', 'bob', 'cy'];

const mail = { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: null };
const dated = (trigger: object = {}, settings: object = {}) => ({
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'date', field: 'birthday', ...trigger }, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'P1D', next: 's' },
    mail,
  ] as never,
  settings: { reentry: { mode: 'always', max_concurrent: 3 }, ...settings } as never,
});

/** The clock begins at 10:00 UTC on 15 January 2026. */
async function start(): Promise<JourneyApp> {
  const world = new JourneyApp();
  await world.app.execute(defineCustomField, { key: 'birthday', label: 'Birthday', type: 'date' } as never);
  return world;
}
const born = (birthday: string | null, more: object = {}) => ({ custom_fields: { birthday }, ...more });

const life = fc.record({
  trigger: fc.record({
    repeat: fc.constantFrom('once', 'yearly'),
    offset: fc.constantFrom('P0D', '-P2D', 'P1D'),
    time: fc.constantFrom('09:00', '00:00', '23:30'),
  }),
  reentry: fc.constantFrom({ mode: 'once' }, { mode: 'after_exit' }, { mode: 'cooldown', cooldown: 'P300D' }, { mode: 'always', max_concurrent: 10 }),
  first: fc.array(fc.constantFrom('1990-01-17', '2026-01-18', '1996-02-29', null), { minLength: 3, maxLength: 3 }),
  history: fc
    .uniqueArray(
      fc.record({
        hour: fc.integer({ min: 1, max: 24 * 14 }),
        who: fc.integer({ min: 0, max: 2 }),
        what: fc.constantFrom('date', 'date', 'zone', 'name', 'request', 'merge'),
        date: fc.constantFrom('1990-01-17', '1990-01-20', '2026-01-22', '1996-02-29', null),
        zone: fc.constantFrom('Asia/Tokyo', 'America/New_York', 'Europe/Paris'),
      }),
      { maxLength: 12, selector: ({ hour }) => hour },
    )
    .map((drawn) => [...drawn].sort((a, b) => a.hour - b.hour)),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Two years. */
async function lived({ trigger, reentry, first, history }: Life) {
  const world = await start();
  const contacts: string[] = [];
  for (const [i, name] of names.entries()) {
    contacts.push(await world.contact(`${name}@example.com`, born(first[i] ?? null)));
    await world.app.clock.advance(1_000);
  }
  const journey = await world.publish(dated(trigger, { reentry }));
  const begin = world.app.clock.now();
  await world.app.run(HOUR / 2);
  const merges: { contact_id: string; merge_id: string }[] = [];
  const until = async (at: number) => {
    await world.app.run(at - world.app.clock.now());
    await world.app.clock.advance(Math.max(0, at - world.app.clock.now()));
  };
  for (const { hour, who, what, date, zone } of history) {
    // Never at the very time of a timer.
    await until(begin + hour * HOUR + 7 * 60_000);
    const email = `${names[who]}@example.com`;
    if (what === 'date') await world.contact(email, born(date));
    else if (what === 'zone') await world.contact(email, { timezone: zone });
    else if (what === 'name') await world.contact(email, { first_name: zone });
    else if (what === 'request') await world.app.execute(enrollByRequest, { journey_id: journey, request: { contact_id: contacts[who] ?? '' } });
    else if (what === 'merge' && merges.length === 0 && who > 0) {
      const contact_id = contacts[0] ?? '';
      const { output } = await world.app.execute(mergeContact, { contact_id, source_contact_id: contacts[who] ?? '' });
      merges.push({ contact_id, merge_id: output.merge_id });
    }
    await world.app.run(1);
  }
  await until(begin + 730 * DAY);
  return { world, journey, from: world.at(begin), merges };
}

const simulate = async (world: JourneyApp, journey_id: string, request: object) => {
  const { output } = await world.app.execute(simulateJourney, { journey_id, request });
  if (output.job) throw new Error('expected a result');
  return output;
};

describe('A simulation of a journey that starts by a date', () => {
  it('gives what really happened', async function () {
    this.timeout(240_000);
    await fc.assert(
      fc.asyncProperty(life, async (drawn) => {
        const { world, journey, from, merges } = await lived(drawn);
        // Contacts that were merged count as one from the beginning: their rules of re-entry, too.
        if (merges.length > 0 && drawn.reentry.mode !== 'always') return;
        const { counts, sample } = await simulate(world, journey, { from, sample: 100 });
        const enrollments = await world.enrollments(journey);
        expect(sample.map(({ enrollment_id, ended }) => [enrollment_id, ended]).sort()).to.deep.equal(
          enrollments.map(({ id, reason }) => [id, reason]).sort(),
        );
        if (merges.length > 0) return;
        const { id: _, account: __, ...real } = { ...noNumbers, ...(await world.stats(journey)) };
        expect(numbersOf(counts)).to.deep.equal(real);
      }),
      { numRuns: RUNS },
    );
  });

  it('says of a draft who would have started it, and when', async () => {
    const world = await start();
    const ada = await world.contact('ada@example.com', born('1990-01-17', { timezone: 'Asia/Tokyo' }));
    const eve = await world.contact('eve@example.com');
    const from = world.at(world.app.clock.now());
    await world.app.run(8 * HOUR);
    await world.app.clock.advance(2 * DAY);
    await world.contact('eve@example.com', born('1990-01-19'));
    await world.app.clock.advance(10 * DAY);
    const journey = await world.publish(dated({ repeat: 'yearly' }));
    const { counts, sample } = await simulate(world, journey, { from, sample: 10 });
    expect(numbersOf(counts)).to.deep.include({ started: 2, exited: { completed: 2 }, sent: { s: 2 } });
    expect(sample.map(({ contact_id, started_at }) => [contact_id, started_at])).to.have.deep.members([
      [ada, '2026-01-17T00:00:00.000Z'],
      [eve, '2026-01-19T09:00:00.000Z'],
    ]);
  });
});

describe('An explanation of a journey that starts by a date', () => {
  it('says when the date comes next, or why it does not', async () => {
    const world = await start();
    const ada = await world.contact('ada@example.com', born('1990-01-20'));
    const eve = await world.contact('eve@example.com');
    const journey = await world.publish(dated({ repeat: 'yearly' }, { reentry: { mode: 'cooldown', cooldown: 'P300D' } }));
    await world.app.run(HOUR);
    const next = async (contact: string) => (await world.explain(journey, contact)).next_date;
    expect(await next(ada)).to.deep.equal({ field: 'birthday', due_at: '2026-01-20T09:00:00.000Z', refused: null });
    expect(await next(eve)).to.deep.equal({ field: 'birthday', due_at: null, refused: 'no_date' });
    await world.app.run(10 * DAY);
    const after = await world.explain(journey, ada);
    expect(after).to.deep.include({ can_enter: false, refused: 'cooldown' });
    expect(after.next_date).to.deep.equal({ field: 'birthday', due_at: '2027-01-20T09:00:00.000Z', refused: null });
    expect(after.explanation).to.include('starts the journey at 2027-01-20T09:00:00.000Z');
    await world.command({ type: 'Stop', journey_id: journey, now: '' });
    expect(await next(ada)).to.deep.equal({ field: 'birthday', due_at: null, refused: 'journey_inactive' });
  });

  it('says that a date has had its turn, and who could not enter then', async () => {
    const world = await start();
    const ada = await world.contact('ada@example.com', born('2026-01-17'));
    const journey = await world.publish(dated());
    await world.app.run(5 * DAY);
    const next = async (of: string) => (await world.explain(of, ada)).next_date;
    expect(await next(journey)).to.deep.equal({ field: 'birthday', due_at: null, refused: 'date_over' });
    const yearly = await world.publish(dated({ repeat: 'yearly' }, { reentry: { mode: 'once' } }));
    await world.app.run(HOUR);
    await world.app.execute(enrollByRequest, { journey_id: yearly, request: { contact_id: ada } });
    expect(await next(yearly)).to.deep.equal({ field: 'birthday', due_at: '2027-01-17T09:00:00.000Z', refused: 'already_enrolled' });
  });
});
