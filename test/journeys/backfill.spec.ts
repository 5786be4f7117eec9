import { expect } from 'chai';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { recordEvents } from '../../commands/events/record-events.js';
import { createSegment } from '../../commands/segments/create-segment.js';
import { workOff } from '../support/work-on-jobs.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR_AGO = '2025-01-10T08:00:00.000Z';

const buyers = { type: 'event', event: 'purchase' };
const often = { type: 'event', event: 'purchase', count: { op: 'gte', value: 2 } };
const named = { type: 'attribute', field: 'email', op: 'exists' };

/** Journeys by all that a backfill causes; how often each was started. The clock begins at 10:00 UTC on 15 January 2026. */
async function start(window: string | null = null) {
  const world = new JourneyApp(window === null ? {} : { ports: { events: { startWindow: () => window } } });
  const { app } = world;
  await app.execute(defineCustomField, { key: 'birthday', label: 'Birthday', type: 'date' } as never);
  const segment = async (rules: object) => (await app.execute(createSegment, { name: 'S', rules } as never)).output.id;
  const triggers = {
    created: { type: 'contact_created' },
    event: { type: 'event', event: 'purchase' },
    buyers: { type: 'segment_entered', segment_id: await segment(buyers) },
    often: { type: 'segment_entered', segment_id: await segment(often) },
    named: { type: 'segment_entered', segment_id: await segment(named) },
    existing: { type: 'segment_entered', segment_id: await segment(buyers), include_existing: true },
    since: { type: 'date', field: 'created_at' },
    day: { type: 'date', field: 'created_at', offset: 'P1D' },
    birthday: { type: 'date', field: 'birthday', repeat: 'yearly' },
  } as const;
  const journeys: Record<string, string> = {};
  for (const [name, on] of Object.entries(triggers))
    journeys[name] = await world.publish({
      nodes: [{ id: 't', kind: 'trigger', on, next: null }] as never,
      settings: { reentry: { mode: 'always' } } as never,
    });
  await app.run(HOUR);
  const id = (name: keyof typeof triggers): string => journeys[name] as string;
  return {
    world,
    app,
    id,
    record: async (event: object) => (await app.execute(recordEvent, { event: 'purchase', ...event } as never)).output,
    batch: async (events: object[], more: object = {}) => {
      const items = events.map((event, index) => ({ index, input: { event: 'purchase', ...event } }));
      return (await app.execute(recordEvents, { received: items.length, items, problems: [], ...more } as never)).output;
    },
    /** By the names of the journeys, without those that nothing has started. */
    async started() {
      await app.run(HOUR);
      const all = await world.enrollments();
      const counted = Object.keys(triggers).map((name) => [name, all.filter(({ journey_id }) => journey_id === journeys[name]).length] as const);
      return Object.fromEntries(counted.filter(([, n]) => n > 0));
    },
    async missed(name: keyof typeof triggers, contact: string) {
      const { missed, refusals, explanation } = await world.explain(id(name), contact);
      return { missed: missed.map(({ reason }) => reason), refused: refusals.map(({ reason }) => reason), explanation };
    },
  };
}

