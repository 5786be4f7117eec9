import { expect } from 'chai';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { reachContactDate } from '../../commands/journeys/contact-dates.js';
import type { ContactDateEvent } from '../../domain/journeys/contact-date.js';
import { contactDateStream } from '../../domain/journeys/contact-date.js';
import { journeyTemplates } from '../../domain/journeys/journey-templates.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const mail = { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: null };
const dated = (trigger: object = {}, settings: object = {}) => ({
  nodes: [{ id: 't', kind: 'trigger', on: { type: 'date', field: 'birthday', repeat: 'yearly', ...trigger }, next: 's' }, mail] as never,
  settings: { reentry: { mode: 'always' }, ...settings } as never,
});

/** The clock begins at 10:00 UTC on 15 January 2026. */
async function start() {
  const world = new JourneyApp();
  await world.app.execute(defineCustomField, { key: 'birthday', label: 'Birthday', type: 'date' } as never);
  const born = (birthday: string | null, more: object = {}) => ({ custom_fields: { birthday }, ...more });
  const update = (name: string, more: object) => world.contact(`${name}@example.com`, more);
  const started = async (journey?: string) => (await world.enrollments(journey)).map(({ contact_id, started_at }) => [contact_id, started_at]);
  const until = (at: string) => world.app.run(Date.parse(at) - world.app.clock.now());
  return { world, born, update, started, until };
}

describe('A journey that starts by a date', () => {
  it('starts for contacts that exist and for new ones, at the time of their clocks, every year', async () => {
    const { world, born, started, until } = await start();
    const ada = await world.contact('ada@example.com', born('1990-01-20', { timezone: 'Asia/Tokyo' }));
    await world.contact('eve@example.com');
    await world.publish(dated());
    await world.app.run(HOUR);
    const bob = await world.contact('bob@example.com', born('1996-02-29', { timezone: 'America/New_York' }));
    await until('2027-03-01T00:00:00Z');
    expect(await started()).to.deep.equal([
      [ada, '2026-01-20T00:00:00.000Z'],
      [bob, '2026-02-28T14:00:00.000Z'],
      [ada, '2027-01-20T00:00:00.000Z'],
      [bob, '2027-02-28T14:00:00.000Z'],
    ]);
    const [first] = await world.enrollments();
    expect(await world.path(first?.id ?? '')).to.include('sent s');
  });

  it('starts once for a date, with an offset', async () => {
    const { world, born, started, until } = await start();
    const ada = await world.contact('ada@example.com', born('2026-02-01'));
    await world.publish(dated({ repeat: 'once', offset: '-P7D', time: '08:15' }));
    await until('2028-01-01T00:00:00Z');
    expect(await started()).to.deep.equal([[ada, '2026-01-25T08:15:00.000Z']]);
  });

  it('follows changes of the date and of the time zone until it starts, and starts no second time for the same date', async () => {
    const { world, born, update, started, until } = await start();
    await world.publish(dated());
    const ada = await world.contact('ada@example.com', born('1990-02-10'));
    await until('2026-02-09T12:00:00Z');
    await update('ada', born('1990-03-10'));
    await until('2026-03-09T12:00:00Z');
    expect(await started()).to.deep.equal([]);
    await update('ada', { timezone: 'Asia/Tokyo' });
    await until('2026-03-10T01:00:00Z');
    expect(await started()).to.deep.equal([[ada, '2026-03-10T00:00:00.000Z']]);
    // Nine o'clock is still to come there.
    await update('ada', { timezone: 'America/New_York' });
    await until('2026-03-20T00:00:00Z');
    expect(await started()).to.have.length(1);
    await update('ada', born(null));
    await until('2028-01-01T00:00:00Z');
    expect(await started()).to.have.length(1);
    expect((await world.app.todos()).filter(({ process }) => process.name === 'journeys/enrollments')).to.deep.equal([]);
  });

  it('starts where a change comes at the very time, before its timer', async () => {
    const { world, born, update, started } = await start();
    await world.publish(dated());
    const ada = await world.contact('ada@example.com', born('1990-01-16'));
    await world.app.run(HOUR);
    await world.app.clock.advance(Date.parse('2026-01-16T09:00:00.400Z') - world.app.clock.now());
    await update('ada', { timezone: 'UTC' });
    await world.app.run(HOUR);
    expect((await started()).map(([id]) => id)).to.deep.equal([ada]);
  });

  it('does not start while it is paused or stopped, and makes up for nothing', async () => {
    const { world, born, started, until } = await start();
    const ada = await world.contact('ada@example.com', born('1990-02-10'));
    const journey = await world.publish(dated());
    const about = { journey_id: journey, account_id: ACCOUNT, now: '' };
    await world.command({ type: 'Pause', ...about });
    await until('2026-03-01T00:00:00Z');
    await world.command({ type: 'Resume', ...about });
    await until('2027-03-01T00:00:00Z');
    expect(await started()).to.deep.equal([[ada, '2027-02-10T09:00:00.000Z']]);
    await world.command({ type: 'Stop', ...about });
    await until('2028-03-01T00:00:00Z');
    await world.command({ type: 'Resume', ...about });
    await until('2029-03-01T00:00:00Z');
    expect((await started()).map(([, at]) => at)).to.deep.equal(['2027-02-10T09:00:00.000Z', '2029-02-10T09:00:00.000Z']);
  });

  it('is late by a day at most: what came round while nothing ran is refused', async () => {
    const { world, born, started } = await start();
    await world.publish(dated());
    const ada = await world.contact('ada@example.com', born('1990-01-16'));
    const bob = await world.contact('bob@example.com', born('1990-01-20'));
    await world.app.run(HOUR);
    await world.app.clock.advance(5 * DAY);
    await world.app.run(HOUR);
    expect((await started()).map(([id]) => id)).to.deep.equal([bob]);
    await world.app.run(366 * DAY);
    expect((await started()).map(([id]) => id)).to.deep.equal([bob, ada, bob]);
  });

  it('follows a new version: its offset, and its field', async () => {
    const { world, born, started, until } = await start();
    const ada = await world.contact('ada@example.com', born('1990-02-10'));
    const journey = await world.publish(dated());
    await world.app.run(HOUR);
    await world.republish(journey, dated({ offset: '-P2D' }), 'pinned');
    await until('2026-06-01T00:00:00Z');
    expect(await started()).to.deep.equal([[ada, '2026-02-08T09:00:00.000Z']]);
    await world.republish(journey, dated({ field: 'renewal' }), 'pinned');
    await until('2028-06-01T00:00:00Z');
    expect(await started()).to.have.length(1);
  });

  it('starts once for merged contacts with the same date, and for each after the merge ended', async () => {
    const { world, born, started, until } = await start();
    const ada = await world.contact('ada@example.com', born('1990-02-10'));
    await world.app.clock.advance(1_000);
    const other = await world.contact('ada@example.org', born('1990-02-10'));
    await world.publish(dated());
    await world.app.run(HOUR);
    const { output } = await world.app.execute(mergeContact, { contact_id: ada, source_contact_id: other });
    await until('2026-03-01T00:00:00Z');
    expect(await started()).to.deep.equal([[ada, '2026-02-10T09:00:00.000Z']]);
    await world.app.execute(unmergeContact, { contact_id: ada, merge_id: output.merge_id });
    await until('2027-03-01T00:00:00Z');
    expect((await started()).slice(1).sort()).to.deep.equal(
      [
        [ada, '2027-02-10T09:00:00.000Z'],
        [other, '2027-02-10T09:00:00.000Z'],
      ].sort(),
    );
    for (const contact_id of [ada, other]) await world.app.execute(deleteContact, { contact_id });
    await until('2028-03-01T00:00:00Z');
    expect(await started()).to.have.length(3);
  });

  it('starts once however often its timer fires', async () => {
    const { world, born, started } = await start();
    const journey = await world.publish(dated());
    const ada = await world.contact('ada@example.com', born('1990-01-16'));
    await world.app.run(HOUR);
    await world.app.clock.advance(DAY);
    const events = (await world.app.log.read<ContactDateEvent>(contactDateStream(journey, ada))) ?? [];
    const planned = events.at(-1)?.event;
    const occurrence = planned?.type === 'JourneyDatePlanned' ? planned.data.occurrence : null;
    const reach = () => world.app.execute(reachContactDate, { journey_id: journey, contact_id: ada, occurrence: occurrence ?? '' });
    await Promise.all([reach(), reach()]);
    await reach();
    expect(await started()).to.have.length(1);
    expect(await world.app.history(contactDateStream(journey, ada))).to.deep.equal([
      'JourneyDatePlanned',
      'JourneyDateReached',
      'JourneyDatePlanned',
    ]);
  });

  it('costs nothing where a change of a contact concerns no date', async () => {
    const { world, born, update } = await start();
    const journey = await world.publish(dated());
    const ada = await world.contact('ada@example.com', born('1990-02-10'));
    const eve = await world.contact('eve@example.com');
    await world.app.run(HOUR);
    await update('ada', { first_name: 'Ada' });
    await update('eve', { timezone: 'Asia/Tokyo' });
    await world.app.run(HOUR);
    expect(await world.app.history(contactDateStream(journey, ada))).to.deep.equal(['JourneyDatePlanned']);
    expect(await world.app.history(contactDateStream(journey, eve))).to.deep.equal([]);
  });
});

describe('The template of birthdays', () => {
  it('wishes a happy birthday at nine in the morning', async () => {
    const { world, born, started, until } = await start();
    const birthday = journeyTemplates.find(({ key }) => key === 'birthday');
    await world.publish(birthday?.journey as never);
    const ada = await world.contact('ada@example.com', born('1990-01-31', { first_name: 'Ada', timezone: 'Europe/Paris' }));
    await until('2028-01-01T00:00:00Z');
    expect(await started()).to.deep.equal([
      [ada, '2026-01-31T08:00:00.000Z'],
      [ada, '2027-01-31T08:00:00.000Z'],
    ]);
    const [first] = await world.enrollments();
    expect((await world.messages(first?.id ?? '')).map(({ type }) => type)).to.deep.equal(['MessageQueued']);
  });
});