describe('A backfill', () => {
  it('by a late event starts no journey for the contact that it creates, and says why', async () => {
    const { record, started, missed } = await start();
    const { contact_id, contact_created } = await record({ contact: { email: 'ada@example.com' }, occurred_at: YEAR_AGO });
    expect(contact_created).to.equal(true);
    expect(await started()).to.deep.equal({ existing: 1 });
    expect(await missed('event', contact_id)).to.deep.include({ refused: ['late'], missed: [] });
    for (const name of ['created', 'buyers', 'named'] as const) {
      const said = await missed(name, contact_id);
      expect(said, name).to.deep.include({ refused: [], missed: ['late'] });
      expect(said.explanation).to.include('a late event caused it');
    }
  });

  it('leaves what happens later as for everybody', async () => {
    const { world, app, record, started } = await start();
    await record({ contact: { email: 'ada@example.com' }, occurred_at: YEAR_AGO });
    await world.contact('ada@example.com', { custom_fields: { birthday: '1990-01-20' } });
    await record({ contact: { email: 'ada@example.com' } });
    expect(await started()).to.deep.equal({ event: 1, often: 1, existing: 1 });
    await app.run(10 * DAY);
    expect(await started()).to.deep.equal({ event: 1, often: 1, existing: 1, day: 1, birthday: 1 });
  });

  it('starts nothing for a contact that exists either, whatever segments it enters by it', async () => {
    const { world, record, started, missed } = await start();
    const ada = await world.contact('ada@example.com');
    expect(await started()).to.deep.equal({ created: 1, named: 1, since: 1 });
    for (const occurred_at of [YEAR_AGO, '2025-02-01T00:00:00.000Z']) await record({ contact: { id: ada }, occurred_at });
    expect(await started()).to.deep.equal({ created: 1, named: 1, since: 1, existing: 1 });
    expect(await missed('often', ada)).to.deep.include({ missed: ['late'] });
  });

  it('starts journeys where it says so, and where its events are not late', async () => {
    const all = { created: 1, event: 1, buyers: 1, named: 1, existing: 1, since: 1 };
    const contact = { email: 'ada@example.com' };
    const says = await start();
    await says.record({ contact, occurred_at: YEAR_AGO, start_journeys: true });
    expect(await says.started()).to.deep.equal(all);
    const recent = await start();
    await recent.record({ contact, occurred_at: '2026-01-14T12:00:00.000Z' });
    expect(await recent.started()).to.deep.equal(all);
    const strict = await start('PT1H');
    await strict.record({ contact, occurred_at: '2026-01-15T08:30:00.000Z' });
    expect(await strict.started()).to.deep.equal({ existing: 1 });
  });

  it('of many events is silent, for each contact that only late ones have made', async () => {
    const { batch, started } = await start();
    const old = Array.from({ length: 300 }, (_, i) => ({ contact: { email: `row-${i}@example.com` }, occurred_at: YEAR_AGO }));
    expect(await batch(old)).to.deep.include({ accepted: 300, rejected: 0 });
    expect(await started()).to.deep.equal({ existing: 300 });
    // This contact has bought now, too, and is made by that as well.
    const contact = { email: 'both@example.com' };
    await batch([{ contact, occurred_at: YEAR_AGO }, { contact }, { contact: { email: 'new@example.com' } }]);
    expect(await started()).to.deep.equal({ created: 2, event: 2, buyers: 1, often: 1, named: 2, existing: 302, since: 2 });
  });

  it('of many events starts journeys where the batch or the event says so', async () => {
    const { batch, started } = await start();
    const late = (name: string, more: object = {}) => ({ contact: { email: `${name}@example.com` }, occurred_at: YEAR_AGO, ...more });
    await batch([late('ada'), late('bob', { start_journeys: false })], { start_journeys: true });
    expect(await started()).to.deep.equal({ created: 1, event: 1, buyers: 1, named: 1, existing: 2, since: 1 });
    await batch([late('eve', { start_journeys: true }), late('kim')]);
    expect(await started()).to.deep.equal({ created: 2, event: 2, buyers: 2, named: 2, existing: 4, since: 2 });
  });

  it('repeats nothing where an event comes again under its key', async () => {
    const { record, batch, started } = await start();
    const late = { contact: { email: 'ada@example.com' }, occurred_at: YEAR_AGO, idempotency_key: 'order-1' };
    const first = await record(late);
    expect((await record(late)).id).to.equal(first.id);
    expect((await batch([late])).events[0]?.id).to.equal(first.id);
    expect(await started()).to.deep.equal({ existing: 1 });
  });

  for (const start_journeys of [false, true])
    it(`by an import ${start_journeys ? 'starts journeys where it says so' : 'is silent, and its later dates are not'}`, async () => {
      const { app, started } = await start();
      const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
      const rows = ['01-15', '01-20'].map((birthday, i) => ({
        row: i + 1,
        contact: { email: `row-${i}@example.com`, custom_fields: { birthday: `1990-${birthday}` } },
      }));
      const given = { ...options, list_ids: [], ...(start_journeys && { start_journeys: true as const }) };
      const { output } = await app.execute(acceptImport, { options: given, rows: () => rows });
      await workOff(app, output.job_id);
      expect(await started()).to.deep.equal(start_journeys ? { created: 2, named: 2, since: 2 } : {});
      await app.run(10 * DAY);
      expect(await started()).to.deep.include({ birthday: 1, day: 2 });
    });
});
